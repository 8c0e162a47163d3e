package topology

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/input/format/sniff"
)

type object = map[string]any

// decode parses the text as JSON. It records an error and returns false if the text is invalid or
// exceeds the budget.
func (n *network) decode(to any) bool {
	if !n.take(budget.Originals, strings.Count(n.text, ":")+strings.Count(n.text, ","), 0) {
		return false
	}
	err := json.Unmarshal([]byte(n.text), to)
	if err != nil {
		code, args := diag.JSONFault([]byte(n.text), err)
		n.add(diag.Error, 0, code, args)
	}
	return err == nil
}

// attributesOf returns the attributes of an object, without the keys that the syntax itself uses.
func attributesOf(o object, without ...string) map[string]string {
	all := map[string]string{}
	for name, v := range o {
		if text := textOf(v); text != "" {
			all[name] = text
		}
	}
	for _, name := range without {
		delete(all, name)
	}
	return all
}

// networkx writes the edges under the key links, or edges from version 3.4 on.
var (
	nodeLink  = syntax{sniff.Format{Name: "node-link", Of: "networkx", What: "a graph in JSON of networkx", For: sniff.Placement, Do: inPlacement, Syntax: sniff.JSON, Must: "nodes,links", Fields: "directed,multigraph,graph"}, readNodeLink}
	nodeEdges = syntax{sniff.Format{Name: "node-link", Of: "networkx", What: "a graph in JSON of networkx", For: sniff.Placement, Do: inPlacement, Syntax: sniff.JSON, Must: "nodes,edges", Fields: "directed,multigraph,graph"}, readNodeLink}
)

// readNodeLink reads node-link data of networkx.
func readNodeLink(n *network) {
	var d struct {
		Nodes        []object `json:"nodes"`
		Links, Edges []object
	}
	if !n.decode(&d) {
		return
	}
	for _, o := range d.Nodes {
		n.node(textOf(o["id"]), cmp.Or(textOf(o["label"]), textOf(o["name"])), 0, attributesOf(o, "id", "label", "name"))
	}
	for _, o := range append(d.Links, d.Edges...) {
		n.edge(textOf(o["source"]), textOf(o["target"]), 0, attributesOf(o, "source", "target", "key", "id"))
	}
}

var cytoscape = syntax{sniff.Format{
	Name: "cytoscape", Of: "Cytoscape", What: "a graph in JSON of Cytoscape", For: sniff.Placement, Do: inPlacement, Syntax: sniff.JSON,
	Must: "elements", Fields: "data,directed,multigraph,format_version,generated_by,target_cytoscapejs_version,style,layout",
}, readCytoscape}

// readCytoscape reads the elements of Cytoscape: separate lists of nodes and edges, or one combined
// list.
func readCytoscape(n *network) {
	type element struct{ Data object }
	var d struct{ Elements json.RawMessage }
	if !n.decode(&d) {
		return
	}
	var apart struct{ Nodes, Edges []element }
	var all []element
	if json.Unmarshal(d.Elements, &apart) == nil {
		all = append(apart.Nodes, apart.Edges...)
	} else if err := json.Unmarshal(d.Elements, &all); err != nil {
		n.wrong(fmt.Errorf("elements: %w", err))
		return
	}
	for _, e := range all {
		if from := textOf(e.Data["source"]); from != "" {
			n.edge(from, textOf(e.Data["target"]), 0, attributesOf(e.Data, "id", "source", "target", "shared_name", "name", "interaction", "SUID"))
			continue
		}
		n.node(textOf(e.Data["id"]), cmp.Or(textOf(e.Data["label"]), textOf(e.Data["name"])), 0, attributesOf(e.Data, "id", "label", "name", "shared_name", "SUID"))
	}
}

var jaeger = syntax{sniff.Format{Name: "jaeger", Of: "Jaeger", What: "dependencies of Jaeger", For: sniff.Deployments, Syntax: sniff.JSON, Fit: func(h *sniff.Head) int {
	return sniff.ScoreIf(95, h.HasKey("parent") && h.HasKey("child") && h.HasKey("callCount"))
}}, readJaeger}

// readJaeger reads the dependencies between services that Jaeger has observed. It ignores the
// numbers of calls, which do not affect a placement.
func readJaeger(n *network) {
	type call struct{ Parent, Child string }
	var d struct{ Data []call }
	if strings.HasPrefix(strings.TrimLeft(n.text, " \t\r\n"), "[") {
		if !n.decode(&d.Data) {
			return
		}
	} else if !n.decode(&d) {
		return
	}
	n.open = true
	for _, c := range d.Data {
		n.edge(c.Parent, c.Child, 0, nil)
	}
}
