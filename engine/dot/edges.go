package dot

import (
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/graph"
)

// edgeStatement adds the edges of a chain: from each node of an operand to each node of the next
// operand.
func (b *builder) edgeStatement(chain []operand, attributes []attribute, s *scope) {
	first, key := true, keyOf(attributes)
	for i := range chain[1:] {
		from, at := b.nodesOf(chain[i])
		to, _ := b.nodesOf(chain[i+1])
		if b.take(budget.Edges, len(from)*len(to), at); b.stopped {
			return
		}
		for _, x := range from {
			for _, y := range to {
				if first {
					b.read(&b.said, b.edgeElement([2]int32{x, y}), attributes)
					first = false
				}
				b.join(pair{[2]int32{x, y}, key}, at, s)
			}
		}
	}
}

// nodesOf returns the nodes and the position of an operand.
func (b *builder) nodesOf(o operand) (nodes []int32, at int32) {
	if o.group == nil {
		return o.nodes, o.at
	}
	if nodes = o.group.members; len(nodes) > 0 {
		return nodes, b.declared[nodes[0]].at
	}
	return nil, o.at
}

// pair identifies an edge that DOT merges with others of the same ends and key.
type pair struct {
	ends [2]int32
	key  string
}

// keyOf returns the key attribute of a statement's edges, "" if there is none. In a graph that is
// not strict, edges with equal ends and equal keys are one edge.
func keyOf(attributes []attribute) string {
	key := ""
	for _, a := range attributes {
		if a.key == "key" {
			key = "=" + a.value
		}
	}
	return key
}

// join adds one edge of a statement.
func (b *builder) join(p pair, at int32, s *scope) {
	ends := p.ends
	e := b.edgeElement(ends)
	if ends[0] == ends[1] {
		verb := "has a link to"
		if b.edge == graph.Dependency {
			verb = "depends on"
		}
		b.add(diag.Warning, int(at), e, "", toItself, b.nodeElement(ends[0]), verb)
		return
	}
	if b.strict {
		p.key = ""
	}
	if b.strict || p.key != "" {
		b.joinStrict(p, at, s)
		return
	}
	r, defaults := &b.said, b.inherited(s, b.edge)
	if len(defaults.figures) > 0 || defaults.named {
		r = &b.full
		r.inherit(defaults)
		b.overlay(r, e, &b.said)
	}
	b.addEdge(r, ends, at)
}

func (b *builder) joinStrict(p pair, at int32, s *scope) {
	ends := p.ends
	p.ends = [2]int32{min(ends[0], ends[1]), max(ends[0], ends[1])}
	k, ok := b.pairs[p]
	if !ok {
		k = int32(len(b.edges))
		p.key = strings.Clone(p.key)
		b.pairs[p] = k
		one := strictEdge{at: at, ends: ends}
		one.inherit(b.inherited(s, b.edge))
		b.edges = append(b.edges, one)
	}
	b.overlay(&b.edges[k].record, b.edgeElement(b.edges[k].ends), &b.said)
}

// addEdge adds an edge with all its attributes to the graph.
func (b *builder) addEdge(r *record, ends [2]int32, at int32) {
	e := b.edgeElement(ends)
	if len(r.figures) == 0 && !r.wrong && !b.foreign {
		b.add(diag.Error, int(at), e, "", noLabel, e, suggestion(b.edge))
		return
	}
	b.labels, b.arena = b.complete(r, e, b.labels[:0], b.arena[:0])
	k, merged := b.net.addEdge(int(ends[0]), int(ends[1]), b.labels...)
	if merged {
		if b.merged == 0 {
			b.mergedAt = at
		}
		b.merged++
	} else if r.drawn.Given {
		b.net.edges.SetDrawn(k, ownDrawn(r.drawn))
	}
}
