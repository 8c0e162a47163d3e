package study

import (
	"math"
	"slices"
	"sync"

	"berth/engine/figure"
)

// Sheet collects the results of the runs of a plan, in any order. Its methods may be
// called from any goroutine.
type Sheet struct {
	plan          *Plan
	share, shares int // Carry executes every shares-th job, starting with share; shares 0: all

	mu      sync.Mutex
	jobs    []Job         // nil until all is called
	results []*runFigures // by run; nil before it arrives
	states  []RunState    // by run
	done    int
	failed  int
	last    []string // subjects of the previous result, which the next one usually shares
}

// RunState is the state of a run.
type RunState byte

// The states.
const (
	Waiting RunState = iota
	Running
	Ended
	Broken // ended with an error
)

// runFigures are the result of a run as a sheet keeps it.
type runFigures struct {
	failed   string
	hash     string
	subjects []string
	values   []float64 // by subject and metric; NaN for undefined
}

// NewSheet returns an empty sheet for the results of this plan's runs.
func (p *Plan) NewSheet() *Sheet {
	return &Sheet{plan: p, results: make([]*runFigures, p.Runs()), states: make([]RunState, p.Runs())}
}

// Done returns the number of runs with a result, and how many of them failed.
func (s *Sheet) Done() (done, failed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done, s.failed
}

// States returns the state of each run.
func (s *Sheet) States() []RunState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.states)
}

// add records the result of a run; hash names the scenario of the run. It ignores a
// second result of the same run.
func (s *Sheet) add(run int, hash string, r *Result) {
	if s.results[run] != nil {
		return
	}
	s.done++
	f := &runFigures{failed: r.Error, hash: hash}
	s.results[run], s.states[run] = f, Ended
	if r.Error != "" {
		s.states[run] = Broken
		s.failed++
		return
	}
	if !slices.Equal(s.last, r.Subjects) {
		s.last = r.Subjects
	}
	f.subjects = s.last
	f.values = make([]float64, 0, len(f.subjects)*len(s.plan.metrics))
	for i := range f.subjects {
		for _, m := range s.plan.metrics {
			v := math.NaN()
			if of := r.Metrics[m.Name]; i < len(of) {
				v = float64(of[i])
			}
			f.values = append(f.values, v)
		}
	}
}

// addAll records one result for several runs.
func (s *Sheet) addAll(runs []int, r *Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range runs {
		hash := ""
		if r.Error != "" {
			if run := s.plan.Run(i); run.Err == nil {
				hash = run.Scenario.Hash()
			}
		}
		s.add(i, hash, r)
	}
}

// missing returns the jobs without a result.
func (s *Sheet) missing(jobs []Job) (missing []Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range jobs {
		if s.results[j.Run] == nil {
			missing = append(missing, j)
		}
	}
	return missing
}

func (s *Sheet) begin(runs []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range runs {
		s.states[i] = Running
	}
}

// rest returns the runs that have begun and not ended to the state Waiting.
func (s *Sheet) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, state := range s.states {
		if state == Running {
			s.states[i] = Waiting
		}
	}
}

// cells returns the cells of the report with all metrics: one for each subject of a cell
// of the plan. If a report has several subjects, they are the last of the factors.
func (s *Sheet) cells() (cells []Cell, factors []FactorSummary) {
	d := s.plan.document
	factors = []FactorSummary{}
	for _, f := range d.Factors {
		of := FactorSummary{Name: f.Name}
		for _, l := range f.Levels {
			of.Levels = append(of.Levels, l.shown())
		}
		factors = append(factors, of)
	}
	var subjects *FactorSummary
	if slices.ContainsFunc(s.results, func(f *runFigures) bool { return f != nil && len(f.subjects) > 1 }) {
		name := subjectOf(s.plan.kind)
		if d.levels(name) != nil {
			name += " of the report"
		}
		factors = append(factors, FactorSummary{Name: name, Subjects: true})
		subjects = &factors[len(d.Factors)]
	}
	for at := range s.plan.cells {
		names := s.subjects(at)
		for i := range max(1, len(names)) {
			c := Cell{Index: at, Levels: map[string]any{}, Metrics: map[string]Aggregate{}}
			for f, level := range s.plan.levels[at] {
				c.Levels[d.Factors[f].Name] = factors[f].Levels[level]
			}
			if len(names) > 0 {
				c.subject = names[i]
			}
			if len(names) > 0 && subjects != nil {
				c.Levels[subjects.Name] = c.subject
				if !slices.Contains(subjects.Levels, any(c.subject)) {
					subjects.Levels = append(subjects.Levels, c.subject)
				}
			}
			s.fill(&c)
			cells = append(cells, c)
		}
	}
	return cells, factors
}

// fill adds the failed runs of a cell and, if it has a subject, the metrics of the
// subject.
func (s *Sheet) fill(c *Cell) {
	seeds := s.plan.document.seeds()
	values := make([][]float64, len(s.plan.metrics))
	for k := range values {
		values[k] = slices.Repeat([]float64{math.NaN()}, seeds)
	}
	for seed := range seeds {
		f := s.results[seed*len(s.plan.cells)+c.Index]
		if f == nil {
			continue
		}
		if f.failed != "" {
			c.Failed = append(c.Failed, Failure{seed, f.hash, f.failed})
		}
		if i := slices.Index(f.subjects, c.subject); i >= 0 {
			c.N++
			for k := range values {
				values[k][seed] = f.values[i*len(values)+k]
			}
		}
	}
	if c.N == 0 {
		return
	}
	for k, m := range s.plan.metrics {
		numbers := make([]figure.Number, seeds)
		for seed, v := range values[k] {
			numbers[seed] = figure.Number(v)
		}
		c.Metrics[m.Name] = Aggregate{figure.EstimateOf(values[k]), numbers}
	}
}

// subjects returns the subjects of all reports of a cell, in the order of the seeds.
func (s *Sheet) subjects(cell int) []string {
	var all []string
	for seed := range s.plan.document.seeds() {
		if f := s.results[seed*len(s.plan.cells)+cell]; f != nil {
			for _, name := range f.subjects {
				if !slices.Contains(all, name) {
					all = append(all, name)
				}
			}
		}
	}
	return all
}
