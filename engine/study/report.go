package study

import (
	"fmt"
	"maps"
	"slices"

	"berth/engine/figure"
	"berth/engine/show"
	"berth/engine/stats"
)

// Report is the body of the report of kind "experiment".
type Report struct {
	Base    Base            `json:"base"`
	Factors []FactorSummary `json:"factors"` // if reports have several subjects, these are the last factor
	Metrics []MetricSummary `json:"metrics"`
	Runs    Count           `json:"runs"`
	Cells   []Cell          `json:"cells"`

	Compare     string       `json:"compare,omitempty"`
	Comparisons []Comparison `json:"comparisons,omitempty"`

	Criteria []Judged `json:"criteria,omitempty"`
	Verdict  Verdict  `json:"verdict,omitempty"` // verdict over all criteria; "" without criteria
}

// Base identifies the scenario that was varied.
type Base struct {
	Kind     string `json:"kind"`
	Name     string `json:"name,omitempty"`
	Scenario string `json:"scenario"` // its hash
}

// FactorSummary is a factor with its levels; or the subjects of the reports, as if they
// were levels.
type FactorSummary struct {
	Name     string `json:"name"`
	Levels   []any  `json:"levels"`
	Subjects bool   `json:"subjects,omitempty"` // the levels are the subjects of the reports
}

// MetricSummary describes a metric.
type MetricSummary struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Unit   string `json:"unit,omitempty"`
	Better string `json:"better,omitempty"` // less or more
}

// Count has numbers of runs: all that are planned, those that have ended (Done), and how many of
// these failed.
type Count struct {
	All    int `json:"all"`
	Done   int `json:"done"`
	Failed int `json:"failed"`
}

// Cell is one combination of levels, for one subject if reports have several, with its
// results over the seeds.
type Cell struct {
	Index   int                  `json:"-"`      // index of the plan's cell; cells of different subjects share it
	Levels  map[string]any       `json:"levels"` // by factor
	N       int                  `json:"n"`      // number of completed runs
	Metrics map[string]Aggregate `json:"metrics"`
	Failed  []Failure            `json:"failed,omitempty"`

	subject string // name of the subject; "" if no run has ended
}

// Aggregate is a metric over the N seeds for which it is defined.
type Aggregate struct {
	figure.Estimate
	Values []figure.Number `json:"values"` // by seed
}

// Of returns a metric; undefined if no run of the cell has ended.
func (c *Cell) Of(metric string) Aggregate {
	if a, ok := c.Metrics[metric]; ok {
		return a
	}
	return Aggregate{Estimate: figure.EstimateOf(nil)}
}

// bySeed returns a metric by seed, NaN for undefined.
func (c *Cell) bySeed(metric string) []float64 {
	values := c.Metrics[metric].Values
	x := make([]float64, len(values))
	for seed, v := range values {
		x[seed] = float64(v)
	}
	return x
}

// At reports whether the cell has these levels. It ignores factors in which cells do not differ.
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

// Comparison has the paired differences between the cell at a level of the compared factor and the
// cell at the factor's first level. Both cells have the same levels of all other factors.
type Comparison struct {
	Levels  map[string]any              `json:"levels"` // levels of the other factors
	Level   any                         `json:"level"`
	Base    any                         `json:"base"`
	Metrics map[string]PairedDifference `json:"metrics"`
}

// PairedDifference is a difference over the N seeds for which a metric is defined in both
// cells.
type PairedDifference struct {
	figure.Estimate
	P figure.Number `json:"p"` // p-value of a two-sided paired t-test; undefined for fewer than two seeds
}

// Report returns the report of the results so far.
func (s *Sheet) Report() *Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.plan.document
	cells, factors := s.cells()
	r := &Report{
		Base: Base{d.Base.Kind, d.Base.Name, d.Base.Hash()}, Factors: factors, Metrics: []MetricSummary{},
		Runs: Count{All: len(s.results), Done: s.done, Failed: s.failed}, Cells: cells, Compare: d.Compare,
	}
	for _, m := range s.plan.metrics[:s.plan.shown] {
		r.Metrics = append(r.Metrics, MetricSummary{m.Name, m.Title, m.Unit, m.Better.String()})
	}
	r.compare()
	t := cellTable{d, cells}
	for i := range d.Criteria {
		r.Criteria = append(r.Criteria, t.judge(&d.Criteria[i]))
	}
	for _, m := range s.plan.metrics[s.plan.shown:] { // the report omits metrics that only criteria need
		for i := range cells {
			delete(cells[i].Metrics, m.Name)
		}
	}
	correct(r.Criteria)
	r.Verdict = Conclude(r.Criteria)
	return r
}

// compare compares each cell with the cell at the first level of the compared factor.
func (r *Report) compare() {
	if !slices.ContainsFunc(r.Factors, func(f FactorSummary) bool { return f.Name == r.Compare }) {
		return
	}
	r.Comparisons = []Comparison{}
	first := map[string]*Cell{} // by the levels of the other factors
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.N == 0 {
			continue
		}
		others, key := maps.Clone(c.Levels), ""
		delete(others, r.Compare)
		for _, f := range r.Factors {
			if f.Name != r.Compare {
				key += fmt.Sprintf("%q", levelName(c.Levels[f.Name]))
			}
		}
		base, ok := first[key]
		if !ok {
			first[key] = c
			continue
		}
		compared := Comparison{Levels: others, Level: c.Levels[r.Compare], Base: base.Levels[r.Compare], Metrics: map[string]PairedDifference{}}
		for _, m := range r.Metrics {
			d := paired(c.bySeed(m.Name), base.bySeed(m.Name))
			compared.Metrics[m.Name] = PairedDifference{figure.EstimateOf(d), figure.Number(stats.PairedP(d))}
		}
		r.Comparisons = append(r.Comparisons, compared)
	}
}

// paired returns a − b for the seeds where both are defined.
func paired(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i] // NaN if a[i] or b[i] is NaN
	}
	return stats.Defined(d)
}

// Subjects implements [scenario.ReportBody]. An experiment compares cells and has no
// subjects.
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

// Complete implements [scenario.ReportBody]: every run ended without failure.
func (r *Report) Complete() bool { return r.Runs.Failed == 0 && !r.Partial() }

// Sentences summarises the result.
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
