package dot

import (
	"math"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/graph"
	"berth/engine/show"
)

// record collects the attributes of one element.
type record struct {
	drawn   graph.Drawn
	named   bool // drawn has been set
	wrong   bool // an attribute was invalid, which may explain a missing label
	figures []figure
	words   []ruleWord
}

// ruleWord is an attribute for rules: either one that rules refer to, or a rule itself.
type ruleWord struct {
	key, value string
	at         int32
	inherited  bool // from node[...] or edge[...]
}

// figure is one figure with the position of its attribute.
type figure struct {
	labelField
	value     float64 // NaN if invalid and reported
	at        int32
	whole     bool // part of a label in the thesis's dialect
	inherited bool // from node[...] or edge[...]
}

// attribute is an attribute with the positions of its name and value.
type attribute struct {
	key, value     string
	keyAt, valueAt int32
	html           bool
}

// subject identifies an element in diagnostics. Its text is built only when needed.
type subject struct {
	on       graph.ElementKind
	ids      [2]string // the second only for an edge
	defaults bool      // stands for all elements that node[...] or edge[...] applies to
}

func (e subject) String() string {
	if e.defaults {
		return "each " + e.on.String()
	}
	s := e.on.String() + " " + show.Quote(e.ids[0])
	if e.on == graph.Dependency || e.on == graph.Link {
		s += " -- " + show.Quote(e.ids[1])
	}
	return s
}

type attributeReader struct {
	*problems
	vocabulary *vocabulary
	verdicts   map[stranger]verdict
	labels     []attribute       // scratch of read: the label attributes of a statement
	given      *graph.Federation // data of earlier files; nil: the file must have every figure
	freePrices bool              // prices missing in the file are 0
	foreign    bool              // the file may omit figures: see [Graph]
	keeps      map[string]bool   // attributes of a foreign file that are kept although they are not figures: label, or Graphviz's own
	strangers  []string          // dropped attributes of a foreign file
}

// maxVerdicts limits the number of remembered verdicts.
const maxVerdicts = 1000

// A stranger is an attribute that is neither a figure nor one of Graphviz's; a verdict is the
// response to it. Verdicts are cached because a file has few different strangers, but may have them
// on every element.
type (
	stranger struct {
		on  graph.ElementKind
		key string
	}
	verdict struct {
		wrong bool
		why   *diag.Diagnostic
	}
)

// read fills r with the attributes of one statement.
func (p *attributeReader) read(r *record, e subject, given []attribute) {
	*r = record{figures: r.figures[:0], words: r.words[:0]}
	p.labels = p.labels[:0]
	errors := p.count[diag.Error]
	if p.foreign {
		given = p.plainly(e.on, given)
	}
	for _, a := range given {
		if a.key == "label" {
			p.labels = append(p.labels, a)
			continue
		}
		if f := p.field(e.on, a.key); f.label != nil {
			p.plain(r, e, f, a)
			continue
		}
		known := slices.Contains(attributes[e.on], a.key)
		if !known && !graphviz[a.key] {
			known = !p.unknown(e, a)
		}
		if known && attributes[e.on] != nil {
			r.words = append(r.words, ruleWord{key: a.key, value: a.value, at: a.valueAt})
		}
	}
	for i, a := range p.labels {
		p.label(r, e, a, i == len(p.labels)-1)
	}
	r.wrong = p.count[diag.Error] > errors
}

// field returns the figure that an attribute sets; its label is nil if there is none. An attribute
// of a new extended resource registers the resource.
func (p *attributeReader) field(on graph.ElementKind, key string) labelField {
	f := p.vocabulary[on][key]
	if f.label != nil || !graph.IsExtended(key) || graphviz[key] || on != graph.Job && on != graph.Cluster {
		return f
	}
	resource := key
	for _, suffix := range []string{"_request", "_limit", "_cost", "_min_request", "_max_request", "_min_limit", "_max_limit"} {
		if name, found := strings.CutSuffix(key, suffix); found {
			resource = name
		}
	}
	if strings.Contains(resource, "/") {
		if _, _, err := graph.Extended(resource); err == nil {
			p.vocabulary = newVocabulary()
		}
	}
	return p.vocabulary[on][key]
}

func (p *attributeReader) plain(r *record, e subject, f labelField, a attribute) {
	for _, old := range r.figures {
		if old.label == f.label && (old.whole || old.labelField == f) {
			p.add(diag.Error, int(a.keyAt), e, f.name(), attributeTwice, e, a.key, p.line(int(old.at)))
			return
		}
	}
	r.figures = append(r.figures, figure{labelField: f, value: p.number(e, f, strings.TrimSpace(a.value), int(a.valueAt)), at: a.valueAt})
}

// unknown reports a stranger and returns whether it is an error. It reports errors every time, and
// a warning only once for each attribute.
func (p *attributeReader) unknown(e subject, a attribute) bool {
	v, known := p.verdicts[stranger{e.on, a.key}]
	if !known {
		v = p.judge(e.on, a.key)
		if len(p.verdicts) < maxVerdicts {
			p.verdicts[stranger{e.on, a.key}] = v
		}
	}
	if v.wrong {
		p.add(diag.Error, int(a.keyAt), e, a.key, diag.InvalidPart, e, v.why)
	} else if !known {
		p.add(diag.Warning, int(a.keyAt), e, a.key, diag.InvalidPart, e, v.why)
	}
	return v.wrong
}

func (p *attributeReader) judge(on graph.ElementKind, key string) verdict {
	if other := p.vocabulary.elsewhere(key); other != nil {
		return verdict{true, keyElsewhere.New(key, strings.Join(other, " or "), on)}
	}
	switch meant, ok := p.vocabulary.looksLike(on, key); {
	case meant != "":
		return verdict{true, keyMeant.New(show.Quote(key), meant)}
	case ok:
		return verdict{true, unknownKey.New(show.Quote(key), on, show.Joined(Vocabulary(on), ", ", func(a Attribute) string { return a.Name }))}
	}
	if on == graph.Job || on == graph.Cluster {
		return verdict{false, onlyRules.New(show.Quote(key))}
	}
	return verdict{false, ignoredKey.New(show.Quote(key))}
}

// label parses one of the label attributes of an element. All but the last must have data. The last
// one is the name to draw, unless it also has data.
func (p *attributeReader) label(r *record, e subject, a attribute, last bool) {
	d, isData := splitLabel(a.value)
	alone := len(p.labels) == 1 && len(r.figures) == 0
	if last && (a.html || !isData || !d.known() && !(alone && d.numeric)) {
		r.drawn, r.named = graph.Drawn{Text: a.value, HTML: a.html, Given: true}, true
		if a.value == `\N` && !a.html { // Graphviz's escape for the id
			r.drawn = graph.Drawn{}
		}
		return
	}
	at := int(a.valueAt)
	if !isData || a.html {
		p.add(diag.Error, at, e, "label", labelWithoutData, e, show.Quote(a.value))
		return
	}
	if strings.Contains(d.label, "/") {
		graph.Extended(d.label) // if the name is invalid, the label stays unknown
	}
	l := graph.Lookup(e.on, d.label)
	if l == nil {
		p.unknownLabel(e, d.label, at)
		return
	}
	if old := firstOf(r.figures, l); old >= 0 {
		p.twice(e, l, at, int(r.figures[old].at))
		return
	}
	p.fields(r, e, l, d, a)
}

func (p *attributeReader) twice(e subject, l *graph.LabelType, at, first int) {
	p.add(diag.Error, at, e, l.Name, labelTwice, e, l.Name, e.on, p.line(first))
}

func (p *attributeReader) unknownLabel(e subject, label string, at int) {
	if on := kindsWith(func(on graph.ElementKind) bool { return graph.Lookup(on, label) != nil }); on != nil {
		p.add(diag.Error, at, e, label, labelElse, e, label, strings.Join(on, " or "), e.on)
		return
	}
	var names []string
	for _, l := range graph.Labels(e.on) {
		names = append(names, l.Name)
	}
	if meant := nearest(label, slices.Values(names)); meant != "" {
		p.add(diag.Error, at, e, label, labelMeant, e, show.Quote(label), meant)
		return
	}
	p.add(diag.Error, at, e, label, unknownLabel, e, show.Quote(label), e.on, strings.Join(names, ", "))
}

// fields parses the figures of a label in the thesis's dialect.
func (p *attributeReader) fields(r *record, e subject, l *graph.LabelType, d labelData, a attribute) {
	at, first := int(a.valueAt), len(r.figures)
	for d.rest != "" {
		var name, value string
		name, value, d.rest = nextField(d.rest)
		i := l.Field(name)
		if i < 0 {
			p.add(diag.Error, at, e, name, unknownField, e, l.Name, show.Quote(name), fieldNames(l))
			continue
		}
		f := labelField{l, i}
		if slices.ContainsFunc(r.figures[first:], func(old figure) bool { return old.labelField == f }) {
			p.add(diag.Error, at, e, name, fieldTwice, e, l.Name, name)
			continue
		}
		r.figures = append(r.figures, figure{labelField: f, value: p.number(e, f, value, at), at: a.valueAt, whole: true})
	}
}

func fieldNames(l *graph.LabelType) string {
	return show.Joined(l.Fields, ", ", func(f graph.Field) string {
		if f.Optional {
			return f.Name + " (optional)"
		}
		return f.Name
	})
}

// inherit copies defaults into r, which must be empty.
func (r *record) inherit(defaults *record) {
	r.drawn, r.named = defaults.drawn, defaults.named
	r.figures = append(r.figures[:0], defaults.figures...)
	r.words = append(r.words[:0], defaults.words...)
	r.giveWay()
}

// giveWay marks the content of r as inherited, so that later attributes replace it.
func (r *record) giveWay() {
	for i := range r.figures {
		r.figures[i].inherited = true
	}
	for i := range r.words {
		r.words[i].inherited = true
	}
}

// overlay adds the attributes of a later statement to r. As in DOT, a plain attribute replaces an
// earlier one with the same name, and any attribute replaces a default. Two labels of one type that
// are both written for the element are an error.
func (p *attributeReader) overlay(r *record, e subject, more *record) {
	if more.named {
		r.drawn, r.named = more.drawn, true
	}
	r.wrong = r.wrong || more.wrong
	for _, w := range more.words {
		r.words = slices.DeleteFunc(r.words, func(old ruleWord) bool {
			return old.key == w.key && (old.inherited || w.key != ruleKey)
		})
		r.words = append(r.words, w)
	}
	r.figures = slices.DeleteFunc(r.figures, more.replaces)
	before := r.figures
	for i, f := range more.figures {
		conflict := slices.IndexFunc(before, func(old figure) bool {
			return old.label == f.label && !old.inherited && (old.whole || f.whole)
		})
		if conflict < 0 {
			r.figures = append(r.figures, f)
		} else if firstOf(more.figures, f.label) == i {
			p.twice(e, f.label, int(f.at), int(before[conflict].at))
		}
	}
}

func (r *record) replaces(old figure) bool {
	return slices.ContainsFunc(r.figures, func(f figure) bool {
		switch {
		case f.label != old.label:
			return false
		case old.inherited:
			return f.whole || f.labelField == old.labelField
		}
		return f.labelField == old.labelField && !f.whole && !old.whole
	})
}

// complete appends the labels of an element to labels and their figures to arena. It omits a label
// with a missing or invalid figure, and reports it.
func (p *attributeReader) complete(r *record, e subject, labels []graph.Label, arena []float64) ([]graph.Label, []float64) {
	for i, f := range r.figures {
		if firstOf(r.figures, f.label) != i {
			continue
		}
		start, ok := len(arena), true
		for k := range f.label.Fields {
			value, given := r.value(labelField{f.label, k})
			if !given {
				value, given = p.said(e, labelField{f.label, k})
			}
			if !given {
				value, given = p.usual(r, e, labelField{f.label, k})
			}
			if !given {
				value, ok = p.absent(e, labelField{f.label, k}, int(f.at)), false
			}
			ok = ok && (given && f.label.Fields[k].Price && p.foreign || !math.IsNaN(value))
			arena = append(arena, value)
		}
		if !ok {
			arena = arena[:start]
			continue
		}
		p.checkOrder(e, f.label, arena[start:], int(f.at))
		labels = append(labels, graph.Label{Type: f.label, Values: arena[start:len(arena):len(arena)]})
	}
	return labels, arena
}

// said returns the figure of a cluster from an earlier file.
func (p *attributeReader) said(e subject, f labelField) (float64, bool) {
	if c, known := p.knows(e); known {
		if values := p.given.Clusters().Values(f.label, c); values != nil {
			return values[f.index], true
		}
	}
	return 0, false
}

// knows returns the cluster of earlier files that has the id of the element.
func (p *attributeReader) knows(e subject) (cluster int, known bool) {
	if p.given == nil || e.on != graph.Cluster {
		return 0, false
	}
	return p.given.Cluster(e.ids[0])
}

func firstOf(figures []figure, l *graph.LabelType) int {
	for i := range figures {
		if figures[i].label == l {
			return i
		}
	}
	return -1
}

func (r *record) value(f labelField) (float64, bool) {
	for _, g := range r.figures {
		if g.labelField == f {
			return g.value, true
		}
	}
	return 0, false
}

// usual returns the default of a figure that an element omits: see [Graph]. In DOT, too, the price
// of a bandwidth defaults to 0.
func (p *attributeReader) usual(r *record, e subject, f labelField) (float64, bool) {
	spec := f.label.Fields[f.index]
	switch {
	case spec.Optional:
		return spec.Absent, true
	case spec.Price && e.on == graph.Link && (p.foreign || f.label.Name == "bandwidth"):
		return 0, true
	case spec.Price && p.freePrices:
		return 0, true
	case !p.foreign:
		return 0, false
	case spec.Price:
		return math.NaN(), true
	case spec.Name == f.label.Ordered[1] && f.label.Ordered[1] != "":
		return r.value(labelField{f.label, f.label.Field(f.label.Ordered[0])})
	}
	return 0, false
}

func (p *attributeReader) absent(e subject, f labelField, at int) float64 {
	code := noFigure
	if f.label.Fields[f.index].Price {
		code = noPrice
	}
	p.add(diag.Error, at, e, f.name(), code, e, f.label.Name, f.name(), f.attribute(), f.name())
	return math.NaN()
}

func (p *attributeReader) checkOrder(e subject, l *graph.LabelType, values []float64, at int) {
	less, more := l.Field(l.Ordered[0]), l.Field(l.Ordered[1])
	if less >= 0 && more >= 0 && values[less] > values[more] {
		p.add(diag.Warning, at, e, l.Ordered[0], aboveLimit, e, l.Name, l.Ordered[0], values[less], l.Ordered[1], values[more])
	}
}
