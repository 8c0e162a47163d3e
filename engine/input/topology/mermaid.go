package topology

import (
	"regexp"
	"strings"

	"berth/engine/diag"
	"berth/engine/input/format/sniff"
)

// Patterns of a Mermaid flowchart: an arrow with its text, and a node with its text in brackets.
var (
	mermaidArrow = regexp.MustCompile(`\s*(?:<?(?:--|==|-\.)[^-=.>|]*(?:-+|=+|\.+-*)?[>ox]?|---+|===+|~~~)(?:\|[^|]*\|)?\s*`)
	mermaidNode  = regexp.MustCompile(`^([\pL\pN_.-]*[\pL\pN_])\s*(?:[\[({>]+"?([^\])}"]*)"?[\])}]+)?(?::::[\w-]+)?$`)
)

var mermaid = syntax{sniff.Format{Name: "mermaid", Of: "Mermaid", What: "a flowchart of Mermaid", For: sniff.Deployments, Syntax: sniff.Prose, Fit: sniff.Mermaid}, readMermaid}

// readMermaid reads the nodes and arrows of a Mermaid flowchart. It ignores subgraphs, styles and
// directions.
func readMermaid(n *network) {
	known := map[string]bool{}
	offset := 0
	for i, line := range strings.SplitAfter(n.text, "\n") {
		at := offset
		offset += len(line)
		for statement := range strings.SplitSeq(line, ";") {
			statement, _, _ = strings.Cut(strings.TrimSpace(statement), "%%")
			word, _, _ := strings.Cut(statement, " ")
			switch word {
			case "", "graph", "flowchart", "subgraph", "end", "style", "classDef", "class", "linkStyle", "click", "direction", "```mermaid", "```", "---":
				continue
			}
			var before []string
			for _, part := range mermaidArrow.Split(statement, -1) {
				var ids []string
				for one := range strings.SplitSeq(part, "&") {
					m := mermaidNode.FindStringSubmatch(strings.TrimSpace(one))
					if m == nil {
						n.add(diag.Error, at, notMermaid, i+1)
						break
					}
					if ids = append(ids, m[1]); !known[m[1]] {
						known[m[1]] = true
						n.node(m[1], m[2], at, nil)
					}
				}
				for _, from := range before {
					for _, to := range ids {
						n.edge(from, to, at, nil)
					}
				}
				before = ids
			}
		}
	}
}
