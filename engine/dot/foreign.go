package dot

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/graph"
)

// Graph is a graph from a syntax other than DOT. Like a directed graph that is read as undirected,
// it is foreign: attributes may have any spelling of the plain names (cpuCost is cpu_cost), and
// figures may be missing. Nodes and edges then need no labels, a missing limit equals the request,
// links cost nothing, and other missing prices are unknown.
type Graph struct {
	Name         string
	Nodes, Edges []Element
	// Skipped lists attributes that only matter in the other syntax.
	Skipped []string
}

// Element is a node, or an edge between two nodes.
type Element struct {
	IDs        [2]string // the second is "" for a node
	Label      string
	At         int // byte offset in the file
	Attributes map[string]string
}

// spellings maps common names of figures to plain attributes.
var spellings = map[string]string{
	"price": "cpu_cost", "cost": "cpu_cost", "mem": "memory", "ram": "memory", "mem_cost": "memory_cost", "disk": "storage",
	"rtt": "latency", "rtt_ms": "latency", "latency_ms": "latency", "delay": "latency", "delay_ms": "latency", "ping": "latency",
	"bw": "bandwidth", "bandwidth_mbps": "bandwidth", "cpu_request": "request", "cpu_limit": "limit", "mem_request": "memory_request",
	"mem_limit": "memory_limit",
}

// plainName converts a name in any spelling to a plain attribute.
func plainName(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch upper := 'A' <= r && r <= 'Z'; {
		case r == ' ' || r == '-':
			b.WriteByte('_')
		case upper && i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z':
			b.WriteByte('_')
			b.WriteRune(r + 'a' - 'A')
		case upper:
			b.WriteRune(r + 'a' - 'A')
		default:
			b.WriteRune(r)
		}
	}
	if usual := spellings[b.String()]; usual != "" {
		return usual
	}
	return b.String()
}

// Deployment builds a deployment from the graph, which was read from src. It reports errors as
// [ReadDeployments] does.
func (g *Graph) Deployment(file string, src []byte, o Options) (*graph.Deployment, diag.List) {
	d := graph.NewDeployment()
	found := g.build(file, src, o, &builder{node: graph.Job, edge: graph.Dependency}, network{nodes: d.Jobs(), edges: d.Dependencies(), addNode: d.AddJob, addEdge: d.AddDependency})
	if len(found.Errors()) > 0 {
		return nil, found
	}
	d.DOTName = g.Name
	return d, found
}

// Federation builds a federation, as [Graph.Deployment] builds a deployment.
func (g *Graph) Federation(file string, src []byte, o Options) (*graph.Federation, diag.List) {
	f := graph.NewFederation()
	found := g.build(file, src, o, &builder{node: graph.Cluster, edge: graph.Link}, network{nodes: f.Clusters(), edges: f.Links(), addNode: f.AddCluster, addEdge: f.AddLink})
	if len(found.Errors()) > 0 {
		return nil, found
	}
	f.DOTName = g.Name
	return f, found
}

// Role determines the role of the graph from its attributes.
func (g *Graph) Role() Role {
	v, votes := newVocabulary(), [len(elementKinds)]int{}
	measured := regexp.MustCompile(`(?i)^(rtt|ping)`)
	for _, all := range [][]Element{g.Nodes, g.Edges} {
		for _, e := range all {
			for name := range e.Attributes {
				if measured.MatchString(name) {
					votes[graph.Link]++
				}
				for _, on := range elementKinds {
					if v[on][plainName(name)].label != nil {
						votes[on]++
					}
				}
			}
		}
	}
	return elected(votes[graph.Job]+votes[graph.Dependency], votes[graph.Cluster]+votes[graph.Link])
}

func (g *Graph) build(file string, src []byte, o Options, b *builder, to network) diag.List {
	p := &problems{file: file, src: string(src), strict: o.Strict}
	to.finish = func(*builder) {}
	b.attributeReader = attributeReader{problems: p, vocabulary: newVocabulary(), verdicts: map[stranger]verdict{}, foreign: true, keeps: map[string]bool{"label": true}}
	b.scan, b.budget, b.given = &scanner{problems: p}, o.Budget.Or(), o.Given
	b.create = func(string, int) network { return to }
	b.begin(false, g.Name, 0)
	for i := range g.Nodes {
		e := &g.Nodes[i]
		b.nodeStatement(operand{nodes: []int32{b.mention(e.IDs[0], int32(e.At), b.root)}}, g.attributes(b, e))
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		ends := make([]operand, 2)
		for k, id := range e.IDs {
			ends[k] = operand{nodes: []int32{b.mention(id, int32(e.At), b.root)}, at: int32(e.At)}
		}
		if b.stopped {
			break
		}
		b.edgeStatement(ends, g.attributes(b, e), b.root)
	}
	b.finish(len(src), true)
	return p.diagnostics()
}

func (g *Graph) attributes(b *builder, e *Element) []attribute {
	var all []attribute
	at := int32(e.At)
	if e.Label != "" && e.Label != e.IDs[0] {
		all = append(all, attribute{key: "label", value: e.Label, keyAt: at, valueAt: at})
	}
	for _, name := range slices.Sorted(maps.Keys(e.Attributes)) {
		if !slices.Contains(g.Skipped, name) {
			all = append(all, attribute{key: name, value: e.Attributes[name], keyAt: at, valueAt: at})
		}
	}
	b.take(budget.Originals, len(e.Attributes), at)
	return all
}

// plainly gives the attributes of a foreign graph their plain names. It drops attributes that are
// neither figures nor used by rules or Graphviz, and stores them for
// [attributeReader.reportStrangers].
func (p *attributeReader) plainly(on graph.ElementKind, given []attribute) []attribute {
	direct := map[labelField]bool{}
	for _, a := range given {
		direct[p.field(on, plainName(a.key))] = true
	}
	var all []attribute
	for _, a := range given {
		if p.keeps[a.key] {
			all = append(all, a)
			continue
		}
		was := a.key
		a.key = plainName(was)
		if f := p.field(on, a.key+"_request"); on == graph.Job && f.label != nil && !direct[f] {
			a.key += "_request" // cpu of a job is its request
		}
		switch {
		case p.field(on, a.key).label != nil || slices.Contains(attributes[on], a.key):
			all = append(all, a)
		case !slices.Contains(p.strangers, was) && len(p.strangers) < maxReported:
			p.strangers = append(p.strangers, strings.Clone(was))
		}
	}
	return all
}

// reportStrangers reports the dropped attributes of a foreign graph in one note.
func (p *attributeReader) reportStrangers() {
	if len(p.strangers) > 0 {
		p.add(diag.Note, 0, nil, "", notUsed, strings.Join(p.strangers, ", "))
		p.strangers = nil
	}
}
