package study

import (
	"math"
	"slices"
	"sync"
)

// Sheet takes the results of the runs of a plan as they come, in any order. Its methods
// may be called from any goroutine.
type Sheet struct {
	plan          *Plan
	share, shares int // of the jobs; 0 shares: all

	mu      sync.Mutex
	jobs    []Job      // nil until all is called
	results []*figures // by run; nil before it arrives
	states  []State    // by run
	done    int
	failed  int
	last    []string // subjects of the result before, which those of the next mostly are
}

// State is that of a run.
type State byte

// The states.
const (
	Waiting State = iota
	Running
	Ended
	Broken // it failed
)

// figures are what a sheet keeps of a result.
type figures struct {
	failed   string
	hash     string
	subjects []string
	values   []float64 // by subject and metric; NaN where it is not defined
}

// NewSheet returns a sheet without results.
func (p *Plan) NewSheet() *Sheet {
	return &Sheet{plan: p, results: make([]*figures, p.Runs()), states: make([]State, p.Runs())}
}

// Done returns how many runs have a result, with those that failed.
func (s *Sheet) Done() (done, failed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done, s.failed
}

// States returns the state of each run.
func (s *Sheet) States() []State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.states)
}

// add takes the result of a run; hash is that of the run's scenario. A second result of
// the same run is passed over.
func (s *Sheet) add(run int, hash string, r *Result) {
	if s.results[run] != nil {
		return
	}
	s.done++
	f := &figures{failed: r.Error, hash: hash}
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

// addAll adds the result of several runs.
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

// result returns that of a cell with a seed, nil if there is none.
func (s *Sheet) result(cell, seed int) *figures { return s.results[seed*len(s.plan.cells)+cell] }

// observations returns a metric of a subject of a cell by seed, NaN where there is
// none.
func (s *Sheet) observations(row *row, metric int) []float64 {
	all := make([]float64, s.plan.document.seeds())
	for seed := range all {
		all[seed] = math.NaN()
		if f := s.result(row.cell, seed); f != nil && row.subject != nil {
			if i := slices.Index(f.subjects, *row.subject); i >= 0 {
				all[seed] = f.values[i*len(s.plan.metrics)+metric]
			}
		}
	}
	return all
}

// row is one row of the table: a cell, and a subject of its reports.
type row struct {
	cell    int
	subject *string // nil where every run of the cell failed, or none has come
	names   []string
}

// rows returns the rows of the table by cell, and the names of what they differ in:
// the factors and, where a report has more than one, the subjects. A row names its
// levels in the same order.
func (s *Sheet) rows() (rows []row, dimensions []string) {
	for _, f := range s.plan.document.Factors {
		dimensions = append(dimensions, f.Name)
	}
	several := slices.ContainsFunc(s.results, func(f *figures) bool { return f != nil && len(f.subjects) > 1 })
	for c := range s.plan.cells {
		var names []string
		for f, level := range s.plan.levels[c] {
			names = append(names, s.plan.document.Factors[f].Levels[level].String())
		}
		subjects := s.subjects(c)
		if len(subjects) == 0 {
			rows = append(rows, row{cell: c, names: names})
		}
		for i := range subjects {
			r := row{cell: c, subject: &subjects[i], names: names}
			if several {
				r.names = append(slices.Clip(names), subjects[i])
			}
			rows = append(rows, r)
		}
	}
	if several {
		dimensions = append(dimensions, s.subjectDimension(dimensions))
	}
	return rows, dimensions
}

// subjectDimension keeps the name of the subjects apart from those of factors.
func (s *Sheet) subjectDimension(taken []string) string {
	name := subjectOf(s.plan.kind)
	if slices.Contains(taken, name) {
		return name + " of the report"
	}
	return name
}

// subjects returns those of all reports of a cell, in the order of the seeds.
func (s *Sheet) subjects(cell int) []string {
	var all []string
	for seed := range s.plan.document.seeds() {
		if f := s.result(cell, seed); f != nil {
			for _, name := range f.subjects {
				if !slices.Contains(all, name) {
					all = append(all, name)
				}
			}
		}
	}
	return all
}
