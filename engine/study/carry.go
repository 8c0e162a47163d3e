package study

import (
	"context"

	"berth/engine/runs"
	"berth/engine/scenario"
)

// Store keeps the results of runs by key; see [Plan.Key].
type Store = runs.Keeper[string, Result]

// Memory is a store that lasts as long as its program.
type Memory = runs.Memory[string, Result]

// Workers execute the jobs of a plan, on this machine or elsewhere; see [runs.Workers].
type Workers = runs.Workers[Job, Result]

// Job is a run to execute. All runs with its key share the result.
type Job struct {
	Key      string
	Run      int               // first run with the key
	Scenario scenario.Scenario // zero until a worker takes the job

	runs []int // all runs with the key
}

// Share leaves only every n-th job to [Sheet.Carry], beginning with the i-th, from 0.
func (s *Sheet) Share(i, n int) { s.share, s.shares = i, n }

// Jobs returns the jobs of Carry, including jobs whose results are known. A run without a valid
// scenario has no job: it fails at once.
func (s *Sheet) Jobs(ctx context.Context) ([]Job, error) {
	all, err := s.all(ctx)
	if err != nil || s.shares < 2 {
		return all, err
	}
	var mine []Job
	for i := s.share; i < len(all); i += s.shares {
		mine = append(mine, all[i])
	}
	return mine, nil
}

// Carry executes the jobs without a result, except the jobs whose results are in the store; store
// may be nil. It calls ended, unless nil, after each job. After an error, the next call continues.
func (s *Sheet) Carry(ctx context.Context, store Store, workers Workers, ended func(known bool)) error {
	jobs, err := s.Jobs(ctx)
	if err != nil {
		return err
	}
	defer s.rest()
	e := s.executor(store, ended)
	e.Workers = workers
	return e.Execute(ctx, s.missing(jobs))
}

// Find adds the results in a store to the sheet, including results of other shares.
func (s *Sheet) Find(ctx context.Context, store Store) error {
	jobs, err := s.all(ctx)
	if err == nil {
		_, err = s.executor(store, nil).Find(ctx, s.missing(jobs))
	}
	return err
}

func (s *Sheet) executor(store Store, ended func(known bool)) *runs.Executor[Job, Result] {
	e := &runs.Executor[Job, Result]{
		Begin: func(j *Job) *Result {
			run := s.plan.Run(j.Run)
			if run.Err != nil {
				return Failed(s.plan.kind.Name, run.Err)
			}
			j.Scenario = run.Scenario
			s.begin(j.runs)
			return nil
		},
		Ended: func(j Job, r *Result, known bool) {
			s.addAll(j.runs, r)
			if ended != nil {
				ended(known)
			}
		},
	}
	if store != nil {
		e.Keeper = covering{store, s.plan}
	}
	return e
}

// covering keeps the results of jobs in a store. It omits results that lack metrics of the plan.
type covering struct {
	store Store
	plan  *Plan
}

// Get implements [runs.Keeper].
func (c covering) Get(ctx context.Context, j Job) (*Result, error) {
	r, err := c.store.Get(ctx, j.Key)
	if r != nil && !c.plan.Covers(r) {
		r = nil
	}
	return r, err
}

// Put implements [runs.Keeper].
func (c covering) Put(ctx context.Context, j Job, r *Result) error { return c.store.Put(ctx, j.Key, r) }

// all returns one job for each key, in the order of their first runs.
func (s *Sheet) all(ctx context.Context) ([]Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.jobs != nil {
		return s.jobs, nil
	}
	at, jobs := map[string]int{}, []Job{}
	for i := range s.results {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		key, err := s.plan.Key(i)
		if err != nil {
			s.add(i, "", Failed(s.plan.kind.Name, err))
			continue
		}
		of, known := at[key]
		if !known {
			of, at[key] = len(jobs), len(jobs)
			jobs = append(jobs, Job{Key: key, Run: i})
		}
		jobs[of].runs = append(jobs[of].runs, i)
	}
	s.jobs = jobs
	return jobs, nil
}
