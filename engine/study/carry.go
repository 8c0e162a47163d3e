package study

import (
	"context"
	"sync"

	"berth/engine/scenario"
)

// Store keeps the results of runs by key (see [Plan.Key]).
type Store interface {
	// Get returns nil if no result is kept.
	Get(ctx context.Context, key string) (*Result, error)
	Put(ctx context.Context, key string, r *Result) error
}

// Job is a run to carry out. All runs with its key share the result.
type Job struct {
	Key      string
	Run      int // the first one with the key
	Scenario scenario.Scenario

	group *group
}

// Executor carries jobs out: here, in the workers of a page, or on other machines.
type Executor interface {
	// Execute takes jobs until next has no more, and gives each result to done, in any
	// order. Both may be called from any goroutine until it returns. An error ends the
	// study; the jobs that were done stay done.
	Execute(ctx context.Context, next func() (Job, bool), done func(Job, *Result) error) error
}

// InOrder executes jobs one after the other in the goroutine of its caller. A pool of
// workers is several goroutines that each do so.
type InOrder func(context.Context, Job) (*Result, error)

// Execute implements [Executor].
func (run InOrder) Execute(ctx context.Context, next func() (Job, bool), done func(Job, *Result) error) error {
	for job, ok := next(); ok; job, ok = next() {
		r, err := run(ctx, job)
		if err == nil {
			err = done(job, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Memory is a store that lasts as long as its program.
type Memory struct{ results sync.Map }

// Get implements [Store].
func (m *Memory) Get(_ context.Context, key string) (*Result, error) {
	r, _ := m.results.Load(key)
	result, _ := r.(*Result)
	return result, nil
}

// Put implements [Store].
func (m *Memory) Put(_ context.Context, key string, r *Result) error {
	m.results.Store(key, r)
	return nil
}

// group is the runs that share a result.
type group struct {
	key  string
	runs []int
}

// Share leaves only every n-th job to [Sheet.Carry], beginning with the i-th, from 0.
func (s *Sheet) Share(i, n int) { s.share, s.shares = i, n }

// Jobs returns how many jobs Carry has, with those whose results are known.
func (s *Sheet) Jobs(ctx context.Context) (int, error) {
	mine, err := s.mine(ctx)
	return len(mine), err
}

// Carry carries out the runs that have no result: it takes the results that the store
// has, gives each other key to the executor once, and keeps what comes on the sheet and
// in the store, which may be nil. It hears of each job in turn, unless told is nil. What
// stops it is an error; the next call continues where it stopped.
func (s *Sheet) Carry(ctx context.Context, store Store, executor Executor, told func(known bool)) error {
	if told == nil {
		told = func(bool) {}
	}
	jobs, err := s.mine(ctx)
	if err == nil {
		jobs, err = s.find(ctx, store, jobs, told)
	}
	if err != nil {
		return err
	}
	defer s.rest(jobs)
	next := func() (Job, bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for len(jobs) > 0 && ctx.Err() == nil {
			g := jobs[0]
			jobs = jobs[1:]
			run := s.plan.Run(g.runs[0])
			if run.Err == nil {
				s.mark(g, Waiting, Running)
				return Job{g.key, g.runs[0], run.Scenario, g}, true
			}
			s.addAll(g, Failed(s.plan.kind.Name, run.Err))
			told(false)
		}
		return Job{}, false
	}
	done := func(j Job, r *Result) error {
		s.mu.Lock()
		s.addAll(j.group, r)
		told(false)
		s.mu.Unlock()
		if store == nil {
			return nil
		}
		return store.Put(context.WithoutCancel(ctx), j.Key, r)
	}
	err = executor.Execute(ctx, next, done)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// Find puts on the sheet what a store has, also of the shares of others.
func (s *Sheet) Find(ctx context.Context, store Store) error {
	all, err := s.grouped(ctx)
	if err == nil {
		_, err = s.find(ctx, store, all, func(bool) {})
	}
	return err
}

// find returns the groups that have no result in the store either.
func (s *Sheet) find(ctx context.Context, store Store, all []*group, told func(known bool)) (missing []*group, err error) {
	for _, g := range all {
		if s.has(g) {
			continue
		}
		var r *Result
		if store != nil {
			r, err = store.Get(ctx, g.key)
		}
		if err != nil {
			return nil, err
		}
		if r == nil || !s.plan.Covers(r) {
			missing = append(missing, g)
			continue
		}
		s.mu.Lock()
		s.addAll(g, r)
		told(true)
		s.mu.Unlock()
	}
	return missing, nil
}

// mine returns the groups of the share.
func (s *Sheet) mine(ctx context.Context) ([]*group, error) {
	all, err := s.grouped(ctx)
	if err != nil || s.shares < 2 {
		return all, err
	}
	var mine []*group
	for i := s.share; i < len(all); i += s.shares {
		mine = append(mine, all[i])
	}
	return mine, nil
}

// grouped returns the runs by key, in the order of their first ones. A run that cannot
// be made fails at once.
func (s *Sheet) grouped(ctx context.Context) ([]*group, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.groups != nil {
		return s.groups, nil
	}
	byKey, all := map[string]*group{}, []*group{}
	for i := range s.results {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		key, err := s.plan.Key(i)
		if err != nil {
			s.add(i, "", Failed(s.plan.kind.Name, err))
			continue
		}
		g := byKey[key]
		if g == nil {
			g = &group{key: key}
			byKey[key], all = g, append(all, g)
		}
		g.runs = append(g.runs, i)
	}
	s.groups = all
	return all, nil
}

// addAll adds the result of all runs of a group.
func (s *Sheet) addAll(g *group, r *Result) {
	for _, i := range g.runs {
		hash := ""
		if r.Error != "" {
			if run := s.plan.Run(i); run.Err == nil {
				hash = run.Scenario.Hash()
			}
		}
		s.add(i, hash, r)
	}
}

func (s *Sheet) has(g *group) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.results[g.runs[0]] != nil
}

// rest says that what was begun and not done waits again.
func (s *Sheet) rest(jobs []*group) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range jobs {
		s.mark(g, Running, Waiting)
	}
}

func (s *Sheet) mark(g *group, from, to State) {
	for _, i := range g.runs {
		if s.states[i] == from {
			s.states[i] = to
		}
	}
}
