package study

import (
	"fmt"
	"slices"

	"berth/engine/figure"
	"berth/engine/show"
	"berth/engine/stats"
)

// Report is the body of the report of kind "experiment".
type Report struct {
	Base    Base            `json:"base"`
	Factors []FactorSummary `json:"factors"` // that cells differ in; the last may be the subjects of the reports
	Metrics []MetricSummary `json:"metrics"`
	Runs    Count           `json:"runs"`
	Cells   []Cell          `json:"cells"`

	Compare     string       `json:"compare,omitempty"`
	Comparisons []Comparison `json:"comparisons,omitempty"`

	Criteria []Judged `json:"criteria,omitempty"`
	Verdict  Verdict  `json:"verdict,omitempty"` // of all criteria; none without any
}

// Base names the scenario that was varied.
type Base struct {
	Kind     string `json:"kind"`
	Name     string `json:"name,omitempty"`
	Scenario string `json:"scenario"` // its hash
}

// FactorSummary is a factor with its levels, or the subjects of the reports.
type FactorSummary struct {
	Name     string `json:"name"`
	Levels   []any  `json:"levels"`
	Subjects bool   `json:"subjects,omitempty"` // these are the subjects of the reports
}

// MetricSummary says what a metric is.
type MetricSummary struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Unit   string `json:"unit,omitempty"`
	Better string `json:"better,omitempty"` // less or more
}

// Count is how many runs there are.
type Count struct {
	All    int `json:"all"`
	Done   int `json:"done"`
	Failed int `json:"failed"`
}

// Cell is one combination of levels with its results over its seeds.
type Cell struct {
	Index   int                  `json:"-"`      // of the cell of the plan; its subjects share it
	Levels  map[string]any       `json:"levels"` // by factor
	N       int                  `json:"n"`      // runs that ended
	Metrics map[string]Aggregate `json:"metrics"`
	Failed  []Failure            `json:"failed,omitempty"`
}

// Aggregate is a metric over the N seeds where it is defined.
type Aggregate struct {
	figure.Estimate
	Values []figure.Number `json:"values"` // by seed
}

// Of returns a metric, undefined where no run of the cell has ended.
func (c *Cell) Of(metric string) Aggregate {
	if a, ok := c.Metrics[metric]; ok {
		return a
	}
	return Aggregate{Estimate: figure.EstimateOf(nil)}
}

// At says whether the cell is at levels by factor; one that the cells do not differ in
// says nothing.
func (c *Cell) At(levels map[string]any) bool {
	for name, level := range levels {
		if own, known := c.Levels[name]; known && levelName(own) != levelName(level) {
			return false
		}
	}
	return true
}

// Failure is a run that failed.
type Failure struct {
	Seed     int    `json:"seed"` // from 0
	Scenario string `json:"scenario,omitempty"`
	Message  string `json:"message"`
}

// Comparison has the paired differences between a level and the first one of the
// factor that is compared, of cells that are alike in all other factors.
type Comparison struct {
	Levels  map[string]any        `json:"levels"` // of the other factors
	Level   any                   `json:"level"`
	Base    any                   `json:"base"`
	Metrics map[string]Difference `json:"metrics"`
}

// Difference is over the N seeds where a metric is defined on both sides.
type Difference struct {
	figure.Estimate
	P figure.Number `json:"p"` // of a two-sided paired t-test; undefined of fewer than two
}

// Report returns what is known so far.
func (s *Sheet) Report() *Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.plan.document
	rows, dimensions := s.rows()
	r := &Report{
		Base:    Base{d.Base.Kind, d.Base.Name, d.Base.Hash()},
		Factors: s.factors(rows, dimensions), Metrics: s.summarise(), Runs: Count{All: len(s.results), Done: s.done, Failed: s.failed},
		Cells: []Cell{}, Compare: d.Compare,
	}
	for i := range rows {
		r.Cells = append(r.Cells, s.cell(&rows[i], dimensions))
	}
	if at := slices.Index(dimensions, s.compared()); at >= 0 {
		r.Comparisons = s.compare(rows, dimensions, at)
	}
	t := table{sheet: s, rows: rows, dimensions: dimensions}
	for i := range d.Criteria {
		r.Criteria = append(r.Criteria, t.judge(&d.Criteria[i]))
	}
	correct(r.Criteria)
	r.Verdict = Conclude(r.Criteria)
	return r
}

// compared is the factor that is compared.
func (s *Sheet) compared() string {
	name := s.plan.document.Compare
	if slices.ContainsFunc(s.plan.document.Factors, func(f Factor) bool { return f.Name == name }) || name == "" {
		return name
	}
	return s.subjectDimension(nil)
}

func (s *Sheet) factors(rows []row, dimensions []string) []FactorSummary {
	all := []FactorSummary{}
	for i, name := range dimensions {
		f := FactorSummary{Name: name, Levels: []any{}}
		if i < len(s.plan.document.Factors) {
			for k := range s.plan.document.Factors[i].Levels {
				f.Levels = append(f.Levels, s.plan.document.Factors[i].Levels[k].shown())
			}
		} else {
			f.Subjects = true
			for _, r := range rows {
				if r.subject != nil && !slices.Contains(f.Levels, any(*r.subject)) {
					f.Levels = append(f.Levels, *r.subject)
				}
			}
		}
		all = append(all, f)
	}
	return all
}

func (s *Sheet) summarise() []MetricSummary {
	all := []MetricSummary{}
	for _, m := range s.plan.metrics[:s.plan.shown] {
		all = append(all, MetricSummary{m.Name, m.Title, m.Unit, m.Better.String()})
	}
	return all
}

// levels returns those of a row by name, without one of the dimensions.
func (s *Sheet) levels(r *row, dimensions []string, without int) map[string]any {
	levels := map[string]any{}
	for i, name := range dimensions {
		switch {
		case i == without:
		case i < len(s.plan.document.Factors):
			levels[name] = s.plan.document.Factors[i].Levels[s.plan.levels[r.cell][i]].shown()
		case r.subject != nil:
			levels[name] = *r.subject
		}
	}
	return levels
}

func (s *Sheet) cell(r *row, dimensions []string) Cell {
	c := Cell{Index: r.cell, Levels: s.levels(r, dimensions, -1), Metrics: map[string]Aggregate{}}
	for seed := range s.plan.document.seeds() {
		switch f := s.result(r.cell, seed); {
		case f == nil:
		case f.failed != "":
			c.Failed = append(c.Failed, Failure{seed, f.hash, f.failed})
		case r.subject != nil && slices.Contains(f.subjects, *r.subject):
			c.N++
		}
	}
	if c.N == 0 {
		return c
	}
	for i, m := range s.plan.metrics[:s.plan.shown] {
		all := s.observations(r, i)
		a := Aggregate{figure.EstimateOf(all), make([]figure.Number, len(all))}
		for seed, v := range all {
			a.Values[seed] = figure.Number(v)
		}
		c.Metrics[m.Name] = a
	}
	return c
}

// compare pairs each row with the one that has the first level of a dimension.
func (s *Sheet) compare(rows []row, dimensions []string, at int) []Comparison {
	all := []Comparison{}
	first := map[string]*row{} // by the levels of the others
	for i := range rows {
		r := &rows[i]
		if r.subject == nil {
			continue
		}
		others := slices.Clone(r.names)
		others[at] = ""
		key := fmt.Sprintf("%q", others)
		base, ok := first[key]
		if !ok {
			first[key] = r
			continue
		}
		c := Comparison{
			Levels: s.levels(r, dimensions, at), Level: s.levels(r, dimensions, -1)[dimensions[at]],
			Base: s.levels(base, dimensions, -1)[dimensions[at]], Metrics: map[string]Difference{},
		}
		for k, m := range s.plan.metrics[:s.plan.shown] {
			c.Metrics[m.Name] = newDifference(paired(s.observations(r, k), s.observations(base, k)))
		}
		all = append(all, c)
	}
	return all
}

// paired returns a − b where both are defined.
func paired(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i] // NaN if one is
	}
	return stats.Defined(d)
}

func newDifference(d []float64) Difference {
	return Difference{figure.EstimateOf(d), figure.Number(stats.PairedP(d))}
}

// Subjects implements [scenario.ReportBody]: it compares cells, not subjects.
func (r *Report) Subjects() []string { return nil }

// Subject implements [figure.Body].
func (r *Report) Subject(int) any { return nil }

// Remarks implements [scenario.ReportBody].
func (r *Report) Remarks() (notes, warnings []string) {
	if r.Runs.Failed > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %s failed", r.Runs.Failed, show.Count(r.Runs.All, "run")))
	}
	if r.Partial() {
		warnings = append(warnings, fmt.Sprintf("%d of %s %s not carried out", r.Runs.All-r.Runs.Done, show.Count(r.Runs.All, "run"), show.Verb(r.Runs.All-r.Runs.Done, "was", "were")))
	}
	return []string{}, append([]string{}, warnings...)
}

// Partial implements [scenario.ReportBody].
func (r *Report) Partial() bool { return r.Runs.Done < r.Runs.All }

// Complete reports whether every run ended.
func (r *Report) Complete() bool { return r.Runs.Failed == 0 && !r.Partial() }

// Sentences says what the result is.
func (r *Report) Sentences() (headline string, details []string) {
	ended := r.Runs.Done - r.Runs.Failed
	text := fmt.Sprintf("%d of %s ended", ended, show.Count(r.Runs.All, "run"))
	if r.Runs.Failed > 0 {
		text += fmt.Sprintf(", %d failed", r.Runs.Failed)
	}
	if len(r.Criteria) == 0 {
		return text, nil
	}
	return fmt.Sprintf("%s; %s: %s", text, Tallied(Tallies(r.Criteria)), r.Verdict), nil
}
