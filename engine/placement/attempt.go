package placement

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/graph"
	"berth/engine/show"
)

// Attempt is a placement under way: jobs in an order, each on a cluster that
// does not refuse it, the last one taken back first. It answers for single cells
// what the searches of this package compute by rows; strategies outside of it
// build on one, and explanations repeat one.
type Attempt struct {
	sequence
	problem *Problem
	step    int     // the first job that is not placed
	depth   []int32 // by job
	cluster []int32 // by job, -1 from this step on
	free    [][]float64
	links   *reservation
	saved   []float64 // by step and demand: what was free before

	unproved bool // a cluster refused whose nodes may take the job all the same

	expansions, backtracks int64
}

// NewAttempt begins an attempt that places the jobs in an order, which has each
// of them once.
func (p *Problem) NewAttempt(order []int32) *Attempt {
	m := &Attempt{
		sequence: newSequence(p.deployment, order), problem: p,
		depth: make([]int32, len(order)), cluster: make([]int32, len(order)), links: newReservation(p),
	}
	for r := range p.demands {
		m.free = append(m.free, append([]float64(nil), p.capacity.free[p.demands[r].index]...))
	}
	for at, job := range order {
		m.depth[job], m.cluster[job] = int32(at), -1
	}
	return m
}

// repeat returns the attempt of a solution just before one step.
func repeat(p *Problem, s Solution, step int) (*Attempt, error) {
	if step < 0 || step >= len(s.Order) {
		return nil, fmt.Errorf("there is no step %d: the deployment has %d jobs", step, len(s.Order))
	}
	m := p.NewAttempt(s.Order)
	for at, job := range s.Order[:step] {
		if s.Cluster[job] < 0 {
			return nil, fmt.Errorf("step %d was never reached: no cluster could take job %s at step %d", step, show.Text(p.deployment.Jobs().ID(int(job))), at)
		}
		m.put(int(s.Cluster[job]))
	}
	return m, nil
}

// Job returns the job whose turn it is; ok is false if all are placed.
func (m *Attempt) Job() (job int, ok bool) {
	if m.step == len(m.order) {
		return -1, false
	}
	return int(m.order[m.step]), true
}

// Refusal says why a cluster cannot take the job whose turn it is, if it cannot.
func (m *Attempt) Refusal(j int) (Refusal, bool) { return m.refusal(m.order[m.step], j) }

// Cost is what that job costs on a cluster that can take it, with the links to
// the jobs that stand (CM).
func (m *Attempt) Cost(j int) float64 { return m.cost(m.order[m.step], j) }

// Excess is by how much the job and its neighbours ask for more than is left on
// a cluster, in units of cpu, at least 0: the argument of Φ.
func (m *Attempt) Excess(j int) float64 { return units(m.excess(m.order[m.step], j)) }

// Put puts the job whose turn it is on a cluster. It reports false, and does
// nothing, where the cluster refuses it.
func (m *Attempt) Put(j int) bool {
	if _, refused := m.Refusal(j); refused {
		return false
	}
	m.expansions++
	m.put(j)
	return true
}

func (m *Attempt) put(j int) {
	job := m.order[m.step]
	m.links.take(&m.sequence, m.cluster, m.step, j)
	for r, free := range m.free {
		m.saved = append(m.saved, free[j])
		free[j] -= m.problem.demands[r].on(job, j)
	}
	m.cluster[job] = int32(j)
	m.step++
}

// Back takes the job that was put last back: it is its turn again. There must be
// one.
func (m *Attempt) Back() {
	m.step--
	m.backtracks++
	job := m.order[m.step]
	saved := m.saved[len(m.saved)-len(m.free):]
	for r, free := range m.free {
		free[m.cluster[job]] = saved[r]
	}
	m.saved = m.saved[:len(m.saved)-len(saved)]
	m.cluster[job] = -1
	m.links.giveBack(m.step)
}

// Solution returns what stands now: a placement if that is all jobs, otherwise
// the status and, where that is Infeasible, the reason why the next one cannot
// be placed.
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
		s.Reason = m.problem.shortage()
		if s.Reason == "" {
			s.Reason = m.deadEnd()
		}
	default:
		s.Reason = fmt.Sprintf("%s with %d of %d jobs placed", otherwise, m.step, len(m.order))
	}
	return s
}

// cost is CM[job][j]: what the job costs there and the links to its neighbours
// that stand, +Inf where there is no link to one of them.
func (m *Attempt) cost(job int32, j int) float64 {
	cost := m.problem.nodeCost(job, j)
	for _, k := range m.standing(job) {
		cost += m.problem.capacity.links.cost(j, int(m.cluster[k]))
	}
	return cost
}

// standing returns the neighbours of a job that are placed, in the order in
// which they were.
func (m *Attempt) standing(job int32) []int32 {
	if int(m.depth[job]) == m.step {
		jobs, _ := m.before(m.step)
		return jobs
	}
	neighbours, _ := m.problem.deployment.Neighbours(int(job))
	var placed []int32
	for _, k := range neighbours {
		if m.cluster[k] < 0 {
			continue
		}
		at := len(placed)
		for at > 0 && m.depth[placed[at-1]] > m.depth[k] {
			at--
		}
		placed = append(placed[:at], append([]int32{k}, placed[at:]...)...)
	}
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

// refusal says why cluster j is not in PA of the job, if it is not.
func (m *Attempt) refusal(job int32, j int) (Refusal, bool) {
	kind, text := m.unfit(job, j)
	if kind == "" {
		kind, text = m.unreachable(job, j)
	}
	if kind == "" {
		var proved bool
		text, proved = m.problem.RefusedByNodes(m.cluster, job, j)
		if text != "" {
			kind = "nodes"
		}
		m.unproved = m.unproved || !proved
	}
	clusters := m.problem.capacity.federation.Clusters()
	return Refusal{Cluster: clusters.ID(j), Name: clusters.Name(j), Kind: kind, Text: text}, kind != ""
}

// unfit checks what the cluster itself has: NAM is 0 where it refuses.
func (m *Attempt) unfit(job int32, j int) (kind, text string) {
	for r := range m.problem.demands {
		d := &m.problem.demands[r]
		if !d.carries[job] {
			continue
		}
		if d.lacking(j) {
			return "no " + d.supply.Name, "has no " + d.supply.Name
		}
		if c := d.broken(job, j); c != nil {
			return c.Reason, fmt.Sprintf("%s %s of %s %s %s %s", c.Demand, figure(c.job[job]), d.supply.Name,
				map[graph.Operator]string{graph.AtMost: "is over", graph.AtLeast: "is under"}[c.Op], c.Supply, figure(c.cluster[j]))
		}
		if need := d.on(job, j); need > m.free[r][j] {
			return "no room", fmt.Sprintf("requests %s %s, %s left", figure(units(need)), d.supply.Name, figure(units(m.free[r][j])))
		}
	}
	return "", ""
}

// unreachable checks the links to the neighbours that stand (algorithm 5).
func (m *Attempt) unreachable(job int32, j int) (kind, text string) {
	jobs, dependencies := m.before(int(m.depth[job]))
	for t, k := range jobs {
		at := int(m.cluster[k])
		if at == j {
			continue
		}
		other := m.problem.deployment.Jobs().ID(int(k))
		if !m.problem.capacity.federation.Connected(j, at) {
			return "no link", "no link to the cluster of job " + other
		}
		kind, text = m.broken(int(dependencies[t]), j, at)
		if kind != "" {
			return kind, text + " to job " + other + m.route(j, at)
		}
	}
	if !m.links.take(&m.sequence, m.cluster, int(m.depth[job]), j) {
		return "bandwidth", "other dependencies have used up the bandwidth of its links"
	}
	m.links.giveBack(int(m.depth[job]))
	return "", ""
}

// route names the clusters of the route between two, if it is not one link.
func (m *Attempt) route(a, b int) string {
	f := m.problem.capacity.federation
	legs, _ := f.Path(nil, a, b)
	if !f.Routed() || len(legs) < 2 {
		return ""
	}
	names := []string{f.Clusters().Name(a)}
	for _, leg := range legs {
		x, y := f.Ends(leg)
		a = x + y - a
		names = append(names, f.Clusters().Name(a))
	}
	return " by way of " + strings.Join(names, ", ")
}

// broken returns the first constraint of a dependency that the path between two
// clusters does not meet.
func (m *Attempt) broken(dependency, a, b int) (kind, text string) {
	l, bounds := m.problem.capacity.links, m.problem.bound(dependency)
	i := l.broken(bounds, a, b)
	if i < 0 {
		return "", ""
	}
	k, found := &l.constraints[i], l.figure(i, a, b)
	if math.IsNaN(found) {
		return "no " + k.supply.Name, "link without " + k.supply.Name
	}
	unit := k.supply.Fields[k.supplyField].Unit
	word := map[graph.Operator]string{graph.AtMost: "under", graph.AtLeast: "over"}[k.comparison.Op]
	return k.comparison.Reason, fmt.Sprintf("%s %s %s %s %s %s", k.comparison.Reason, figure(units(found)), unit, word, figure(units(bounds[i])), unit)
}
