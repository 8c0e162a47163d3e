package study

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berth/engine/diag"
	"berth/engine/figure"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Name is the name of this scenario kind in documents and in the paths of its questions.
const Name = "experiment"

// Limits of a document.
const (
	MaxFactors  = 8
	MaxLevels   = 1000
	MaxSeeds    = 10_000
	MaxRuns     = 200_000
	MaxMetrics  = 100
	MaxCriteria = 200
	maxLabel    = 80 // characters in the name of a factor or a level
)

// The designs. Full combines every level with every other; Zip combines the first levels
// of all factors, then the second levels, and so on.
const (
	Full = "full"
	Zip  = "zip"
)

// Document is the body of a scenario of kind "experiment".
type Document struct {
	Base    scenario.Scenario `json:"base"`
	Factors []Factor          `json:"factors,omitempty"`
	Design  string            `json:"design,omitempty"` // full (the default) or zip
	// Run k of a cell adds k to all seeds of the scenario, including the seeds of
	// recipes.
	Seeds    int         `json:"seeds,omitempty"`   // 0 means one
	Metrics  []string    `json:"metrics,omitempty"` // nil for the headline of the kind
	Compare  string      `json:"compare,omitempty"` // a factor, or the name for subjects of the kind: "policy"
	Criteria []Criterion `json:"criteria,omitempty"`
}

// Factor varies the scenario: its levels are values of the field at Path, or patches.
type Factor struct {
	Name   string  `json:"name"`
	Path   string  `json:"path,omitempty"` // JSON Pointer (RFC 6901), "/qos/hosts/recipe/parameters/count"
	Levels []Level `json:"levels"`
}

// Level is one value of a factor. In JSON it is the bare value, or an object with a label
// and either a value or a patch.
type Level struct {
	Label string         `json:"label"`
	Value any            `json:"value"` // tree at the path of the factor; nil removes the field
	Patch map[string]any `json:"patch"` // JSON Merge Patch (RFC 7396) of the base
}

// Varies reports whether the factor changes the field at a path or a field that contains
// it.
func (f *Factor) Varies(path []string) bool {
	if own, err := parsePointer(f.Path); f.Path != "" && err == nil {
		shorter := min(len(own), len(path))
		return slices.Equal(own[:shorter], path[:shorter])
	}
	return slices.ContainsFunc(f.Levels, func(l Level) bool { return l.Patch != nil && patches(l.Patch, path) })
}

func patches(tree any, path []string) bool {
	fields, ok := tree.(map[string]any)
	if !ok || len(path) == 0 {
		return true
	}
	field, ok := fields[path[0]]
	return ok && patches(field, path[1:])
}

// New returns a scenario of kind "experiment".
func New(name string, d Document) scenario.Scenario { return scenario.New(Name, name, &d) }

// Of returns the body of a scenario of kind "experiment"; nil for another kind.
func Of(s scenario.Scenario) *Document { return scenario.As[*Document](s.Body) }

// Values returns a level without a label for each value.
func Values[V any](values ...V) []Level {
	levels := make([]Level, len(values))
	for i, v := range values {
		levels[i].Value = v
	}
	return levels
}

// shown returns the level as reports show it: its label, or a scalar.
func (l *Level) shown() any {
	if l.Label != "" {
		return l.Label
	}
	switch l.Value.(type) {
	case []any, map[string]any:
		text, _ := json.Marshal(l.Value) // a tree always encodes
		return string(text)
	case nil:
		return "none"
	}
	return l.Value
}

// String returns the name of the level.
func (l *Level) String() string { return levelName(l.shown()) }

// levelName returns the same name for equal levels: 1e3 is 1000. It is a dash for nil.
func levelName(v any) string {
	if v == nil {
		return "–"
	}
	text := fmt.Sprint(v)
	if _, isText := v.(string); isText || len(text) > 15 {
		return text
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return text
}

// MarshalJSON implements [json.Marshaler]. It writes Go values of any type as the tree
// that UnmarshalJSON reads.
func (l Level) MarshalJSON() ([]byte, error) {
	field, of := "value", l.Value
	if l.Patch != nil {
		field, of = "patch", l.Patch
	}
	tree, err := plain(of)
	if err == nil && (l.Patch != nil || l.Label != "") {
		tree = map[string]any{"label": l.Label, field: tree}
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (l *Level) UnmarshalJSON(data []byte) error {
	tree, err := treeOf(data)
	if err != nil {
		return err
	}
	var found scenario.Problems
	l.AssignTree("level", tree, &found)
	return found.Err()
}

// AssignTree implements [scenario.OfTree].
func (l *Level) AssignTree(path string, from any, found *scenario.Problems) {
	fields, _ := from.(map[string]any)
	if _, labelled := fields["label"]; !labelled {
		l.Value = from
		return
	}
	type plain Level
	scenario.AssignAt(path, from, (*plain)(l), found)
	if len(fields) != 2 {
		found.Add(path, levelFields)
	}
}

// treeOf parses JSON and keeps all digits of its numbers.
func treeOf(data []byte) (tree any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&tree)
	return tree, err
}

// Slots implements [scenario.Document]. An experiment has the sources of its base.
func (d *Document) Slots() []scenario.Slot { return d.Base.Slots() }

// Runs implements [scenario.Document]. The page shows an experiment as one row.
func (d *Document) Runs() []scenario.Subject { return []scenario.Subject{{}} }

// One implements [scenario.Document].
func (d *Document) One(int, int) scenario.Document { return d }

// Clone implements [scenario.Document].
func (d *Document) Clone() scenario.Document {
	c := *d
	c.Base = d.Base.Clone()
	return &c
}

func (d *Document) seeds() int { return max(1, d.Seeds) }

// Expand turns a scenario whose document has a sweep of its own into an experiment. It
// returns other scenarios unchanged.
func Expand(s scenario.Scenario) scenario.Scenario {
	varied, ok := s.Body.(scenario.Varied)
	if !ok {
		return s
	}
	v := varied.Varies()
	if len(v.Swept) == 0 {
		return s
	}
	d := Document{Base: s, Metrics: v.Figures}
	return New(s.Name, *d.spread())
}

// Shown returns the scenario that the page shows: the experiment from [Expand], or an experiment
// with a single cell if the kind has no page of its own.
func Shown(s scenario.Scenario) scenario.Scenario {
	s = Expand(s)
	if k, ok := scenario.Lookup(s.Kind); ok && k != Kind && k.Path == Kind.Path {
		return New(s.Name, Document{Base: s, Compare: k.Subject})
	}
	return s
}

// spread returns the document with the sweep of its base as further factors, after its
// own. If both vary a field, or both set the seeds, the document overrides its base.
func (d *Document) spread() *Document {
	varied, ok := d.Base.Body.(scenario.Varied)
	if !ok {
		return d
	}
	x, v := *d, varied.Varies()
	x.Base.Body = v.Base
	x.Factors = slices.Clip(d.Factors)
	for _, s := range v.Swept {
		if !slices.ContainsFunc(d.Factors, func(own Factor) bool { return own.Path == s.Path }) {
			x.Factors = append(x.Factors, Factor{Name: s.Name, Path: s.Path, Levels: Values(s.Values...)})
		}
	}
	if d.Seeds == 0 {
		x.Seeds = v.Seeds
	}
	return &x
}

func (d *Document) cells() float64 {
	cells := 1.0
	for i := range d.Factors {
		if n := float64(len(d.Factors[i].Levels)); d.Design == Zip {
			cells = n
		} else {
			cells *= n
		}
	}
	return cells
}

// Validate implements [scenario.Document].
func (d *Document) Validate(path string, p *scenario.Problems) {
	before := len(p.List)
	if d.Base.Kind == Name {
		p.Add(path+".base.kind", nestedStudy)
		return
	}
	d.Base.ValidateAt(path+".base", p)
	own := len(d.Factors) // the base has already validated the factors from its own sweep
	if len(p.List) == before {
		d = d.spread()
	}
	p.OneOf(path+".design", d.Design, Full, Zip)
	if d.Seeds < 0 || d.Seeds > MaxSeeds {
		p.Add(path+".seeds", seedsRange, d.Seeds, MaxSeeds)
	}
	p.AtMost(path+".factors", "factors", len(d.Factors), MaxFactors)
	for i := range d.Factors[:own] {
		d.validateFactor(fmt.Sprintf("%s.factors[%d]", path, i), i, p)
	}
	for _, f := range d.Factors[own:] {
		d.validateSwept(path, f.Name, d.Factors[:own], p)
	}
	if len(p.List) > before {
		return
	}
	if n := d.cells() * float64(d.seeds()); n > MaxRuns {
		p.Add(path, tooManyRuns, n, MaxRuns)
		return
	}
	kind, _ := scenario.Lookup(d.Base.Kind)
	d.validateMetrics(path, kind, p)
	d.validateCriteria(path, kind, p)
	if len(p.List) == before {
		d.tryLevels(path, p)
	}
}

func (d *Document) validateFactor(path string, i int, p *scenario.Problems) {
	f := &d.Factors[i]
	p.Length(path+".name", f.Name, maxLabel)
	switch {
	case f.Name == "":
		p.Add(path+".name", diag.Missing)
	case slices.ContainsFunc(d.Factors[:i], func(g Factor) bool { return g.Name == f.Name }):
		p.Add(path+".name", diag.Two, "factors", f.Name)
	}
	if _, err := parsePointer(f.Path); f.Path != "" && err != nil {
		p.Wrong(path+".path", err)
	}
	p.Count(path+".levels", "level", len(f.Levels), MaxLevels)
	if d.Design == Zip && len(f.Levels) != len(d.Factors[0].Levels) {
		p.Add(path+".levels", zipLevels,
			len(f.Levels), len(d.Factors[0].Levels))
	}
	names := map[string]bool{}
	for k := range f.Levels {
		l, at := &f.Levels[k], fmt.Sprintf("%s.levels[%d]", path, k)
		p.Length(at+".label", l.Label, maxLabel)
		switch name := l.String(); {
		case f.Path == "" && l.Patch == nil:
			p.Add(at, noPatch)
		case f.Path != "" && l.Patch != nil:
			p.Add(at, patchAndPath)
		case names[name] && d.Design != Zip:
			p.Add(at, levelTwice, scenario.Shorten(name))
		default:
			names[name] = true
		}
	}
}

// validateSwept checks a factor that comes from the sweep of the base.
func (d *Document) validateSwept(path, name string, own []Factor, p *scenario.Problems) {
	switch {
	case d.Design == Zip:
		p.Add(path+".design", zipOfBase, name)
	case slices.ContainsFunc(own, func(f Factor) bool { return f.Name == name }):
		p.Add(path+".factors", nameOfBase, name, name)
	}
}

func (d *Document) validateMetrics(path string, kind *scenario.Kind, p *scenario.Problems) {
	p.AtMost(path+".metrics", "metrics", len(d.Metrics), MaxMetrics)
	for i, name := range d.Metrics {
		checkMetric(fmt.Sprintf("%s.metrics[%d]", path, i), name, kind, p)
	}
	known := []string{subjectOf(kind)}
	for _, f := range d.Factors {
		known = append(known, f.Name)
	}
	if d.Compare != "" && !slices.Contains(known, d.Compare) {
		p.Add(path+".compare", diag.Unknown, scenario.Shorten(d.Compare), strings.Join(known, ", "))
	}
}

func checkMetric(path, name string, kind *scenario.Kind, p *scenario.Problems) {
	if figure.Named(kind.Figures, name) == nil {
		known := show.Joined(kind.Figures, ", ", func(m figure.Figure) string { return m.Name })
		p.Add(path, diag.UnknownOf, "metric", scenario.Shorten(name), known)
	}
}

// subjectOf is the name for a subject of a kind.
func subjectOf(kind *scenario.Kind) string { return cmp.Or(kind.Subject, "subject") }

// tryLevels makes the scenario of each level, with the first levels of the other factors, because
// the level may depend on them. It does not try all combinations, because there may be many. It
// blames a level only if the level alone is invalid, too: an invalid combination is a run that
// fails.
func (d *Document) tryLevels(path string, p *scenario.Problems) {
	plan, err := NewPlan(d)
	if err != nil {
		p.Wrong(path, err)
		return
	}
	try := func(others, i, k int) error {
		at := slices.Repeat([]int{others}, len(d.Factors))
		at[i] = k
		_, err := plan.scenarioAt(at)
		return err
	}
	for i := range d.Factors {
		for k := range d.Factors[i].Levels {
			others := 0
			if d.Design == Zip {
				others = k
			}
			if try(others, i, k) == nil {
				continue
			}
			if err := try(leftOut, i, k); err != nil {
				p.Add(fmt.Sprintf("%s.factors[%d].levels[%d]", path, i, k), diag.InvalidPart, &d.Factors[i].Levels[k], err)
			}
		}
	}
}
