package dot

import (
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/graph"
)

// edgeStatement adds the edges of a chain: from each node of an operand to each
// node of the next.
func (b *builder) edgeStatement(chain []operand, attributes []attribute, s *scope) {
	first := true
	for i, to := range chain[1:] {
		from := chain[i]
		if b.take(budget.Edges, len(from.nodes)*len(to.nodes), from.at); b.stopped {
			return
		}
		for _, x := range from.nodes {
			for _, y := range to.nodes {
				if first {
					b.read(&b.said, b.edgeElement([2]int32{x, y}), attributes)
					first = false
				}
				b.join([2]int32{x, y}, from.at, s)
			}
		}
	}
}

// join adds one edge with what the statement says.
func (b *builder) join(ends [2]int32, at int32, s *scope) {
	e := b.edgeElement(ends)
	if ends[0] == ends[1] {
		verb := "has a link to"
		if b.edge == graph.Dependency {
			verb = "depends on"
		}
		b.add(diag.Warning, int(at), e, "", "%s %s itself: ignored", b.nodeElement(ends[0]), verb)
		return
	}
	if b.strict {
		b.joinStrict(ends, at, s)
		return
	}
	r := &b.said
	if len(s.edge.figures) > 0 || s.edge.named {
		r = &b.full
		r.inherit(&s.edge)
		b.overlay(r, e, &b.said)
	}
	b.addEdge(r, ends, at)
}

func (b *builder) joinStrict(ends [2]int32, at int32, s *scope) {
	key := [2]int32{min(ends[0], ends[1]), max(ends[0], ends[1])}
	k, ok := b.pairs[key]
	if !ok {
		k = int32(len(b.edges))
		b.pairs[key] = k
		one := strictEdge{at: at, ends: ends}
		one.inherit(&s.edge)
		b.edges = append(b.edges, one)
	}
	b.overlay(&b.edges[k].record, b.edgeElement(b.edges[k].ends), &b.said)
}

// addEdge puts a finished edge into the graph.
func (b *builder) addEdge(r *record, ends [2]int32, at int32) {
	e := b.edgeElement(ends)
	if len(r.figures) == 0 && !r.wrong {
		b.add(diag.Error, int(at), e, "", "%s has no label: add %s", e, suggestion(b.edge))
		return
	}
	b.labels, b.arena = b.complete(r, e, b.labels[:0], b.arena[:0])
	k, merged := b.net.addEdge(int(ends[0]), int(ends[1]), b.labels...)
	if merged {
		if b.merged == 0 {
			b.mergedAt = at
		}
		b.merged++
	} else if r.name != "" {
		b.net.edges.SetName(k, strings.Clone(r.name))
	}
}
