package placement

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/event"
	"berth/engine/show"
)

// MostPlayed is the largest number of expansions that a playback records.
const MostPlayed = 1_000_000

// Playback records every decision of a search that places job by job. The times of its log are
// steps. Steps without an event are immediate refusals of the current job, in file order, which
// [Playback.Step] recomputes on demand.
type Playback struct {
	event.Log
	problem  *Problem // nil before a search begins
	phi      float64
	solution Solution // the search's result
	waiting  int64    // refusals since the last event
}

// The kinds of events of a search. Things are jobs, places are clusters.
const (
	PlayedRefused uint8 = iota // the cluster refuses the job
	PlayedPlaced               // the cluster takes the job
	PlayedBack                 // the next job finds no cluster, so this job leaves its cluster
	PlayedEnd                  // all jobs are placed, or the search gave up
)

// Events describes the kinds of events. Their words take the job, its cluster and the next job in
// order.
var Events = []event.Kind{
	PlayedRefused: {Name: "refused", Words: "%[1]s is tried on %[2]s, refused"},
	PlayedPlaced:  {Name: "placed", Words: "%[1]s is placed on %[2]s", Does: event.Begins},
	PlayedBack:    {Name: "taken back", Words: "%[3]s finds no cluster, so %[1]s leaves %[2]s again", Does: event.Ends},
	PlayedEnd:     {Name: "ended", Words: "the search ends"},
}

// Played is one step of a search, with the state after it.
type Played struct {
	Step    int64 // from 0
	Steps   int64
	Kind    uint8  // see [Events]
	Job     string // DOT id; "" at the end
	Cluster string // the cluster that refuses or takes the job, or that the job leaves
	Text    string
	Row     *Explanation // the current job's PA and refusals before the decision
	Order   []PlayedJob  // all jobs in search order
}

// PlayedJob is a job in search order with its current cluster ("" if it has none).
type PlayedJob struct {
	Job     string
	Name    string
	Y       float64
	Cluster string
}

// Play runs a search again and records its decisions. It returns nil for a strategy that does not
// place job by job.
func Play(ctx context.Context, strategy Strategy, p *Problem, o Options) *Playback {
	b := &Playback{phi: o.Phi}
	o.Budget, o.Progress, o.log = min(o.Budget, MostPlayed), nil, b
	b.solution = strategy.Place(ctx, p, o)
	if b.problem == nil {
		return nil
	}
	b.Add(event.Event{At: b.Steps() + b.waiting, What: PlayedEnd, Thing: -1, On: -1, By: -1})
	return b
}

// begins counts the clusters that refuse the new current job at once.
func (b *Playback) begins(s *search) {
	if b == nil {
		return
	}
	b.waiting += int64(len(s.scratch))
	for range s.able {
		b.waiting--
	}
}

// add records an event of the job at a depth of the search.
func (b *Playback) add(what uint8, s *search, step int, cluster int32) {
	if b == nil {
		return
	}
	e := event.Event{At: b.Steps() + b.waiting, What: what, Thing: s.order[step], On: cluster, By: -1}
	if what == PlayedBack {
		e.By = s.order[step+1]
	}
	b.Add(e)
	b.waiting = 0
}

// Steps returns the number of steps, including the end.
func (b *Playback) Steps() int64 {
	if len(b.At) == 0 {
		return 0
	}
	return b.At[len(b.At)-1] + 1
}

// Past returns the nearest step after the given one (before it if by < 0) that is not an immediate
// refusal. It stops at the first and the last step.
func (b *Playback) Past(step int64, by int) int64 {
	next, exact := slices.BinarySearch(b.At, step)
	switch {
	case by > 0 && exact:
		next++
	case by < 0 && next == 0:
		return 0
	case by < 0:
		next--
	}
	return b.At[min(next, len(b.At)-1)]
}

// Step recomputes one step; steps count from 0.
func (b *Playback) Step(step int64) (Played, error) {
	if step < 0 || step >= b.Steps() {
		return Played{}, fmt.Errorf("there is no step %d: the search has %d", step, b.Steps())
	}
	next, decides := slices.BinarySearch(b.At, step)
	m, tried := b.before(next)
	e := b.Event(next)
	p := Played{Step: step, Steps: b.Steps()}
	if job, left := m.Job(); left {
		if !decides {
			refusals := step
			if next > 0 {
				refusals -= b.At[next-1] + 1
			}
			e = event.Event{What: PlayedRefused, Thing: int32(job), On: b.nth(m, int32(job), refusals), By: -1}
		}
		chosen := int32(-1)
		if e.What == PlayedPlaced {
			chosen = e.On
		}
		row := m.explanation(b.phi, chosen)
		for i := range row.PA {
			row.PA[i].Tried = slices.Contains(tried, row.PA[i].index)
		}
		p.Job, p.Row = row.Job, &row
	}
	b.decide(&p, m, e)
	return p, nil
}

// before replays the attempt up to an event. tried lists the clusters that the current job has
// already tried.
func (b *Playback) before(next int) (m *Attempt, tried []int32) {
	m = b.problem.NewAttempt(b.solution.Order)
	var clusters []int32
	all := make([][]int32, len(m.order)+1)
	for i, what := range b.What[:next] {
		depth := len(clusters)
		if what == PlayedBack {
			clusters = clusters[:depth-1]
			continue
		}
		all[depth] = append(all[depth], b.On[i])
		if what == PlayedPlaced {
			clusters = append(clusters, b.On[i])
			all[depth+1] = all[depth+1][:0]
		}
	}
	for _, j := range clusters {
		m.stand(int(j))
	}
	return m, all[m.step]
}

// nth returns the n-th cluster, in file order, that refuses a job at once.
func (b *Playback) nth(m *Attempt, job int32, n int64) int32 {
	j := int32(-1)
	for ; n >= 0; n-- {
		for j++; m.fits(job, int(j)); j++ {
		}
	}
	return j
}

// decide applies an event to the attempt and describes it.
func (b *Playback) decide(p *Played, m *Attempt, e event.Event) {
	p.Kind = e.What
	_, _, p.Text = b.describe(e)
	switch e.What {
	case PlayedEnd:
		if p.Text = b.solution.Why(); b.solution.Status == Placed {
			p.Text = show.Count(b.problem.deployment.Jobs().Len(), "job") + " placed"
		}
	case PlayedBack:
		m.Back()
	case PlayedRefused:
		r, _ := m.Refusal(int(e.On))
		p.Text += ": " + r.Text
	case PlayedPlaced:
		m.stand(int(e.On))
	}
	if e.On >= 0 {
		p.Cluster = b.problem.capacity.federation.Clusters().ID(int(e.On))
	}
	b.lay(p, m)
}

// Describe implements [event.Names].
func (b *Playback) Describe(i int) (job, cluster, words string) { return b.describe(b.Event(i)) }

func (b *Playback) describe(e event.Event) (job, cluster, words string) {
	jobs, after := b.problem.deployment.Jobs(), ""
	if e.Thing >= 0 {
		job, cluster = jobs.Name(int(e.Thing)), b.problem.capacity.federation.Clusters().Name(int(e.On))
	}
	if e.By >= 0 {
		after = jobs.Name(int(e.By))
	}
	return job, cluster, Events[e.What].Say(e.By, job, cluster, after)
}

// lay lists the jobs with their clusters after a step.
func (b *Playback) lay(p *Played, m *Attempt) {
	jobs, clusters := b.problem.deployment.Jobs(), b.problem.capacity.federation.Clusters()
	for _, job := range m.order {
		j := PlayedJob{Job: jobs.ID(int(job)), Name: jobs.Name(int(job)), Y: units(b.problem.y[job])}
		if at := m.cluster[job]; at >= 0 {
			j.Cluster = clusters.ID(int(at))
		}
		p.Order = append(p.Order, j)
	}
}
