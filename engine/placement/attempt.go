package placement

import (
	"cmp"
	"fmt"
	"slices"

	"berth/engine/show"
	"berth/engine/solve"
)

// Attempt is a partial placement: a prefix of the job order, each job on a cluster that accepts it.
// Jobs are removed in reverse order. The searches of this package work on rows of cells; an attempt
// computes single cells and always agrees with the rows. Strategies of other packages build on it,
// and explanations replay one.
type Attempt struct {
	sequence
	problem *Problem
	step    int         // the first job that is not placed
	cluster []int32     // by job; -1 from this step on
	free    [][]float64 // by demand, by cluster
	links   [][]float64 // by limit, by given link: the amount left; nil if dependencies do not consume this figure
	tallies *solve.Tallies
	changes []former // to free and links, in order
	begun   []int32  // by step: the length of changes before it
	path    []int    // scratch

	unproved bool // a cluster was skipped without a proof that its nodes cannot take the job

	expansions, backtracks int64
}

// former is an amount before a change. Undo restores it, because adding the request back could
// round differently.
type former struct {
	of     *float64
	before float64
}

// NewAttempt starts an empty attempt that places the jobs in the given order. The order must
// contain each job once; the attempt keeps it.
func (p *Problem) NewAttempt(order []int32) *Attempt {
	m := &Attempt{
		sequence: newSequence(p.deployment, order), problem: p, tallies: solve.NewTallies(len(order), p.form.Counters),
		cluster: slices.Repeat([]int32{-1}, len(order)), begun: make([]int32, len(order)),
		changes: make([]former, 0, len(order)*len(p.demands)),
	}
	for r := range p.demands {
		m.free = append(m.free, slices.Clone(p.form.Resources[r].Capacity))
	}
	for _, k := range p.limited {
		m.links = append(m.links, slices.Clone(p.capacity.left(k)))
	}
	return m
}

// repeat replays a solution up to just before a step.
func repeat(p *Problem, s Solution, step int) (*Attempt, error) {
	if step < 0 || step >= len(s.Order) {
		return nil, fmt.Errorf("there is no step %d: the deployment has %d jobs", step, len(s.Order))
	}
	m := p.NewAttempt(s.Order)
	m.follow(s.Cluster, step)
	if job, _ := m.Job(); m.step < step {
		return nil, fmt.Errorf("the search never reached step %d: no cluster could take job %s at step %d", step, show.Text(p.deployment.Jobs().ID(job)), m.step)
	}
	return m, nil
}

// Job returns the next job to place; ok is false if all are placed.
func (m *Attempt) Job() (job int, ok bool) {
	if m.step == len(m.order) {
		return -1, false
	}
	return int(m.order[m.step]), true
}

// Refusal returns why a cluster cannot take the current job; ok is false if it can.
func (m *Attempt) Refusal(j int) (Refusal, bool) { return m.refusal(m.order[m.step], j) }

// Cost returns the cost of the current job on cluster j, including its links to placed neighbours
// (CM). The cluster must be able to take the job.
func (m *Attempt) Cost(j int) float64 { return m.cost(m.order[m.step], j) }

// Excess returns the argument of Φ for the current job on cluster j, in units of cpu: the requests
// of the job and its neighbours beyond the free amount, at least 0.
func (m *Attempt) Excess(j int) float64 { return units(m.excess(m.order[m.step], j)) }

// Put places the current job on cluster j. It returns false and changes nothing if the cluster
// refuses the job.
func (m *Attempt) Put(j int) bool {
	if !m.fits(m.order[m.step], j) || !m.put(j) {
		return false
	}
	m.expansions++
	return true
}

// put places the current job on a cluster that passed [Attempt.fits]. It returns false and changes
// nothing if bandwidth, counters or nodes refuse the job.
func (m *Attempt) put(j int) bool {
	if m.tallies.Refuses(m.order[m.step], int32(j)) >= 0 || !m.charge(j) {
		return false
	}
	if why, proved := m.problem.RefusedByNodes(m.cluster, m.order[m.step], j); why != "" {
		m.unproved = m.unproved || !proved
		m.undo()
		return false
	}
	m.fill(j)
	return true
}

// follow replays a known placement up to a step, or up to its first unplaced job.
func (m *Attempt) follow(cluster []int32, step int) {
	for m.step < step && cluster[m.order[m.step]] >= 0 {
		m.stand(int(cluster[m.order[m.step]]))
	}
}

// stand places the current job on a cluster without checks, to replay a known placement.
func (m *Attempt) stand(j int) {
	m.charge(j)
	m.fill(j)
}

// charge subtracts the bandwidth of the current job's dependencies from every link on the paths to
// its placed neighbours. If a link has too little left, it restores all amounts and returns false.
// The rows of costs assume unused links, because the bandwidth left also depends on jobs that are
// not neighbours.
func (m *Attempt) charge(j int) bool {
	m.begun[m.step] = int32(len(m.changes))
	for i, left := range m.links {
		if left == nil {
			continue
		}
		for _, k := range m.before(m.step) {
			amount := -m.problem.form.Limits[i].Bound[k.dependency]
			if !(amount > 0) {
				continue
			}
			m.path, _ = m.problem.capacity.federation.Path(m.path[:0], j, int(m.cluster[k.job]))
			for _, link := range m.path {
				if !(amount <= left[link]) {
					m.undo()
					return false
				}
				m.take(&left[link], amount)
			}
		}
	}
	return true
}

func (m *Attempt) take(of *float64, amount float64) {
	m.changes = append(m.changes, former{of, *of})
	*of -= amount
}

// undo restores the amounts from before the current job.
func (m *Attempt) undo() {
	begun := int(m.begun[m.step])
	for _, c := range slices.Backward(m.changes[begun:]) {
		*c.of = c.before
	}
	m.changes = m.changes[:begun]
}

func (m *Attempt) fill(j int) {
	job := m.order[m.step]
	for r, free := range m.free {
		m.take(&free[j], m.problem.form.Amount(r, int(job), j))
	}
	m.cluster[job] = int32(j)
	m.tallies.Place(job, int32(j))
	m.step++
}

// Back removes the last placed job, which becomes the current one again. At least one job must be
// placed.
func (m *Attempt) Back() {
	m.step--
	m.backtracks++
	job := m.order[m.step]
	m.tallies.Remove(job, m.cluster[job])
	m.cluster[job] = -1
	m.undo()
}

// Solution returns the attempt as a solution. Its status is Placed if all jobs are placed, and
// otherwise the given one. With Infeasible, the reason explains why the next job cannot be placed.
func (m *Attempt) Solution(otherwise Status) Solution {
	s := Solution{
		Status: otherwise, Order: m.order, Cluster: slices.Clone(m.cluster),
		Expansions: m.expansions, Backtracks: m.backtracks,
	}
	switch {
	case m.step == len(m.order):
		s.Status = Placed
		s.NodeCost, s.LinkCost = m.problem.Costs(m.cluster)
	case otherwise == Infeasible:
		s.Reason = m.deadEnd()
	default:
		s.Reason = because(unfinished, otherwise, m.step, len(m.order))
	}
	return s
}

// cost is CM[job][j]: the cost of the job on cluster j, including its links to placed neighbours;
// +Inf if a link is missing.
func (m *Attempt) cost(job int32, j int) float64 { return m.costBeside(m.standing(job), job, j) }

// costBeside is cost for a given list of placed neighbours. It adds in the order of a row of the
// cost matrix, so that both round alike.
func (m *Attempt) costBeside(placed []tie, job int32, j int) float64 {
	cost := m.problem.NodeCost(job, j)
	for _, k := range placed {
		cost += m.problem.LinkCost(int(k.dependency), j, int(m.cluster[k.job]))
	}
	return cost
}

// standing returns the dependencies of a job on placed jobs, in placement order.
func (m *Attempt) standing(job int32) []tie {
	if int(m.depth[job]) == m.step {
		return m.before(m.step)
	}
	var placed []tie
	neighbours, dependencies := m.problem.deployment.Neighbours(int(job))
	for t, k := range neighbours {
		if m.cluster[k] >= 0 {
			placed = append(placed, tie{k, dependencies[t]})
		}
	}
	slices.SortFunc(placed, func(a, b tie) int { return cmp.Compare(m.depth[a.job], m.depth[b.job]) })
	return placed
}

// excess is max(0, y_i − r_j) in parts, the argument of Φ.
func (m *Attempt) excess(job int32, j int) float64 {
	var x float64
	for r := range m.problem.demands {
		x = max(x, m.problem.relative(r, m.problem.demands[r].y[job]-m.free[r][j]))
	}
	return x
}
