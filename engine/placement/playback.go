package placement

import (
	"context"
	"fmt"
	"math"
	"slices"

	"berth/engine/show"
)

// MostPlayed is how many expansions of a search a playback keeps.
const MostPlayed = 1_000_000

// Playback keeps every decision of a search that places job by job: a cluster refuses the
// job whose turn it is, a cluster takes it, or a job is taken back. It stores the moves
// alone, 12 bytes each, and works a step out when it is asked for.
type Playback struct {
	problem  *Problem // nil before a search begins
	phi      float64
	solution Solution
	moves    []int32 // the cluster that took the job, ^cluster for one that was tried and refused it, takenBack or ended
	at       []int64 // beside moves: its step; the steps between two moves are refusals
	waiting  int64   // refusals before the next move
}

// The moves that are no clusters: the last job leaves its own, and the end.
const (
	takenBack = math.MaxInt32 - iota
	ended
)

// PlayedKind says what happens in a step of a search.
type PlayedKind string

// The kinds of steps.
const (
	PlayedRefused PlayedKind = "refused"    // the cluster refuses the job
	PlayedPlaced  PlayedKind = "placed"     // the cluster takes the job
	PlayedBack    PlayedKind = "taken back" // the job before finds no cluster any more, so this one leaves its own
	PlayedEnd     PlayedKind = "ended"      // the last step: all jobs are placed, or the search gave up
)

// Played is one step of a search, as things are after it.
type Played struct {
	Step    int64           `json:"step"` // from 0
	Steps   int64           `json:"steps"`
	Kind    PlayedKind      `json:"kind"`
	Job     string          `json:"job,omitempty"`     // DOT id; "" at the end
	Cluster string          `json:"cluster,omitempty"` // that refuses or takes it, or that it leaves
	Text    string          `json:"text"`
	Row     *Explanation    `json:"row,omitempty"` // of the job whose turn it is, before the decision: its PA and its refusals
	Order   []PlayedJob     `json:"order"`         // SJ, or the order of the strategy
	Left    []PlayedCluster `json:"left"`          // clusters with jobs and the one of this step, or all of a few
	Backs   int             `json:"backs"`         // how many jobs were taken back up to here
}

// PlayedJob is a job in the order of the search, with the cluster that it has for now.
type PlayedJob struct {
	Job     string  `json:"job"`
	Name    string  `json:"name"`
	Y       float64 `json:"y"`
	Cluster string  `json:"cluster,omitempty"`
}

// PlayedCluster is how full a cluster is: of its first resource that jobs use up.
type PlayedCluster struct {
	Cluster string   `json:"cluster"`
	Name    string   `json:"name"`
	Jobs    []string `json:"jobs"`
	Used    float64  `json:"used"` // share, 0 to 1
}

// Play runs a search again and keeps its decisions; nil for a strategy that does not place
// job by job.
func Play(ctx context.Context, strategy Strategy, p *Problem, o Options) *Playback {
	b := &Playback{phi: o.Phi}
	o.Budget, o.Progress, o.log = min(o.Budget, MostPlayed), nil, b
	b.solution = strategy.Place(ctx, p, o)
	if b.problem == nil {
		return nil
	}
	b.add(ended)
	return b
}

// begins counts the clusters that refuse the job whose turn comes.
func (b *Playback) begins(s *search) {
	if b == nil {
		return
	}
	b.waiting += int64(len(s.scratch))
	for range s.able {
		b.waiting--
	}
}

func (b *Playback) add(move int32) {
	if b == nil {
		return
	}
	b.moves, b.at = append(b.moves, move), append(b.at, b.Steps()+b.waiting)
	b.waiting = 0
}

// Steps is how many steps there are, the end included.
func (b *Playback) Steps() int64 {
	if len(b.at) == 0 {
		return 0
	}
	return b.at[len(b.at)-1] + 1
}

// Past returns the next step after a given one that is not a refusal, or the previous one with
// by −1; at the ends the first or the last step.
func (b *Playback) Past(step int64, by int) int64 {
	next, exact := slices.BinarySearch(b.at, step)
	switch {
	case by > 0 && exact:
		next++
	case by < 0 && next == 0:
		return 0
	case by < 0:
		next--
	}
	return b.at[min(next, len(b.at)-1)]
}

// Step works one step out; steps count from 0.
func (b *Playback) Step(step int64) (Played, error) {
	if step < 0 || step >= b.Steps() {
		return Played{}, fmt.Errorf("there is no step %d: the search has %d", step, b.Steps())
	}
	next, decides := slices.BinarySearch(b.at, step)
	m, tried, backs := b.before(next)
	move, refusals := b.moves[next], step
	if next > 0 {
		refusals -= b.at[next-1] + 1
	}
	p := Played{Step: step, Steps: b.Steps(), Backs: backs}
	if job, left := m.Job(); left {
		chosen := int32(-1)
		if decides {
			chosen = move
		}
		row := m.explanation(b.phi, chosen)
		for i := range row.PA {
			row.PA[i].Tried = slices.Contains(tried, row.PA[i].index)
		}
		p.Job, p.Row = row.Job, &row
		if !decides {
			move = ^b.nth(m, int32(job), refusals)
		}
	}
	b.decide(&p, m, move)
	return p, nil
}

// before returns the attempt before a move, the clusters that took the job whose turn it is
// or refused it at last, and how many jobs were taken back.
func (b *Playback) before(next int) (m *Attempt, tried []int32, backs int) {
	m = b.problem.NewAttempt(b.solution.Order)
	var clusters []int32
	all := make([][]int32, len(m.order)+1)
	for _, move := range b.moves[:next] {
		depth := len(clusters)
		switch {
		case move == takenBack:
			backs++
			clusters = clusters[:depth-1]
		case move < 0:
			all[depth] = append(all[depth], ^move)
		default:
			all[depth] = append(all[depth], move)
			clusters = append(clusters, move)
			all[depth+1] = all[depth+1][:0]
		}
	}
	for _, j := range clusters {
		m.stand(int(j))
	}
	return m, all[m.step], backs
}

// nth is the n-th of the clusters that refuse a job at once, in the order of the file.
func (b *Playback) nth(m *Attempt, job int32, n int64) int32 {
	j := int32(-1)
	for ; n >= 0; n-- {
		for j++; m.fits(job, int(j)); j++ {
		}
	}
	return j
}

// decide makes a move and says what happens.
func (b *Playback) decide(p *Played, m *Attempt, move int32) {
	jobs, clusters := b.problem.deployment.Jobs(), b.problem.capacity.federation.Clusters()
	involved := int32(-1)
	switch job, _ := m.Job(); {
	case move == ended:
		p.Kind, p.Text = PlayedEnd, b.solution.Why()
		if b.solution.Status == Placed {
			p.Text = show.Count(jobs.Len(), "job") + " placed"
		}
	case move == takenBack:
		last := m.order[m.step-1]
		involved = m.cluster[last]
		p.Kind = PlayedBack
		p.Text = fmt.Sprintf("%s finds no cluster, so %s leaves %s again", jobs.Name(job), jobs.Name(int(last)), clusters.Name(int(involved)))
		m.Back()
	case move < 0:
		involved = ^move
		r, _ := m.Refusal(int(involved))
		p.Kind, p.Text = PlayedRefused, fmt.Sprintf("%s is tried on %s, refused: %s", jobs.Name(job), r.Name, r.Text)
	default:
		involved = move
		p.Kind, p.Text = PlayedPlaced, fmt.Sprintf("%s is placed on %s", jobs.Name(job), clusters.Name(int(move)))
		m.stand(int(move))
	}
	if involved >= 0 {
		p.Cluster = clusters.ID(int(involved))
	}
	b.lay(p, m, involved)
}

// allLaid is up to how many clusters a step has even those without jobs.
const allLaid = 24

// lay lists the jobs with their clusters after a step, and how full the clusters are.
func (b *Playback) lay(p *Played, m *Attempt, involved int32) {
	jobs, clusters := b.problem.deployment.Jobs(), b.problem.capacity.federation.Clusters()
	on := map[int32][]string{}
	for _, job := range m.order {
		j := PlayedJob{Job: jobs.ID(int(job)), Name: jobs.Name(int(job)), Y: units(b.problem.y[job])}
		if at := m.cluster[job]; at >= 0 {
			j.Cluster = clusters.ID(int(at))
			on[at] = append(on[at], j.Job)
		}
		p.Order = append(p.Order, j)
	}
	for j := range int32(clusters.Len()) {
		if on[j] != nil || j == involved || clusters.Len() <= allLaid {
			p.Left = append(p.Left, PlayedCluster{Cluster: clusters.ID(int(j)), Name: clusters.Name(int(j)), Jobs: on[j], Used: m.used(int(j))})
		}
	}
}

// used is the share of a cluster's free amount that an attempt takes, of the first resource that
// jobs consume.
func (m *Attempt) used(j int) float64 {
	for r := range m.problem.demands {
		if before := m.problem.form.Resources[r].Capacity[j]; m.problem.demands[r].request >= 0 && before > 0 {
			return 1 - m.free[r][j]/before
		}
	}
	return 0
}
