package topology

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/format"
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
	id         string
	at         int // offset in the file, in bytes
	attributes map[string]string
}

// edge is an edge of a file.
type edge struct {
	from, to   string
	at         int // offset in the file, in bytes
	attributes map[string]string
}

// network is the content of a file in either format.
type network struct {
	budget *budget.Budget
	file   string
	text   string
	name   string
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

// federation turns places into clusters and lines into links. Parallel lines become one link with
// the widest bandwidth; their latencies are equal.
func (n *network) federation() *format.Federation {
	if len(n.places) == 0 && n.errors == 0 {
		n.add(diag.Error, 0, noNodes)
	}
	f := graph.NewFederation()
	f.DOTName = n.name
	ids := n.clusters(f)
	var unlocated []string
	for i := range n.places {
		if _, _, ok := n.places[i].located(); !ok {
			unlocated = append(unlocated, show.Text(f.Clusters().ID(ids[n.places[i].id])))
		}
	}
	if len(unlocated) > 0 {
		more := ""
		if len(unlocated) > 10 {
			more = fmt.Sprintf(" and %d more", len(unlocated)-10)
			unlocated = unlocated[:10]
		}
		n.add(diag.Warning, 0, unlocatedNodes, strings.Join(unlocated, ", "), more)
	}
	estimated, parallel := n.links(f, ids)
	if estimated > 0 {
		n.add(diag.Note, 0, estimatedLatency, show.Noun(estimated, "latency"),
			show.Count(estimated, "link"), show.Verb(estimated, "is", "are"), kmPerMillisecond)
	}
	if parallel > 0 {
		n.add(diag.Note, 0, parallelLines, show.Count(parallel, "parallel line"))
	}
	if more := n.errors - maxReported; more > 0 {
		n.found = append(n.found, *diag.New(n.file, 0, 0, diag.More, show.Count(more, "more error")))
	}
	if n.errors > 0 {
		return nil
	}
	return &format.Federation{Federation: f, Routed: true}
}

// clusters adds the places as clusters. A cluster is named by its label if the label is unique.
func (n *network) clusters(f *graph.Federation) map[string]int {
	count := map[string]int{}
	for i := range n.places {
		count[n.places[i].attributes["label"]]++
	}
	ids := map[string]int{}
	for i := range n.places {
		p := &n.places[i]
		label := p.attributes["label"]
		if _, twice := ids[p.id]; twice {
			n.add(diag.Error, p.at, nodeTwice, show.Quote(p.id))
			continue
		}
		id := label
		if label == "" || label == "None" || count[label] > 1 {
			id = strings.TrimSpace(label + " " + p.id)
		}
		if _, taken := f.Cluster(id); taken {
			id = p.id + " " + id
		}
		ids[p.id] = f.AddCluster(id)
	}
	return ids
}

// located returns the coordinates of a place in degrees; ok is false without valid ones.
func (p *site) located() (latitude, longitude float64, ok bool) {
	latitude, north := show.ParseNumber(p.attributes["Latitude"])
	longitude, east := show.ParseNumber(p.attributes["Longitude"])
	return latitude, longitude, north && east && math.Abs(latitude) <= 90 && math.Abs(longitude) <= 360
}

func (n *network) links(f *graph.Federation, ids map[string]int) (estimated, parallel int) {
	at := map[int]*site{}
	for i := range n.places {
		at[ids[n.places[i].id]] = &n.places[i]
	}
	latency, bandwidth := graph.Lookup(graph.Link, "latency"), graph.Lookup(graph.Link, "bandwidth")
	for _, l := range n.lines {
		a, fromKnown := ids[l.from]
		b, toKnown := ids[l.to]
		if !fromKnown || !toKnown {
			n.add(diag.Error, l.at, unknownEnd, show.Quote(l.from), show.Quote(l.to))
			continue
		}
		if a == b {
			continue
		}
		link, known := f.Link(a, b)
		if known {
			parallel++
		} else {
			link, _ = f.AddLink(a, b)
			if ms, ok := between(at[a], at[b]); ok {
				f.Links().SetLabel(latency, link, []float64{ms, 0})
				estimated++
			}
		}
		if speed, ok := show.ParseNumber(l.attributes["LinkSpeedRaw"]); ok && speed > 0 && speed <= graph.MaxFigure {
			values := f.Links().Values(bandwidth, link)
			if values == nil {
				values = []float64{0, 0}
			}
			values[0] = max(values[0], speed/1e6)
			f.Links().SetLabel(bandwidth, link, values)
		}
	}
	return estimated, parallel
}

// between returns the latency of a line between two places, in ms, rounded to 0.001.
func between(a, b *site) (float64, bool) {
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
