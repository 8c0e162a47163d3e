package topology

import (
	"encoding/xml"
	"strings"

	"berth/engine/budget"
)

// gexfFile is a file in GEXF, as far as it matters.
type gexfFile struct {
	Graph struct {
		Attributes []struct {
			Class string `xml:"class,attr"`
			All   []struct {
				ID    string `xml:"id,attr"`
				Title string `xml:"title,attr"`
			} `xml:"attribute"`
		} `xml:"attributes"`
		Nodes []gexfElement `xml:"nodes>node"`
		Edges []gexfElement `xml:"edges>edge"`
	} `xml:"graph"`
}

type gexfElement struct {
	ID     string `xml:"id,attr"`
	Label  string `xml:"label,attr"`
	Source string `xml:"source,attr"`
	Target string `xml:"target,attr"`
	Weight string `xml:"weight,attr"`
	Values []struct {
		For   string `xml:"for,attr"`
		Value string `xml:"value,attr"`
	} `xml:"attvalues>attvalue"`
}

// readGEXF reads a graph in GEXF of Gephi.
func readGEXF(n *network) {
	var d gexfFile
	if !n.take(budget.Originals, strings.Count(n.text, "<")+strings.Count(n.text, "="), 0) {
		return
	}
	if err := xml.Unmarshal([]byte(n.text), &d); err != nil {
		n.wrong(err)
		return
	}
	titles := map[string]string{} // by class and id
	for _, list := range d.Graph.Attributes {
		for _, a := range list.All {
			titles[list.Class+" "+a.ID] = a.Title
		}
	}
	attributes := func(class string, e *gexfElement) map[string]string {
		all := map[string]string{}
		if e.Weight != "" {
			all["weight"] = e.Weight
		}
		for _, v := range e.Values {
			all[titles[class+" "+v.For]] = v.Value
		}
		return all
	}
	for i := range d.Graph.Nodes {
		e := &d.Graph.Nodes[i]
		n.places = append(n.places, site{id: e.ID, label: e.Label, attributes: attributes("node", e)})
	}
	for i := range d.Graph.Edges {
		e := &d.Graph.Edges[i]
		n.lines = append(n.lines, edge{from: e.Source, to: e.Target, attributes: attributes("edge", e)})
	}
}
