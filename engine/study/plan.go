package study

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"berth/engine/figure"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Plan is the list of the runs of an experiment. Its methods may be called from any
// goroutine.
type Plan struct {
	document *Document // includes the factors from the sweep of the base
	kind     *scenario.Kind
	tree     any              // JSON tree of the base
	metrics  []*figure.Figure // the metrics of the report, then other metrics that criteria need
	shown    int              // number of metrics in the report

	changes [][]edit // by factor and level: the change to the base
	levels  [][]int  // by cell and factor: index of the level
	digests digester

	making sync.Mutex
	cells  []cell
	room   int // number of further scenarios to keep in memory; others are made on each request
	attach func(scenario.Scenario) error
}

// mostKept limits the values in the scenarios that a plan keeps: 128 MB.
const mostKept = 1 << 20

// cell is one combination of levels, with its scenario.
type cell struct {
	made     bool
	scenario scenario.Scenario // scenario with the first seed
	err      error             // reason why there is no scenario
	files    string            // digests of the files of the scenario
	key      digest            // digest of the scenario's tree; zero until Key computes it
}

// Run is one run of a plan: the scenario of a cell with one seed. If the levels of the cell do not
// make a valid scenario, Err says why.
type Run struct {
	Seed     int // amount added to the seeds of the base
	Scenario scenario.Scenario
	Err      error
}

// NewPlan plans the runs of a document, which must be valid.
func NewPlan(d *Document) (*Plan, error) {
	d = d.spread()
	kind, ok := scenario.Lookup(d.Base.Kind)
	if !ok {
		return nil, fmt.Errorf("unknown kind %q", d.Base.Kind)
	}
	tree, err := plain(d.Base)
	if err != nil {
		return nil, err
	}
	p := &Plan{document: d, kind: kind, tree: tree, room: mostKept / valuesIn(tree), digests: digester{map[uintptr]digest{}, map[string]digest{}}}
	p.digests.share(tree)
	for f := range d.Factors {
		p.changes = append(p.changes, p.changesOf(&d.Factors[f]))
	}
	p.levels = d.combinations()
	p.cells = make([]cell, len(p.levels))
	p.chooseMetrics()
	return p, nil
}

// combinations returns the levels of each cell by factor. In the full design the last
// factor changes fastest.
func (d *Document) combinations() [][]int {
	all := make([][]int, int(d.cells()))
	for cell := range all {
		all[cell] = make([]int, len(d.Factors))
		rest := cell
		for f := len(d.Factors) - 1; f >= 0; f-- {
			n := len(d.Factors[f].Levels)
			all[cell][f] = rest % n
			if d.Design != Zip {
				rest /= n
			}
		}
	}
	return all
}

func (p *Plan) chooseMetrics() {
	take := func(names ...string) {
		for _, name := range names {
			if m := figure.Named(p.kind.Figures, name); m != nil && !slices.Contains(p.metrics, m) {
				p.metrics = append(p.metrics, m)
			}
		}
	}
	switch {
	case len(p.document.Metrics) > 0:
		take(p.document.Metrics...)
	case len(p.kind.Headline) > 0:
		take(p.kind.Headline...)
	default:
		for i := range p.kind.Figures {
			take(p.kind.Figures[i].Name)
		}
	}
	p.shown = len(p.metrics)
	for i := range p.document.Criteria {
		take(p.document.Criteria[i].Test.metrics()...)
	}
}

// Covers reports whether a result has all metrics of the plan. A result that an earlier
// program stored may lack some.
func (p *Plan) Covers(r *Result) bool {
	return r.Error != "" || !slices.ContainsFunc(p.metrics, func(m *figure.Figure) bool { return r.Metrics[m.Name] == nil })
}

// Cells returns the number of cells: combinations of levels that the design of the document
// selects.
func (p *Plan) Cells() int { return len(p.cells) }

// Runs returns the number of runs. The first runs are all cells with their first seed,
// the next ones all cells with the second seed, and so on.
func (p *Plan) Runs() int { return len(p.cells) * p.document.seeds() }

// Cell returns the index of the cell of a run.
func (p *Plan) Cell(run int) int { return run % len(p.cells) }

// Levels describes the levels of a cell: "hosts 62, contention low".
func (p *Plan) Levels(cell int) string {
	var parts []string
	for f, level := range p.levels[cell] {
		factor := &p.document.Factors[f]
		parts = append(parts, factor.Name+" "+factor.Levels[level].String())
	}
	return strings.Join(parts, ", ")
}

// Attach calls digests for the scenario of each cell, to set the digests of the scenario's files.
// They become a part of the keys.
func (p *Plan) Attach(digests func(scenario.Scenario) error) (err error) {
	p.attach = func(s scenario.Scenario) error {
		err = digests(s)
		return err
	}
	for i := range p.cells {
		if p.cell(i); err != nil {
			return err
		}
	}
	return nil
}

// Run returns one of the runs.
func (p *Plan) Run(i int) Run {
	c := p.cell(p.Cell(i))
	run := Run{Seed: i / len(p.cells), Err: c.err}
	if c.err != nil {
		return run
	}
	run.Scenario = c.scenario.Reseed(uint64(run.Seed))
	run.Scenario.Name = show.Cut(strings.Trim(fmt.Sprintf("%s: %s, seed +%d", p.document.Base.Name, p.Levels(p.Cell(i)), run.Seed), ": ,"), scenario.MaxName-1)
	return run
}

// cell returns a cell with its scenario, and keeps the scenario while the budget lasts.
func (p *Plan) cell(i int) cell {
	p.making.Lock()
	defer p.making.Unlock()
	c := p.cells[i]
	if c.made {
		return c
	}
	c.scenario, c.err = p.scenarioAt(p.levels[i])
	if c.err == nil && p.attach != nil {
		c.err = p.attach(c.scenario)
		c.files = digestsOf(c.scenario)
		p.cells[i].files = c.files
	}
	if p.room > 0 {
		p.room--
		c.made = true
		p.cells[i] = c
	}
	return c
}

func valuesIn(tree any) int {
	n := 1
	switch t := tree.(type) {
	case map[string]any:
		for _, v := range t {
			n += valuesIn(v)
		}
	case []any:
		for _, v := range t {
			n += valuesIn(v)
		}
	}
	return n
}

// scenarioAt returns the base with the given levels, one index per factor. leftOut keeps the base's
// value.
func (p *Plan) scenarioAt(levels []int) (scenario.Scenario, error) {
	if len(levels) == 0 {
		return p.document.Base.Clone(), nil
	}
	tree, err := p.treeAt(levels)
	if err != nil {
		return scenario.Scenario{}, err
	}
	s, err := scenario.FromTree(tree)
	if err == nil && s.Kind != p.kind.Name {
		err = fmt.Errorf("the kind becomes %q: expected levels that keep %q", scenario.Shorten(s.Kind), p.kind.Name)
	}
	return s, err
}

// leftOut means that a cell has no level of a factor.
const leftOut = -1

// treeAt returns the tree of the base with the given levels.
func (p *Plan) treeAt(levels []int) (tree any, err error) {
	tree = p.tree
	for f, level := range levels {
		if level == leftOut {
			continue
		}
		tree, err = p.changes[f][level](tree)
		if err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// edit applies a level to a tree.
type edit func(tree any) (any, error)

func (p *Plan) changesOf(f *Factor) []edit {
	tokens, wrong := parsePointer(f.Path)
	all := make([]edit, len(f.Levels))
	for i := range f.Levels {
		l := &f.Levels[i]
		of := l.Value
		if l.Patch != nil {
			of = l.Patch
		}
		value, err := plain(of)
		p.digests.share(value)
		all[i] = func(tree any) (any, error) {
			switch {
			case err != nil:
				return nil, err
			case l.Patch != nil:
				return Merge(tree, value), nil
			case wrong != nil:
				return nil, wrong
			}
			tree, err := set(tree, tokens, value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Path, err)
			}
			return tree, nil
		}
	}
	return all
}

// plain turns Go values of any type into a tree.
func plain(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return treeOf(text)
}
