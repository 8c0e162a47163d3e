package topology

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/show"
	"berth/engine/stats"
)

// maxReported limits the errors that are reported.
const maxReported = 100

// kmPerMillisecond is the speed of light in glass.
const kmPerMillisecond = 200

// earthRadius is the mean radius of the earth in km.
const earthRadius = 6371.0088

// site is a node of a file, with its attributes.
type site struct {
	id, label  string
	at         int // offset in the file, in bytes
	attributes map[string]string
}

// edge is an edge of a file.
type edge struct {
	from, to   string
	at         int // offset in the file, in bytes
	attributes map[string]string
}

// network is the content of a file.
type network struct {
	budget *budget.Budget
	file   string
	text   string
	name   string
	labels bool // the syntax of the Internet Topology Zoo
	zoo    bool // of the Zoo: the labels of nodes name them, and traffic uses paths
	open   bool // an edge adds the nodes that it names
	places []site
	lines  []edge
	found  diag.List
	errors int // all errors, including unreported ones
}

// take takes an amount from the budget. If the budget is exceeded it adds an error and returns
// false.
func (n *network) take(k budget.Quantity, count, at int) bool {
	err := n.budget.Take(k, count)
	if err != nil {
		n.add(diag.Error, at, diag.Invalid, err)
	}
	return err == nil
}

// add adds a diagnostic at an offset of the file.
func (n *network) add(severity diag.Severity, at int, code *diag.Code, args ...any) {
	if severity == diag.Error {
		n.errors++
		if n.errors > maxReported {
			return
		}
	}
	before := n.text[:at]
	line, start := 1+strings.Count(before, "\n"), 1+strings.LastIndexByte(before, '\n')
	n.found = append(n.found, diag.Diagnostic{File: n.file, Line: line, Column: 1 + utf8.RuneCountInString(before[start:]), Severity: severity, Code: code, Args: args})
}

// graph returns the network as a graph with plain attributes; nil after an error.
func (n *network) graph() *dot.Graph {
	if len(n.places) == 0 && len(n.lines) == 0 && n.errors == 0 {
		n.add(diag.Error, 0, noNodes)
	}
	located := slices.ContainsFunc(n.places, func(p site) bool { _, _, ok := p.located(); return ok })
	n.zoo = n.labels && (located || n.role() == dot.Unknown)
	g := &dot.Graph{Name: n.name, Skipped: zooAttributes}
	ids, at := n.ids(), map[string]*site{}
	for i := range n.places {
		p := &n.places[i]
		at[p.id] = p
		e := dot.Element{IDs: [2]string{ids[p.id]}, At: p.at, Attributes: properties(p.attributes)}
		if !n.zoo {
			e.Label = cmp.Or(p.label, p.attributes["label"])
		}
		g.Nodes = append(g.Nodes, e)
	}
	if n.zoo {
		n.unlocated(ids)
	}
	n.edges(g, ids, at)
	if more := n.errors - maxReported; more > 0 {
		n.found = append(n.found, *diag.New(n.file, 0, 0, diag.More, show.Count(more, "more error")))
	}
	if n.errors > 0 {
		return nil
	}
	return g
}

// role returns the role of the network by its attributes.
func (n *network) role() dot.Role {
	var g dot.Graph
	for i := range n.places {
		g.Nodes = append(g.Nodes, dot.Element{Attributes: properties(n.places[i].attributes)})
	}
	for i := range n.lines {
		g.Edges = append(g.Edges, dot.Element{Attributes: properties(n.lines[i].attributes)})
	}
	return g.Role()
}

// zooAttributes are attributes of the Internet Topology Zoo that have no figure, or one that is
// converted.
var zooAttributes = strings.Fields("label id Latitude Longitude LinkSpeedRaw LinkSpeed LinkSpeedUnits LinkLabel LinkType LinkNote Country Internal hyperedge type geocode_country geocode_id name key source target")

// properties returns attributes in the order of their names.
func properties(all map[string]string) []dot.Property {
	list := make([]dot.Property, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, dot.Property{Name: name, Value: all[name]})
	}
	return list
}

// ids returns the names of the nodes. In a network of the Zoo that is the label if it is unique.
func (n *network) ids() map[string]string {
	count, ids, taken := map[string]int{}, map[string]string{}, map[string]bool{}
	for i := range n.places {
		count[n.places[i].attributes["label"]]++
	}
	for i := range n.places {
		p := &n.places[i]
		label, id := p.attributes["label"], p.id
		if _, twice := ids[p.id]; twice {
			n.add(diag.Error, p.at, nodeTwice, show.Quote(p.id))
			continue
		}
		if n.zoo {
			if id = label; label == "" || label == "None" || count[label] > 1 {
				id = strings.TrimSpace(label + " " + p.id)
			}
			if taken[id] {
				id = p.id + " " + id
			}
		}
		ids[p.id], taken[id] = id, true
	}
	return ids
}

// unlocated warns about nodes without coordinates.
func (n *network) unlocated(ids map[string]string) {
	var all []string
	for i := range n.places {
		if _, _, ok := n.places[i].located(); !ok {
			all = append(all, show.Text(ids[n.places[i].id]))
		}
	}
	if len(all) == 0 {
		return
	}
	more := ""
	if len(all) > 10 {
		more = fmt.Sprintf(" and %d more", len(all)-10)
		all = all[:10]
	}
	n.add(diag.Warning, 0, unlocatedNodes, strings.Join(all, ", "), more)
}

// edges adds the lines to a graph. Parallel lines of a network of the Zoo become one with the
// widest bandwidth; their latencies are equal.
func (n *network) edges(g *dot.Graph, ids map[string]string, at map[string]*site) {
	estimated, parallel := 0, 0
	of := map[[2]string]int{}
	for _, l := range n.lines {
		from, fromKnown := ids[l.from]
		to, toKnown := ids[l.to]
		if n.open {
			from, to = cmp.Or(from, l.from), cmp.Or(to, l.to)
		} else if !fromKnown || !toKnown {
			n.add(diag.Error, l.at, unknownEnd, show.Quote(l.from), show.Quote(l.to))
			continue
		}
		e := dot.Element{IDs: [2]string{from, to}, At: l.at, Attributes: properties(l.attributes)}
		if speed, ok := show.ParseNumber(l.attributes["LinkSpeedRaw"]); ok && speed > 0 && speed <= graph.MaxFigure {
			e.Attributes = append(e.Attributes, dot.Property{Name: "bandwidth", Value: number(speed / 1e6)})
		}
		if n.zoo {
			if from == to {
				continue
			}
			pair := [2]string{min(from, to), max(from, to)}
			if k, known := of[pair]; known {
				parallel++
				widen(&g.Edges[k], &e)
				continue
			}
			of[pair] = len(g.Edges)
		}
		if _, given := l.attributes["latency"]; !given {
			if ms, ok := between(at[l.from], at[l.to]); ok {
				e.Attributes = append(e.Attributes, dot.Property{Name: "latency", Value: number(ms)})
				estimated++
			}
		}
		g.Edges = append(g.Edges, e)
	}
	if estimated > 0 {
		n.add(diag.Note, 0, estimatedLatency, show.Noun(estimated, "latency"),
			show.Count(estimated, "link"), show.Verb(estimated, "is", "are"), kmPerMillisecond)
	}
	if parallel > 0 {
		n.add(diag.Note, 0, parallelLines, show.Count(parallel, "parallel line"))
	}
}

// widen gives an edge the bandwidth of a parallel one if that is wider.
func widen(e, more *dot.Element) {
	bandwidth := func(p dot.Property) bool { return p.Name == "bandwidth" }
	k := slices.IndexFunc(more.Attributes, bandwidth)
	if k < 0 {
		return
	}
	if i := slices.IndexFunc(e.Attributes, bandwidth); i < 0 {
		e.Attributes = append(e.Attributes, more.Attributes[k])
	} else if value(more.Attributes[k].Value) > value(e.Attributes[i].Value) {
		e.Attributes[i] = more.Attributes[k]
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// located returns the coordinates of a place in degrees; ok is false without valid ones.
func (p *site) located() (latitude, longitude float64, ok bool) {
	latitude, north := show.ParseNumber(p.attributes["Latitude"])
	longitude, east := show.ParseNumber(p.attributes["Longitude"])
	return latitude, longitude, north && east && math.Abs(latitude) <= 90 && math.Abs(longitude) <= 360
}

// between returns the latency of a line between two places, in ms, rounded to 0.001.
func between(a, b *site) (float64, bool) {
	if a == nil || b == nil {
		return 0, false
	}
	p, q, ok := a.located()
	r, s, too := b.located()
	if !ok || !too {
		return 0, false
	}
	return math.Round(greatCircle(p, q, r, s)/kmPerMillisecond*1000) / 1000, true
}

// greatCircle returns the distance of two points on the earth in km (haversine).
func greatCircle(latA, lonA, latB, lonB float64) float64 {
	const degree = math.Pi / 180
	north, east := stats.Sin((latB-latA)*degree/2), stats.Sin((lonB-lonA)*degree/2)
	h := float64(north*north) + float64(stats.Cos(latA*degree)*stats.Cos(latB*degree)*east*east)
	return 2 * earthRadius * stats.Asin(min(1, math.Sqrt(h)))
}

// value returns a number, or 0 for other text.
func value(text string) float64 { x, _ := show.ParseNumber(text); return x }
