package dot

import (
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/graph"
	"berth/engine/show"
)

// finish completes the graph that ends at an offset. If whole is true, no statement was skipped, so
// missing data is an error in the file.
func (b *builder) finish(at int, whole bool) {
	for _, e := range b.edges {
		b.addEdge(&e.record, e.ends, e.at)
	}
	for i := range b.declared {
		b.finishNode(int32(i), whole)
	}
	b.reportMerged()
	b.reportStrangers()
	if len(b.declared) == 0 && whole {
		b.errorAt(at, noElements, b.node, suggestion(b.node))
	}
	b.net.finish(b)
}

// reportMerged notes parallel edges at the position of the first one.
func (b *builder) reportMerged() {
	kept := "the tightest bounds of both count"
	if b.edge == graph.Link {
		kept = "the one with the lowest latency counts"
	}
	switch b.merged {
	case 0:
	case 1:
		b.add(diag.Note, int(b.mergedAt), nil, "", oneParallel, b.edge, b.node, kept)
	default:
		b.add(diag.Note, int(b.mergedAt), nil, "", severalParallel,
			show.Count(b.merged, b.edge.String()), b.node, kept)
	}
}

func (b *builder) finishNode(i int32, whole bool) {
	d, e := &b.declared[i], b.nodeElement(i)
	b.labels, b.arena = b.complete(&d.record, e, b.labels[:0], b.arena[:0])
	for _, l := range b.labels {
		b.net.nodes.SetLabel(l.Type, int(i), l.Values)
	}
	if d.drawn.Given && (d.drawn.HTML || d.drawn.Text != e.ids[0]) {
		b.net.nodes.SetDrawn(int(i), ownDrawn(d.drawn))
	}
	for _, w := range d.words {
		if w.key != ruleKey {
			b.net.nodes.SetAttribute(strings.Clone(w.key), int(i), strings.Clone(w.value))
		}
	}
	if _, known := b.knows(e); whole && !b.foreign && !d.wrong && !d.carriesData() && !known {
		b.bare(e, d)
	}
}

// ownDrawn copies the text so that the file's memory can be freed.
func ownDrawn(d graph.Drawn) graph.Drawn {
	d.Text = strings.Clone(d.Text)
	return d
}

// carriesData reports whether the element has a label other than policy labels.
func (r *record) carriesData() bool {
	return slices.ContainsFunc(r.figures, func(f figure) bool { return f.label.Kind != graph.Policy })
}

// bare reports a node without data. It is often a misspelt name in an edge.
func (b *builder) bare(e subject, d *declaration) {
	code := bareNode
	if d.inEdge {
		code = onlyInEdge
	}
	missing := "label"
	if len(d.figures) > 0 {
		missing = graph.Labels(e.on)[0].Fields[0].Name
	}
	b.add(diag.Error, int(d.at), e, "", code, e, missing, suggestion(e.on))
}

// suggestion returns, as an example, the required attributes of the first label for a kind of
// element.
func suggestion(on graph.ElementKind) string {
	l := graph.Labels(on)[0]
	var attrs []string
	for i, f := range l.Fields {
		if !f.Optional {
			attrs = append(attrs, labelField{l, i}.attribute()+"=...")
		}
	}
	return strings.Join(attrs, ", ")
}
