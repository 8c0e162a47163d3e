package topology

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/show"
	"berth/engine/stats"
)

// maxReported is the maximum number of errors that are reported for one file.
const maxReported = 100

// kmPerMillisecond is the approximate speed of light in optical fiber, two thirds of the speed in
// vacuum.
const kmPerMillisecond = 200

// earthRadius is the mean radius of the earth in km.
const earthRadius = 6371.0088

// network collects the nodes and edges of a file while it is read, with the diagnostics.
type network struct {
	dot.Graph
	budget *budget.Budget
	file   string
	text   string
	labels bool // the Internet Topology Zoo publishes its networks in this syntax
	zoo    bool // the file is from the Zoo: labels serve as names of nodes, and traffic takes shortest paths
	open   bool // edges may refer to nodes that the file does not list
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
	line, column := diag.NewPlaces(n.text).Of(at)
	n.found = append(n.found, diag.Diagnostic{File: n.file, Line: line, Column: column, Severity: severity, Code: code, Args: args})
}

// node adds a node at an offset of the file.
func (n *network) node(id, label string, at int, attributes map[string]string) {
	n.Nodes = append(n.Nodes, dot.Element{IDs: [2]string{id}, Label: label, At: at, Attributes: attributes})
}

// edge adds an edge at an offset of the file.
func (n *network) edge(from, to string, at int, attributes map[string]string) {
	n.Edges = append(n.Edges, dot.Element{IDs: [2]string{from, to}, At: at, Attributes: attributes})
}

// graph resolves the names of the nodes, estimates missing figures, and returns the graph; nil
// after an error.
func (n *network) graph() *dot.Graph {
	if len(n.Nodes) == 0 && len(n.Edges) == 0 && n.errors == 0 {
		n.add(diag.Error, 0, noNodes)
	}
	located := slices.ContainsFunc(n.Nodes, func(p dot.Element) bool { _, _, ok := coordinates(&p); return ok })
	n.zoo, n.Skipped = n.labels && (located || n.Role() == dot.Unknown), zooAttributes
	ids, at := n.ids(), map[string]*dot.Element{}
	for i := range n.Nodes {
		at[n.Nodes[i].IDs[0]] = &n.Nodes[i]
	}
	if n.zoo {
		n.unlocated(ids)
	}
	n.links(ids, at)
	for i := range n.Nodes {
		p := &n.Nodes[i]
		p.IDs[0], p.Label = ids[p.IDs[0]], cmp.Or(p.Label, p.Attributes["label"])
		if n.zoo {
			p.Label = ""
		}
	}
	if more := n.errors - maxReported; more > 0 {
		n.found = append(n.found, *diag.New(n.file, 0, 0, diag.More, show.Count(more, "more error")))
	}
	if n.errors > 0 {
		return nil
	}
	return &n.Graph
}

// zooAttributes are attributes of the Internet Topology Zoo that dot must skip: they have no
// figures, or graph converts their figures itself.
var zooAttributes = strings.Fields("label id Latitude Longitude LinkSpeedRaw LinkSpeed LinkSpeedUnits LinkLabel LinkType LinkNote Country Internal hyperedge type geocode_country geocode_id name key source target")

// ids returns the names of the nodes by their ids in the file. In a network of the Zoo, a unique
// label becomes the name.
func (n *network) ids() map[string]string {
	count, ids, taken := map[string]int{}, map[string]string{}, map[string]bool{}
	for i := range n.Nodes {
		count[n.Nodes[i].Attributes["label"]]++
	}
	for i := range n.Nodes {
		p := &n.Nodes[i]
		label, own := p.Attributes["label"], p.IDs[0]
		id := own
		if _, twice := ids[own]; twice {
			n.add(diag.Error, p.At, nodeTwice, show.Quote(own))
			continue
		}
		if n.zoo {
			if id = label; label == "" || label == "None" || count[label] > 1 {
				id = strings.TrimSpace(label + " " + own)
			}
			if taken[id] {
				id = own + " " + id
			}
		}
		ids[own], taken[id] = id, true
	}
	return ids
}

// unlocated warns about nodes without coordinates.
func (n *network) unlocated(ids map[string]string) {
	var all []string
	for i := range n.Nodes {
		if _, _, ok := coordinates(&n.Nodes[i]); !ok {
			all = append(all, show.Text(ids[n.Nodes[i].IDs[0]]))
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

// links resolves the ends of the edges and estimates missing latencies. In a network of the Zoo it
// merges parallel edges into one with the largest bandwidth; their latencies are equal.
func (n *network) links(ids map[string]string, at map[string]*dot.Element) {
	estimated, parallel := 0, 0
	of := map[[2]string]int{}
	all := n.Edges
	n.Edges = all[:0]
	for _, e := range all {
		a, b := e.IDs[0], e.IDs[1]
		from, fromKnown := ids[a]
		to, toKnown := ids[b]
		if n.open {
			from, to = cmp.Or(from, a), cmp.Or(to, b)
		} else if !fromKnown || !toKnown {
			n.add(diag.Error, e.At, unknownEnd, show.Quote(a), show.Quote(b))
			continue
		}
		e.IDs = [2]string{from, to}
		_, wide := e.Attributes["bandwidth"]
		if speed, ok := show.ParseNumber(e.Attributes["LinkSpeedRaw"]); ok && !wide && speed > 0 && speed <= graph.MaxFigure {
			e.Attributes["bandwidth"] = number(speed / 1e6)
		}
		if n.zoo {
			if from == to {
				continue
			}
			pair := [2]string{min(from, to), max(from, to)}
			if k, known := of[pair]; known {
				parallel++
				if first := n.Edges[k].Attributes; value(e.Attributes["bandwidth"]) > value(first["bandwidth"]) {
					first["bandwidth"] = e.Attributes["bandwidth"]
				}
				continue
			}
			of[pair] = len(n.Edges)
		}
		if _, given := e.Attributes["latency"]; !given {
			if ms, ok := between(at[a], at[b]); ok {
				e.Attributes["latency"] = number(ms)
				estimated++
			}
		}
		n.Edges = append(n.Edges, e)
	}
	if estimated > 0 {
		n.add(diag.Note, 0, estimatedLatency, show.Noun(estimated, "latency"),
			show.Count(estimated, "link"), show.Verb(estimated, "is", "are"), kmPerMillisecond)
	}
	if parallel > 0 {
		n.add(diag.Note, 0, parallelLines, show.Count(parallel, "parallel line"))
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// coordinates returns the coordinates of a node in degrees; ok is false if they are missing or
// invalid.
func coordinates(p *dot.Element) (latitude, longitude float64, ok bool) {
	latitude, north := show.ParseNumber(p.Attributes["Latitude"])
	longitude, east := show.ParseNumber(p.Attributes["Longitude"])
	return latitude, longitude, north && east && math.Abs(latitude) <= 90 && math.Abs(longitude) <= 360
}

// between estimates the latency in ms of a link between two nodes, rounded to 0.001. It returns
// false without coordinates.
func between(a, b *dot.Element) (float64, bool) {
	if a == nil || b == nil {
		return 0, false
	}
	p, q, ok := coordinates(a)
	r, s, too := coordinates(b)
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
