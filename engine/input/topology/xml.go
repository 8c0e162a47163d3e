package topology

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/input/format/sniff"
	"berth/engine/show"
)

var (
	graphML = syntax{sniff.Format{Name: "graphml", Of: "GraphML", What: "a graph in GraphML", For: sniff.Placement, Do: inPlacement, Syntax: sniff.XML, Fit: sniff.Tag("<graphml", 100)}, readGraphML}
	gexf    = syntax{sniff.Format{Name: "gexf", Of: "Gephi", What: "a graph in GEXF", For: sniff.Placement, Do: inPlacement, Syntax: sniff.XML, Fit: sniff.Tag("<gexf", 100)}, readXML}
)

func readGraphML(n *network) {
	n.labels = true
	readXML(n)
}

// readXML reads a network in GraphML or in Gephi's GEXF.
func readXML(n *network) {
	r := elements{network: n, decoder: xml.NewDecoder(strings.NewReader(n.text)), keys: map[string]string{}}
	r.read()
}

// elements reads the XML elements one by one. It keeps the state of the enclosing elements.
type elements struct {
	*network
	decoder *xml.Decoder
	keys    map[string]string // name of the attribute by its id; in GEXF the id is prefixed with the class
	class   string            // GEXF class of the declared attributes, or of the enclosing element
	data    string            // name of the attribute whose value is being read; "" outside of a value
	text    strings.Builder   // value of that attribute, which may arrive in pieces
	of      map[string]string // attributes of the enclosing node, edge or graph
	graphs  int
	depth   int
}

func (r *elements) read() {
	for {
		t, err := r.decoder.Token()
		at := int(r.decoder.InputOffset())
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			r.add(diag.Error, at, notXML, show.Text(err.Error()))
			return
		}
		switch t := t.(type) {
		case xml.StartElement:
			r.depth++
			if err := r.budget.Deeper(r.depth, "elements"); err != nil {
				r.add(diag.Error, at, diag.Invalid, err)
				return
			}
			if !r.take(budget.Nodes, 1, at) || !r.take(budget.Originals, len(t.Attr), at) {
				return
			}
			r.begin(t, at)
		case xml.CharData:
			if r.data != "" && r.of != nil {
				r.text.Write(t)
			}
		case xml.EndElement:
			r.depth--
			if t.Name.Local == "data" && r.data != "" && r.of != nil {
				r.of[r.data] = r.text.String()
				r.data = ""
			}
		}
	}
}

func (r *elements) begin(e xml.StartElement, at int) {
	a := map[string]string{}
	for _, attribute := range e.Attr {
		a[attribute.Name.Local] = attribute.Value
	}
	switch e.Name.Local {
	case "key":
		r.keys[a["id"]] = a["attr.name"]
	case "attributes":
		r.class = a["class"]
	case "attribute":
		r.keys[r.class+" "+a["id"]] = a["title"]
	case "attvalue":
		if r.of != nil {
			r.of[r.keys[r.class+" "+a["for"]]] = a["value"]
		}
	case "graph":
		r.graphs++
		if r.graphs > 1 {
			r.add(diag.Error, at, diag.SecondGraph)
		}
		r.of = map[string]string{}
	case "node":
		r.class, r.of = "node", map[string]string{}
		r.node(a["id"], a["label"], at, r.of)
	case "edge":
		r.class, r.of = "edge", map[string]string{}
		if weight := a["weight"]; weight != "" {
			r.of["weight"] = weight
		}
		r.edge(a["source"], a["target"], at, r.of)
	case "data":
		r.data = r.keys[a["key"]]
		r.text.Reset()
	}
}
