package placement

import (
	"context"

	"berth/engine/graph"
	"berth/engine/show"
)

// Nodes decides what amounts cannot: whether the pods of jobs fit on the nodes of a
// cluster. It gives the same answer to the same question.
type Nodes interface {
	// Refusal says why a cluster cannot take some jobs together, the last of them being
	// new there; "" if it can. Without a proof there may be a way all the same. No job
	// is refused for lack of those that may still come later.
	Refusal(cluster int, jobs, later []Occupant) (why string, proved bool)
	// Awaited says whether some job may need this one to be there.
	Awaited(job Occupant) bool
}

// Occupant is a job of a deployment on a cluster.
type Occupant struct {
	Deployment *graph.Deployment
	Job        int32
}

// RefusedByNodes says why the nodes of a cluster cannot take a job beside those that
// stand there, of the deployments before and of this one by job (-1: nowhere); ""
// if they can, or are not known. Where that is not proved, a search that finds no
// placement has not proved that there is none. A job that others wait for elsewhere is
// refused, too.
func (p *Problem) RefusedByNodes(cluster []int32, job int32, j int) (why string, proved bool) {
	nodes, self := p.capacity.nodes, Occupant{p.deployment, job}
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

// byNodes says why one job on one cluster is not placed as the nodes say it, which is
// what the scheduler of that cluster would say.
func (p *Problem) byNodes(s *Solution) {
	if s.Complete() || s.Status == Cancelled || p.deployment.Jobs().Len() != 1 || p.capacity.federation.Clusters().Len() != 1 {
		return
	}
	if why, _ := p.RefusedByNodes([]int32{-1}, 0, 0); why != "" {
		s.Reason = OfNodes(why)
	}
}

// beside returns the jobs on a cluster but one.
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

// stand notes that the jobs of a placement stand.
func (c *Capacity) stand(d *graph.Deployment, cluster []int32) {
	if c.nodes == nil {
		return
	}
	for len(c.standing) < c.federation.Clusters().Len() {
		c.standing = append(c.standing, nil)
	}
	for job, j := range cluster {
		c.standing[j] = append(c.standing[j], Occupant{d, int32(job)})
	}
}

// Whole has a strategy respect what it does not know of, the nodes of clusters and rules
// that count jobs: where they refuse its placement, it goes on from there as [Keep] does,
// freely.
type Whole struct{ Strategy }

// Place implements [Strategy].
func (o Whole) Place(ctx context.Context, p *Problem, options Options) Solution {
	s := o.Strategy.Place(ctx, p, options)
	if s.Until != nil && s.Until.Complete() && !p.stands(s.Until.Cluster) {
		s.Until = nil
	}
	if !s.Complete() || p.stands(s.Cluster) {
		return s // they only take placements away, so bounds and proofs hold with them
	}
	found := Keep{Was: s.Cluster, Freely: true}.Place(ctx, p, options)
	if found.Certificate == nil && s.Certificate != nil {
		found.Certificate = &Certificate{Bound: s.Certificate.Bound}
	}
	found.Expansions += s.Expansions
	found.Backtracks += s.Backtracks
	return found
}

// stands says whether a placement keeps the rules, and the nodes of every cluster take
// its jobs.
func (p *Problem) stands(cluster []int32) bool {
	if !p.rules.kept(cluster) {
		return false
	}
	if p.capacity.nodes == nil {
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
