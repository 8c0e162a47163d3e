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

// Playback keeps every decision of a search that goes job by job: a cluster that refuses
// the job whose turn it is, one that takes it, or a job that is taken back. It keeps the
// moves alone, 8 bytes each, and works a step out when it is asked for.
type Playback struct {
	problem  *Problem
	phi      float64
	solution Solution
	moves    []int32 // the cluster that took the job, ^cluster for one that was tried and refused it, takenBack or ended
	refused  []int32 // beside moves: how many clusters had refused the job before it, when its turn came
	waiting  int32   // the next one of refused
	steps    int64
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

// player is a strategy whose search can be played.
type player interface {
	Strategy
	// search is the search of [Strategy.Place] before its begin.
	search(ctx context.Context, p *Problem, o Options) *search
}

// Play runs a search again and keeps its decisions; nil for a strategy that does not go
// job by job.
func Play(ctx context.Context, strategy Strategy, p *Problem, o Options) *Playback {
	by, ok := strategy.(player)
	if !ok {
		return nil
	}
	o.Budget, o.Progress = min(o.Budget, MostPlayed), nil
	s := by.search(ctx, p, o)
	b := &Playback{problem: p, phi: o.Phi}
	s.log = b
	b.solution = s.place(ctx)
	b.add(ended)
	return b
}

// begins counts the clusters that refuse the job whose turn comes.
func (b *Playback) begins(s *search) {
	if b == nil {
		return
	}
	row, x := s.row(), s.room()
	for j := range x {
		if math.IsInf(row[j], 1) || math.IsInf(x[j], 1) {
			b.waiting++
		}
	}
}

func (b *Playback) add(move int32) {
	if b == nil {
		return
	}
	b.moves, b.refused = append(b.moves, move), append(b.refused, b.waiting)
	b.steps += 1 + int64(b.waiting)
	b.waiting = 0
}

// Steps is how many steps there are, the end included.
func (b *Playback) Steps() int64 { return b.steps }

// Past is the step after another that is no refusal, or before it with by −1; the first
// or the last one where there is none.
func (b *Playback) Past(step int64, by int) int64 {
	last, before := int64(-1), int64(0)
	for _, refused := range b.refused {
		last += 1 + int64(refused)
		if by > 0 && last > step {
			return last
		}
		if last < step {
			before = last
		}
	}
	if by > 0 {
		return last
	}
	return before
}

// Step works one step out; steps count from 0.
func (b *Playback) Step(step int64) (Played, error) {
	if step < 0 || step >= b.steps {
		return Played{}, fmt.Errorf("there is no step %d: the search has %d", step, b.steps)
	}
	at := b.before(step)
	played := Played{Step: step, Steps: b.steps, Backs: at.backs}
	m := b.attempt(at)
	involved := b.decide(&played, m, at)
	b.lay(&played, m, involved)
	return played, nil
}

// moment is where a search is before a step.
type moment struct {
	move         int32 // to come
	refused      int   // clusters that refuse the job before the move
	refusal      int   // of those, the one to come; with all of them past, the move comes
	depth, backs int
	cluster      []int32 // by job
	tried        []int32 // clusters that took the job whose turn it is, or refused it at last
}

// before goes through the moves up to a step.
func (b *Playback) before(step int64) moment {
	order := b.solution.Order
	at := moment{cluster: slices.Repeat([]int32{-1}, len(order))}
	tried := make([][]int32, len(order)+1)
	next := 0
	for ; step > int64(b.refused[next]); next++ {
		step -= 1 + int64(b.refused[next])
		switch move := b.moves[next]; {
		case move == takenBack:
			at.depth--
			at.backs++
			at.cluster[order[at.depth]] = -1
		case move < 0:
			tried[at.depth] = append(tried[at.depth], ^move)
		default:
			tried[at.depth] = append(tried[at.depth], move)
			at.cluster[order[at.depth]] = move
			at.depth++
			tried[at.depth] = tried[at.depth][:0]
		}
	}
	at.move, at.refused, at.refusal, at.tried = b.moves[next], int(b.refused[next]), int(step), tried[at.depth]
	return at
}

// attempt is a search's at a moment.
func (b *Playback) attempt(at moment) *Attempt {
	m := b.problem.NewAttempt(b.solution.Order)
	for _, job := range b.solution.Order[:at.depth] {
		m.stand(int(at.cluster[job]))
	}
	return m
}

// decide says what happens in a step, and does it. It returns the cluster that it is
// about, -1 for none.
func (b *Playback) decide(p *Played, m *Attempt, at moment) int32 {
	jobs, clusters := b.problem.deployment.Jobs(), b.problem.capacity.federation.Clusters()
	job := int32(-1)
	if at.depth < len(m.order) {
		job = m.order[at.depth]
		p.Job = jobs.ID(int(job))
		p.Row = &Explanation{Step: at.depth, Jobs: jobs.Len(), Job: p.Job, Name: jobs.Name(int(job)),
			Y: units(b.problem.y[job]), Rank: rank(b.problem.y, job), Requests: b.problem.requests(job), Neighbours: m.neighbours(job)}
		chosen := int32(-1)
		if at.refusal == at.refused {
			chosen = at.move
		}
		m.candidates(p.Row, job, b.phi, chosen)
		for i := range p.Row.PA {
			p.Row.PA[i].Tried = slices.Contains(at.tried, p.Row.PA[i].index)
		}
	}
	switch {
	case at.refusal < at.refused:
		return b.refuse(p, m, job, b.nth(m, job, at.refusal))
	case at.move == ended:
		p.Kind, p.Text = PlayedEnd, b.solution.Why()
		if b.solution.Status == Placed {
			p.Text = show.Count(jobs.Len(), "job") + " placed"
		}
		return -1
	case at.move == takenBack:
		last := m.order[at.depth-1]
		from := at.cluster[last]
		p.Kind, p.Cluster = PlayedBack, clusters.ID(int(from))
		p.Text = fmt.Sprintf("%s finds no cluster, so %s leaves %s again", jobs.Name(int(job)), jobs.Name(int(last)), clusters.Name(int(from)))
		m.Back()
		return from
	case at.move < 0:
		return b.refuse(p, m, job, ^at.move)
	}
	p.Kind, p.Cluster = PlayedPlaced, clusters.ID(int(at.move))
	p.Text = fmt.Sprintf("%s is placed on %s", jobs.Name(int(job)), clusters.Name(int(at.move)))
	m.stand(int(at.move))
	return at.move
}

// nth is the n-th of the clusters that refuse a job at once, in the order of the file.
func (b *Playback) nth(m *Attempt, job int32, n int) int32 {
	for j := range int32(b.problem.capacity.federation.Clusters().Len()) {
		if m.fits(job, int(j)) {
			continue
		}
		if n == 0 {
			return j
		}
		n--
	}
	return -1
}

func (b *Playback) refuse(p *Played, m *Attempt, job, cluster int32) int32 {
	r, _ := m.refusal(job, int(cluster))
	p.Kind, p.Cluster = PlayedRefused, r.Cluster
	p.Text = fmt.Sprintf("%s is tried on %s, refused: %s", b.problem.deployment.Jobs().Name(int(job)), r.Name, r.Text)
	return cluster
}

// allLaid is up to how many clusters a step has even those without jobs.
const allLaid = 24

// lay says where the jobs are after a step, and how full their clusters are.
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

// used is the share of what was left on a cluster that an attempt uses up, of the first
// resource that jobs consume.
func (m *Attempt) used(j int) float64 {
	for r := range m.problem.demands {
		d := &m.problem.demands[r]
		if before := m.problem.capacity.free[d.index][j]; d.consumed && before > 0 {
			return 1 - m.free[r][j]/before
		}
	}
	return 0
}
