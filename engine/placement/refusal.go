package placement

import (
	"math"
)

// unfit returns the first demand of a job that cluster j does not meet (-1 if it meets all), and
// the barrier that refuses it; a nil barrier means too little is left.
func (m *Attempt) unfit(job int32, j int) (demand int, b *barrier) {
	for r := range m.problem.demands {
		if b := m.problem.barrier(r, job, j); b != nil || m.problem.form.Amount(r, int(job), j) > m.free[r][j] {
			return r, b
		}
	}
	return -1, nil
}

// unreachable finds the first placed neighbour that a job cannot reach from cluster j (algorithm
// 5). It returns the neighbour's index in [sequence.before], -1 if all are reachable, and the limit
// that their dependency violates, -1 if no path joins the clusters.
func (m *Attempt) unreachable(job int32, j int) (neighbour, limit int) {
	p := m.problem
	for t, k := range m.before(int(m.depth[job])) {
		at := int(m.cluster[k.job])
		if at == j {
			continue
		}
		if math.IsInf(p.capacity.links.price.between(j, at), 1) {
			return t, -1
		}
		for i := range p.limited {
			if !p.spans(i, int(k.dependency), j, at) {
				return t, i
			}
		}
	}
	return -1, -1
}

// fits checks one cell like a row of costs with its room: all constraints except bandwidth,
// counters and nodes.
func (m *Attempt) fits(job int32, j int) bool {
	if demand, _ := m.unfit(job, j); demand >= 0 || m.problem.barrier(-1, job, j) != nil {
		return false
	}
	neighbour, _ := m.unreachable(job, j)
	return neighbour < 0
}

// refusal returns why cluster j is not in the job's PA; ok is false if it is.
func (m *Attempt) refusal(job int32, j int) (Refusal, bool) {
	kind, text := m.refusedByCluster(job, j)
	if kind == "" {
		kind, text = m.refusedByLinks(job, j)
	}
	if kind == "" {
		kind, text = m.refusedByRules(job, j)
	}
	if kind == "" {
		if text, _ = m.problem.RefusedByNodes(m.cluster, job, j); text != "" {
			kind = "nodes"
		}
	}
	clusters := m.problem.capacity.federation.Clusters()
	return Refusal{Cluster: clusters.ID(j), Name: clusters.Name(j), Kind: kind, Text: text}, kind != ""
}
