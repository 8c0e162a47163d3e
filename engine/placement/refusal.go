package placement

import (
	"math"
)

// unfit returns the first demand of a job that a cluster itself does not meet, -1 for none, and
// its barrier; nil if the cluster has too little left.
func (m *Attempt) unfit(job int32, j int) (demand int, b *barrier) {
	for r := range m.problem.demands {
		if b := m.problem.barrier(r, job, j); b != nil || m.problem.form.Amount(r, int(job), j) > m.free[r][j] {
			return r, b
		}
	}
	return -1, nil
}

// unreachable returns the first placed neighbour of a job, -1 for none, that the job cannot
// reach from a cluster, and the number of the limit that their dependency breaks (algorithm 5),
// -1 if no link joins the clusters.
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

// fits checks one cell as a row of costs and its room do: without bandwidth, counters and nodes.
func (m *Attempt) fits(job int32, j int) bool {
	if demand, _ := m.unfit(job, j); demand >= 0 || m.problem.barrier(-1, job, j) != nil {
		return false
	}
	neighbour, _ := m.unreachable(job, j)
	return neighbour < 0
}

// refusal returns why cluster j is not in PA of the job; ok is false if it is.
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
