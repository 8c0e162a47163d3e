package placement

import (
	"errors"
	"math"
	"slices"
	"sort"

	"berth/engine/solve"
)

// Standing explains the cluster of one job: the job's cost on every other cluster while all other
// jobs stay, or the reason why it cannot move there.
type Standing struct {
	Job     string // DOT id
	Name    string
	Cluster string
	Cost    *float64 // of the job with its links; nil without prices
	Moves   []Move   // to every other cluster: cheapest first, then the refusals in file order
	Swap    *Swap    // the best exchange with another job; nil without prices or if none is possible
}

// Move puts a job on another cluster while all others stay. Cost and Change (the difference from
// the present cost) are nil if a constraint refuses the move or the clusters have no prices. Kind
// and Text are set only for a refusal.
type Move struct {
	Cluster string
	Name    string
	Cost    *float64
	Change  *float64
	Kind    string `json:"kind,omitempty"` // of the refusal
	Text    string `json:"text,omitempty"`
}

// Swap is an exchange of the clusters of two jobs.
type Swap struct {
	With    string // DOT id of the other job
	Cluster string
	Change  float64 // of the total cost
}

// Stander explains a placement job by job.
type Stander struct {
	problem *Problem
	general *solve.Problem
	cluster []int32
	load    [][]float64 // by resource and cluster, in parts
}

// NewStander prepares explanations of a complete placement; any other solution is an error.
func NewStander(p *Problem, s Solution) (*Stander, error) {
	if !s.Complete() {
		return nil, errors.New("there is no placement to explain")
	}
	e := &Stander{problem: p, general: p.Assignment(), cluster: slices.Clone(s.Cluster)}
	for r := range e.general.Resources {
		load := make([]float64, e.general.Clusters)
		for job, at := range s.Cluster {
			load[at] += e.general.Amount(r, job, int(at))
		}
		e.load = append(e.load, load)
	}
	return e, nil
}

// Standing explains the cluster of one job.
func (e *Stander) Standing(job int) Standing {
	m := e.without(int32(job))
	jobs, clusters := e.problem.deployment.Jobs(), e.problem.capacity.federation.Clusters()
	at := int(e.cluster[job])
	priced, here := e.problem.Priced(), m.Cost(at)
	s := Standing{Job: jobs.ID(job), Name: jobs.Name(job), Cluster: clusters.ID(at)}
	if priced {
		s.Cost, s.Swap = &here, e.swap(job)
	}
	var refused []Move
	for j := range clusters.Len() {
		if j == at {
			continue
		}
		move := Move{Cluster: clusters.ID(j), Name: clusters.Name(j)}
		if r, no := m.Refusal(j); no {
			move.Kind, move.Text = r.Kind, r.Text
			refused = append(refused, move)
			continue
		}
		if priced {
			cost := m.Cost(j)
			change := cost - here
			move.Cost, move.Change = &cost, &change
		}
		s.Moves = append(s.Moves, move)
	}
	if priced {
		sort.SliceStable(s.Moves, func(i, j int) bool { return *s.Moves[i].Cost < *s.Moves[j].Cost })
	}
	s.Moves = append(s.Moves, refused...)
	return s
}

// Refused lists the jobs that their clusters refuse, each with all other jobs in place. Name
// is "job on cluster".
func (e *Stander) Refused() (all []Move) {
	jobs := e.problem.deployment.Jobs()
	for job, at := range e.cluster {
		if r, no := e.without(int32(job)).Refusal(int(at)); no {
			all = append(all, Move{Cluster: r.Cluster, Name: jobs.Name(job) + " on " + r.Name, Kind: r.Kind, Text: r.Text})
		}
	}
	return all
}

// without returns an attempt with all other jobs placed, so the given job is the current one.
func (e *Stander) without(job int32) *Attempt {
	order := slices.DeleteFunc(fileOrder(len(e.cluster)), func(other int32) bool { return other == job })
	m := e.problem.NewAttempt(append(order, job))
	m.follow(e.cluster, len(order))
	return m
}

// swap returns the exchange with the smallest change of cost (negative if it saves), nil if none is
// possible.
func (e *Stander) swap(job int) *Swap {
	best, least := -1, math.Inf(1)
	for other := range e.cluster {
		if e.cluster[other] == e.cluster[job] || !e.fits(job, int(e.cluster[other]), other) || !e.fits(other, int(e.cluster[job]), job) {
			continue
		}
		before := e.costOf(job, other)
		e.turn(job, other)
		if change := e.costOf(job, other) - before; change < least && e.stands() {
			best, least = other, change
		}
		e.turn(job, other)
	}
	if best < 0 {
		return nil
	}
	p := e.problem
	return &Swap{
		With: p.deployment.Jobs().ID(best), Cluster: p.capacity.federation.Clusters().ID(int(e.cluster[best])), Change: least,
	}
}

// fits reports whether a cluster allows a job and has room for it once the job leaves has gone (-1:
// no job leaves).
func (e *Stander) fits(job, c, leaves int) bool {
	for r, load := range e.load {
		rest := load[c]
		if leaves >= 0 {
			rest -= e.general.Amount(r, leaves, c)
		}
		if rest+e.general.Amount(r, job, c) > e.general.Resources[r].Capacity[c] {
			return false
		}
	}
	return e.general.Allowed(job, c)
}

func (e *Stander) turn(a, b int) { e.cluster[a], e.cluster[b] = e.cluster[b], e.cluster[a] }

// costOf returns the cost of two jobs with all their links, +Inf if a dependency is violated.
func (e *Stander) costOf(a, b int) float64 {
	cost := e.general.NodeCost(a, int(e.cluster[a])) + e.general.NodeCost(b, int(e.cluster[b]))
	for _, job := range [2]int{a, b} {
		neighbours, dependencies := e.problem.deployment.Neighbours(job)
		for i, k := range dependencies {
			if job == b && int(neighbours[i]) == a {
				continue // counted with a
			}
			ends := e.general.Dependencies[k]
			cost += e.general.PairCost(int(k), int(e.cluster[ends.A]), int(e.cluster[ends.B]))
		}
	}
	return cost
}

// stands checks the whole placement: the bandwidth of links, counting rules and nodes.
func (e *Stander) stands() bool {
	return (len(e.general.Lanes) == 0 || e.general.Check(e.cluster) == nil) && e.problem.stands(e.cluster)
}
