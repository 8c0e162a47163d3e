package placement

import (
	"math"

	"berth/engine/graph"
	"berth/engine/rule"
)

// barrier keeps jobs from clusters, whatever else runs there: a job may use the clusters whose
// figure is at most its own. Both are negative if the constraint says that the job's figure is at
// most the cluster's.
type barrier struct {
	demand       int // that it belongs to, -1 for a rule
	rule         rule.Rule
	comparison   graph.Comparison // zero: the cluster must have the resource
	job, cluster []float64        // by job, nil for 0; by cluster, +Inf where it has no figure
}

func (b *barrier) admits(job int32, j int) bool { return b.cluster[j] <= b.of(job) }

func (b *barrier) of(job int32) float64 {
	if b.job == nil {
		return 0
	}
	return b.job[job]
}

// bar adds a barrier for some jobs.
func (p *Problem) bar(b barrier, jobs []int32) {
	worst := math.Inf(-1)
	for _, figure := range b.cluster {
		worst = max(worst, figure)
	}
	for _, job := range jobs {
		if !(worst <= b.of(job)) {
			p.barred[job] = append(p.barred[job], int32(len(p.barriers)))
		}
	}
	p.barriers = append(p.barriers, b)
}

// barrier returns the first barrier of a demand, or of rules, between a job and a cluster; nil for
// none.
func (p *Problem) barrier(demand int, job int32, j int) *barrier {
	for _, i := range p.barred[job] {
		if b := &p.barriers[i]; b.demand == demand && !b.admits(job, j) {
			return b
		}
	}
	return nil
}

// compare adds the barriers of a demand.
func (p *Problem) compare(r int) {
	m, jobs, clusters := &p.demands[r], p.deployment.Jobs(), p.capacity.federation.Clusters()
	var asking []int32
	for job, carries := range m.carries {
		if carries {
			asking = append(asking, int32(job))
		}
	}
	if clusters.Carriers(m.supply) < clusters.Len() { // any amount is at least 0, a missing one is not
		p.bar(barrier{demand: r, cluster: signed(graph.AtMost, columnOrNaN(clusters, m.supply, 0))}, asking)
	}
	for _, k := range m.demand.Comparisons {
		if !k.Consumes {
			p.bar(barrier{
				demand: r, comparison: k, job: signed(k.Op, columnOrNaN(jobs, m.demand, m.demand.Field(k.Demand))),
				cluster: signed(k.Op, columnOrNaN(clusters, m.supply, m.supply.Field(k.Supply))),
			}, asking)
		}
	}
}

// signed returns a column times [signOf], with +Inf for unknown figures.
func signed(op graph.Operator, column []float64) []float64 {
	all := make([]float64, len(column))
	for i, figure := range column {
		if all[i] = signOf(op) * figure; figure != figure {
			all[i] = math.Inf(1)
		}
	}
	return all
}

// signOf returns the factor for both figures of a constraint with which it says that the demand is
// at least the supply.
func signOf(op graph.Operator) float64 {
	if op == graph.AtMost {
		return -1
	}
	return 1
}
