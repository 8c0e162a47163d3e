package topology

import (
	"strings"
	"unicode/utf8"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/show"
)

// syntax collects the nodes and edges of a text. Its name is that of its format in package sniff.
type syntax struct {
	name string
	only dot.Role // Unknown: for both
	read func(n *network)
}

var syntaxes = []syntax{
	{name: "graphml", read: readGraphML}, {name: "gml", read: readGML}, {name: "gexf", read: readXML},
	{name: "node-link", read: readNodeLink}, {name: "cytoscape", read: readCytoscape}, {name: "edges", read: readEdges},
	{name: "jaeger", only: dot.Deployment, read: readJaeger}, {name: "mermaid", only: dot.Deployment, read: readMermaid},
	{name: "matrix", only: dot.Federation, read: readMatrix},
}

// Register adds the formats to those of package format.
func Register() error {
	for _, s := range syntaxes {
		if s.only != dot.Federation {
			if err := format.DeploymentFormats.Add(format.Reader[[]format.Deployment]{Name: s.name, Role: s.role, Read: s.deployment}); err != nil {
				return err
			}
		}
		if s.only != dot.Deployment {
			if err := format.FederationFormats.Add(format.Reader[*format.Federation]{Name: s.name, Read: s.federation}); err != nil {
				return err
			}
		}
	}
	return nil
}

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

// role returns the role of a text.
func (s *syntax) role(text []byte) dot.Role {
	if s.only != dot.Unknown {
		return s.only
	}
	n := s.scan("", text, format.Options{})
	if n.graph(); n.zoo {
		return dot.Federation
	}
	return n.role()
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

// text returns a value of JSON as text; "" for lists and objects.
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
