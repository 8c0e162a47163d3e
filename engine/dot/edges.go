package dot

import (
	"strings"

	"gonum.org/v1/gonum/graph/formats/dot/ast"

	"berth/engine/diag"
	"berth/engine/graph"
)

// edgeStatement adds the edges of a chain: from each node of an operand to each
// node of the next.
func (b *builder) edgeStatement(stmt *ast.EdgeStmt, s *scope) {
	first, last := true, stmt.From
	for to := stmt.To; to != nil; to = to.To {
		last = to.Vertex
	}
	tails, at := b.operand(stmt.From, s)
	for to := stmt.To; to != nil && !b.stopped; to = to.To {
		heads, next := b.operand(to.Vertex, s)
		if b.edgeSum += len(tails) * len(heads); b.edgeSum > b.limits.Edges {
			b.stop(int(at), "more than %d edges, which is the limit", b.limits.Edges)
		}
		if b.stopped {
			return
		}
		for _, x := range tails {
			for _, y := range heads {
				if first {
					b.read(&b.said, b.edgeElement([2]int32{x, y}), b.lists(stmt.Attrs, last))
					first = false
				}
				b.join([2]int32{x, y}, at, s)
			}
		}
		tails, at = heads, next
	}
}

// operand returns the nodes that one end of an edge stands for, and its place:
// that of the first name in it.
func (b *builder) operand(v ast.Vertex, s *scope) ([]int32, int32) {
	switch v := v.(type) {
	case *ast.Node:
		_, t := b.text(v.ID)
		return []int32{b.mention(v, s, true)}, t.start
	case *ast.Subgraph:
		nodes := b.subgraph(v, s)
		if len(nodes) == 0 {
			return nil, 0
		}
		return nodes, b.declared[nodes[0]].at
	}
	return nil, 0
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
