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

// Graph is a graph in another syntax than DOT, which is foreign like a directed graph that is read as
// undirected. Its attributes have the names of plain attributes,
// in any spelling: cpuCost is cpu_cost. Figures that it leaves out are unknown: nodes need none, an
// edge without any bounds nothing, a limit is the request, and a link costs nothing.
type Graph struct {
	Name         string
	Nodes, Edges []Element
	// Skipped are attributes without a meaning that the syntax itself has.
	Skipped []string
}

// Element is a node, or an edge from one node to another one.
type Element struct {
	IDs        [2]string
	Label      string
	At         int // offset in the file, in bytes
	Attributes map[string]string
}

// spellings are usual names of figures.
var spellings = map[string]string{
	"price": "cpu_cost", "cost": "cpu_cost", "mem": "memory", "ram": "memory", "mem_cost": "memory_cost", "disk": "storage",
	"rtt": "latency", "rtt_ms": "latency", "latency_ms": "latency", "delay": "latency", "delay_ms": "latency", "ping": "latency",
	"bw": "bandwidth", "bandwidth_mbps": "bandwidth", "cpu_request": "request", "cpu_limit": "limit", "mem_request": "memory_request",
	"mem_limit": "memory_limit",
}

// plainName returns the plain attribute of a name in any spelling.
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

// Deployment builds the deployment of a file with this graph. Its errors are those of
// [ReadDeployments].
func (g *Graph) Deployment(file string, src []byte, o Options) (*graph.Deployment, diag.List) {
	d := graph.NewDeployment()
	found := g.build(file, src, o, &builder{node: graph.Job, edge: graph.Dependency}, network{nodes: d.Jobs(), edges: d.Dependencies(), addNode: d.AddJob, addEdge: d.AddDependency})
	if len(found.Errors()) > 0 {
		return nil, found
	}
	d.DOTName = g.Name
	return d, found
}

// Federation is [Graph.Deployment] for a federation.
func (g *Graph) Federation(file string, src []byte, o Options) (*graph.Federation, diag.List) {
	f := graph.NewFederation()
	found := g.build(file, src, o, &builder{node: graph.Cluster, edge: graph.Link}, network{nodes: f.Clusters(), edges: f.Links(), addNode: f.AddCluster, addEdge: f.AddLink})
	if len(found.Errors()) > 0 {
		return nil, found
	}
	f.DOTName = g.Name
	return f, found
}

// Role returns the role of the graph by its attributes.
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
	switch deployment, federation := votes[graph.Job]+votes[graph.Dependency], votes[graph.Cluster]+votes[graph.Link]; {
	case deployment > federation:
		return Deployment
	case federation > deployment:
		return Federation
	}
	return Unknown
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

// attributes returns the attributes of an element for the builder.
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

// plainly gives attributes of a foreign graph their plain names. What neither figures, rules nor
// Graphviz use is left out, and remembered for one note.
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
			a.key += "_request" // cpu of a job is what it asks for
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

// reportStrangers notes the attributes of a foreign graph that are not used.
func (p *attributeReader) reportStrangers() {
	if len(p.strangers) > 0 {
		p.add(diag.Note, 0, nil, "", notUsed, strings.Join(p.strangers, ", "))
		p.strangers = nil
	}
}
