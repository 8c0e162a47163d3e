package placement

import (
	"math"

	"berth/engine/graph"
	"berth/engine/rule"
)

// barrier keeps jobs from clusters regardless of their load: a job may use a cluster if the
// cluster's figure is at most the job's. For a constraint in the other direction (the job's figure
// is at most the cluster's), both figures are negated.
type barrier struct {
	demand       int              // index into Problem.demands; -1 for a rule
	rule         rule.Rule        // if demand is -1
	comparison   graph.Comparison // zero: the cluster only has to have the resource
	job, cluster []float64        // by job, nil if all are 0; by cluster, +Inf if it lacks the figure
}

func (b *barrier) admits(job int32, j int) bool { return b.cluster[j] <= b.of(job) }

func (b *barrier) of(job int32) float64 {
	if b.job == nil {
		return 0
	}
	return b.job[job]
}

// bar adds a barrier and lists it for those of the given jobs that it keeps from at least one
// cluster.
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

// barrier returns the first barrier of a demand (-1: of the rules) that keeps a job from a cluster;
// nil if there is none.
func (p *Problem) barrier(demand int, job int32, j int) *barrier {
	for _, i := range p.barred[job] {
		if b := &p.barriers[i]; b.demand == demand && !b.admits(job, j) {
			return b
		}
	}
	return nil
}

// compare adds the barriers of a demand: clusters that lack its resource, and comparisons that do
// not consume it.
func (p *Problem) compare(r int) {
	m, jobs, clusters := &p.demands[r], p.deployment.Jobs(), p.capacity.federation.Clusters()
	var asking []int32
	for job, carries := range m.carries {
		if carries {
			asking = append(asking, int32(job))
		}
	}
	if clusters.Carriers(m.supply) < clusters.Len() { // a cluster without an amount admits no job
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

// signed returns a column times [signOf], with +Inf for missing figures.
func signed(op graph.Operator, column []float64) []float64 {
	all := make([]float64, len(column))
	for i, figure := range column {
		if all[i] = signOf(op) * figure; figure != figure {
			all[i] = math.Inf(1)
		}
	}
	return all
}

// signOf returns the factor for both figures of a constraint that turns it into "demand ≥ supply".
func signOf(op graph.Operator) float64 {
	if op == graph.AtMost {
		return -1
	}
	return 1
}
