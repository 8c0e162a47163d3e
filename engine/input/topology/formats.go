package topology

import (
	"strings"
	"unicode/utf8"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/input/format/sniff"
	"berth/engine/show"
)

// syntax is a format of graphs. read collects the nodes and edges of a text in n.
type syntax struct {
	sniff.Format
	read func(n *network)
}

// formats lists the formats in the order in which messages name them.
var formats = []*syntax{&graphML, &gml, &gexf, &nodeLink, &nodeEdges, &cytoscape, &jaeger, &mermaid, &edges, &matrix}

func init() {
	for _, s := range formats {
		f := &format.Graphs{Format: &s.Format}
		if s.For&sniff.Deployments != 0 {
			f.Deployments, f.Role = s.deployment, s.role
		}
		if s.For&sniff.Federations != 0 {
			f.Federation = s.federation
		}
		format.Add(f)
	}
}

const inPlacement = "choose it in Placement, as a deployment or as the federation"

// scan reads the nodes and edges of a text.
func (s *syntax) scan(file string, text []byte, o format.Options) *network {
	_, file, _ = format.Named(file)
	n := &network{file: file, text: strings.TrimPrefix(string(text), "\ufeff"), budget: o.Budget.Or()}
	switch {
	case !n.take(budget.Bytes, len(text), 0):
	case !utf8.Valid(text):
		n.add(diag.Error, 0, notText)
	default:
		s.read(n)
	}
	return n
}

// role returns whether a text is a deployment or a federation. It scans the text if the format
// allows both.
func (s *syntax) role(text []byte) dot.Role {
	if s.For == sniff.Deployments {
		return dot.Deployment
	}
	n := s.scan("", text, format.Options{})
	role := n.Role()
	if n.graph(); n.zoo {
		return dot.Federation
	}
	return role
}

func (s *syntax) deployment(file string, text []byte, o format.Options) ([]format.Deployment, diag.List) {
	n := s.scan(file, text, o)
	g := n.graph()
	if g == nil {
		return nil, n.found
	}
	d, found := g.Deployment(n.file, text, o.Options)
	if found = append(n.found, found...); d == nil {
		return nil, found
	}
	return []format.Deployment{{Name: n.file[strings.LastIndexAny(n.file, `/\`)+1:], Deployment: d}}, found
}

func (s *syntax) federation(file string, text []byte, o format.Options) (*format.Federation, diag.List) {
	n := s.scan(file, text, o)
	g := n.graph()
	if g == nil {
		return nil, n.found
	}
	f, found := g.Federation(n.file, text, o.Options)
	if found = append(n.found, found...); f == nil {
		return nil, found
	}
	return &format.Federation{Federation: f, Routed: n.zoo, Sparse: true}, found
}

// textOf returns a JSON value as text; "" for lists and objects.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return number(v)
	case bool:
		return map[bool]string{false: "0", true: "1"}[v]
	}
	return ""
}

// wrong adds an error about a whole file.
func (n *network) wrong(err error) { n.add(diag.Error, 0, diag.Invalid, show.Text(err.Error())) }
