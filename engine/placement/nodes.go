package placement

import (
	"context"

	"berth/engine/graph"
	"berth/engine/show"
)

// Nodes decides whether the pods of jobs fit on the nodes of a cluster, which the total amounts
// cannot show. It must be deterministic.
type Nodes interface {
	// Refusal says why a cluster cannot take some jobs together; "" if it can. The last job is the
	// new one. If proved is false, a packing may exist all the same. Refusal must not refuse a job
	// only because a later job is not placed yet.
	Refusal(cluster int, jobs, later []Occupant) (why string, proved bool)
	// Awaited reports whether another job may need this job on its cluster.
	Awaited(job Occupant) bool
}

// Occupant is a job of a deployment on a cluster.
type Occupant struct {
	Deployment *graph.Deployment
	Job        int32
}

// RefusedByNodes says why the nodes of cluster j cannot take a job in addition to the jobs already
// there, which cluster (by job; −1: not placed) and earlier deployments determine. It returns "" if
// they can or if the nodes are unknown. It also refuses a job that jobs on another cluster need
// there. If proved is false, a packing may exist, so a search without a result proves nothing.
func (p *Problem) RefusedByNodes(cluster []int32, job int32, j int) (why string, proved bool) {
	nodes, self := p.capacity.options.Nodes, Occupant{p.deployment, job}
	if nodes == nil {
		return "", true
	}
	var later []Occupant
	for i, at := range cluster {
		if other := (Occupant{p.deployment, int32(i)}); at < 0 && other != self && nodes.Awaited(other) {
			later = append(later, other)
		}
	}
	why, proved = nodes.Refusal(j, append(p.beside(cluster, job, j), self), later)
	if why != "" || !nodes.Awaited(self) {
		return why, proved
	}
	clusters := p.capacity.federation.Clusters()
	for k := range clusters.Len() {
		if k == j {
			continue
		}
		if jobs := p.beside(cluster, job, k); len(jobs) > 0 {
			if why, proved := nodes.Refusal(k, jobs, later); why != "" {
				return "jobs on " + show.Text(clusters.ID(k)) + " need it there: " + why, proved
			}
		}
	}
	return why, proved
}

// byNodes replaces the reason for one unplaced job on one cluster by the answer of the nodes, which
// reads like the message of that cluster's scheduler.
func (p *Problem) byNodes(s *Solution) {
	if s.Complete() || s.Status == Cancelled || p.deployment.Jobs().Len() != 1 || p.capacity.federation.Clusters().Len() != 1 {
		return
	}
	if why, _ := p.RefusedByNodes([]int32{-1}, 0, 0); why != "" {
		s.Reason = OfNodes(why)
	}
}

// beside returns the jobs on cluster j except the given one, including those of earlier
// deployments.
func (p *Problem) beside(cluster []int32, job int32, j int) []Occupant {
	var jobs []Occupant
	if j < len(p.capacity.standing) {
		jobs = append(jobs, p.capacity.standing[j]...)
	}
	for i, at := range cluster {
		if int(at) == j && int32(i) != job {
			jobs = append(jobs, Occupant{p.deployment, int32(i)})
		}
	}
	return jobs
}

// stand records the jobs of a committed placement, so that nodes have room for them when later
// deployments are placed.
func (c *Capacity) stand(d *graph.Deployment, cluster []int32) {
	if c.options.Nodes == nil {
		return
	}
	for len(c.standing) < c.federation.Clusters().Len() {
		c.standing = append(c.standing, nil)
	}
	for job, j := range cluster {
		c.standing[j] = append(c.standing[j], Occupant{d, int32(job)})
	}
}

// Whole adds nodes and counting rules to a strategy that ignores them. If they refuse its
// placement, a [Keep] with Freely continues the search by cost.
type Whole struct{ Strategy }

// Place implements [Strategy].
func (o Whole) Place(ctx context.Context, p *Problem, options Options) Solution {
	s := o.Strategy.Place(ctx, p, options)
	if s.Until != nil && s.Until.Complete() && !p.stands(s.Until.Cluster) {
		s.Until = nil
	}
	if !s.Complete() || p.stands(s.Cluster) {
		return s // nodes and rules only exclude placements, so bounds and proofs stay valid
	}
	found := Keep{Was: s.Cluster, Freely: true}.Place(ctx, p, options)
	if found.Certificate == nil && s.Certificate != nil {
		found.Certificate = &Certificate{Bound: s.Certificate.Bound}
	}
	found.Expansions += s.Expansions
	found.Backtracks += s.Backtracks
	return found
}

// stands reports whether a placement keeps the counting rules and the nodes of every cluster can
// take its jobs.
func (p *Problem) stands(cluster []int32) bool {
	if !p.kept(cluster) {
		return false
	}
	if p.capacity.options.Nodes == nil {
		return true
	}
	last := map[int32]int32{}
	for job, j := range cluster {
		last[j] = int32(job)
	}
	for j, job := range last {
		if why, _ := p.RefusedByNodes(cluster, job, int(j)); why != "" {
			return false
		}
	}
	return true
}
