package study

import (
	"slices"

	"berth/engine/figure"
)

// Figures invents a metric of a cell for a seed.
type Figures func(at map[string]any, metric string, seed int) float64

// Judge returns a function that judges criteria of a document on figures that a test invents. The
// subjects are those that the document's criteria name.
func Judge(d *Document) func([]Criterion, Figures) *Report {
	plan, err := NewPlan(d)
	if err != nil {
		panic(err)
	}
	d = plan.document
	var cells []Cell
	subject := subjectOf(plan.kind)
	for _, levels := range plan.levels {
		for _, name := range subjects(d, subject) {
			c := Cell{Levels: map[string]any{}, N: d.seeds(), subject: name}
			for f, level := range levels {
				c.Levels[d.Factors[f].Name] = d.Factors[f].Levels[level].shown()
			}
			if name != "" {
				c.Levels[subject] = name
			}
			cells = append(cells, c)
		}
	}
	return func(all []Criterion, made Figures) *Report {
		own := slices.Clone(cells)
		for i := range own {
			own[i].Metrics = map[string]Aggregate{}
		}
		r, t := &Report{}, cellTable{d, own}
		for i := range all {
			for _, m := range all[i].Test.metrics() {
				fillMade(own, m, made)
			}
			r.Criteria = append(r.Criteria, t.judge(&all[i]))
		}
		correct(r.Criteria)
		r.Verdict = Conclude(r.Criteria)
		return r
	}
}

// fillMade adds a metric to cells that lack it.
func fillMade(cells []Cell, metric string, made Figures) {
	for i := range cells {
		c := &cells[i]
		if _, has := c.Metrics[metric]; has {
			continue
		}
		a := Aggregate{}
		for seed := range c.N {
			a.Values = append(a.Values, figure.Number(made(c.Levels, metric, seed)))
		}
		c.Metrics[metric] = a
	}
}

// subjects returns the names of the subjects in criteria, a nameless one if there are none.
func subjects(d *Document, subject string) (names []string) {
	take := func(at map[string]any) {
		if level, ok := at[subject]; ok && d.levels(subject) == nil && !slices.Contains(names, levelName(level)) {
			names = append(names, levelName(level))
		}
	}
	for i := range d.Criteria {
		t := &d.Criteria[i].Test
		take(t.At)
		if t.To != nil {
			take(t.Other().At)
		}
	}
	if names == nil {
		return []string{""}
	}
	return names
}

// Has reports whether an operand refers to a cell with these levels.
func (f Operand) Has(at map[string]any) bool {
	return (&Cell{Levels: at}).At(f.At)
}

// LevelOf returns the index of the level of a factor in a cell.
func LevelOf(d *Document, at map[string]any, factor string) int {
	return slices.IndexFunc(d.levels(factor), func(l Level) bool { return l.String() == levelName(at[factor]) })
}

// Band exports [Test.band].
func (t *Test) Band() (low, high float64) { return t.band() }

// Smallest exports [Test.least].
func (t *Test) Smallest() float64 { return t.least() }
