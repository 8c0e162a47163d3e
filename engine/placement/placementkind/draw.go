package placementkind

import (
	"context"
	"fmt"

	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
)

// AllDeployments is the Deployment of a query that asks for all deployments.
const AllDeployments = -1

// DrawQuery asks for a drawing of the first seed's result. Deployment is a number or
// AllDeployments.
type DrawQuery struct {
	Strategy   int
	Deployment int
	drawing.Options
}

// Draw draws the result, its inputs or a part of it.
func (e *Prepared) Draw(q DrawQuery) (drawing.Drawing, error) {
	placed, err := e.placed(q.Strategy, q.Deployment)
	if err != nil {
		return drawing.Drawing{}, err
	}
	return drawing.Draw(e.world.federation.Federation, placed, q.Options)
}

// core returns the jobs of a deployment and the clusters in the conflict set, which belongs to the
// deployment or to all jointly placed deployments.
func (e *Prepared) core(strategy, deployment int) (jobs, clusters []int) {
	members, from := e.ran[strategy].solutions[deployment].Certificate.Core, 0
	if e.jointly() {
		members = e.ran[strategy].joint.Certificate.Core
		from = jobsIn(e.world.deployments[:deployment])
	}
	for _, m := range members {
		switch own := m.Index - from; {
		case m.Kind == placement.CoreJob && own >= 0 && own < e.world.deployments[deployment].Jobs().Len():
			jobs = append(jobs, own)
		case m.Kind == placement.CoreCluster:
			clusters = append(clusters, m.Index)
		}
	}
	return jobs, clusters
}

// placed returns one or all deployments with the clusters of their jobs.
func (e *Prepared) placed(strategy, deployment int) ([]drawing.Placed, error) {
	if err := e.check(strategy, max(0, deployment)); err != nil {
		return nil, err
	}
	if deployment < AllDeployments {
		return nil, fmt.Errorf("there is no deployment %d", deployment)
	}
	var all []drawing.Placed
	for i, d := range e.world.deployments {
		if deployment != AllDeployments && deployment != i {
			continue
		}
		p := drawing.Placed{Index: i, Name: d.Name, Deployment: d.Deployment, Rules: e.rules}
		if s := e.ran[strategy].solutions[i]; s.Complete() {
			p.Cluster = s.Cluster
		}
		p.Core, p.CoreClusters = e.core(strategy, i)
		all = append(all, p)
	}
	return all, nil
}

// MostFollowed is the largest number of jobs for which interim placements are reported, and for
// which an overview lists the measures that can be traded against cost.
const MostFollowed = 2000

// Reached is the interim result of a strategy that improves. Deployment is the number of the
// current deployment, from 0. Placements has the placements up to it; it is nil with more than
// MostFollowed jobs, and an entry is nil for a deployment without a placement yet. If all
// deployments are placed jointly, Deployment is 0, and cost, bound and Placements cover all. Broken
// is the number of constraints that the current attempt violates, before the first placement.
type Reached struct {
	TracePoint
	Deployment int
	Placements []Assignment
	Broken     int
}

func (e *Prepared) reached(before []placement.Solution, i placement.Improvement, cluster []int32) Reached {
	r := Reached{TracePoint: TracePoint{Steps: i.Steps}, Deployment: len(before), Broken: i.Broken}
	if e.world.priced() {
		r.TracePoint = TracePoint{i.Steps, figure.Number(i.Cost), i.Bound}
	}
	if jobsIn(e.world.deployments) > MostFollowed {
		return r
	}
	now := placement.Solution{Status: placement.Placed, Cluster: cluster}
	if cluster == nil {
		now.Status = placement.Cancelled
	}
	all := append(before[:len(before):len(before)], now)
	if e.jointly() {
		all = e.apart(now)
	}
	for k, s := range all {
		r.Placements = append(r.Placements, e.assignment(e.world.deployments[k].Deployment, &s))
	}
	return r
}

// FollowQuery asks for a drawing of placements other than the result: of the first deployments, as
// in [Reached]. Jobs without an assignment are drawn below the clusters.
type FollowQuery struct {
	DrawQuery
	Placements []Assignment
}

// Follow draws the placements of a query.
func (e *Prepared) Follow(_ context.Context, q FollowQuery) (drawing.Drawing, error) {
	var placed []drawing.Placed
	if len(q.Placements) > len(e.world.deployments) {
		return drawing.Drawing{}, fmt.Errorf("%d placements of %d deployments", len(q.Placements), len(e.world.deployments))
	}
	for i, d := range e.world.deployments {
		if q.Deployment != AllDeployments && q.Deployment != i {
			continue
		}
		p := drawing.Placed{Index: i, Name: d.Name, Deployment: d.Deployment, Rules: e.rules}
		if i < len(q.Placements) && q.Placements[i] != nil {
			var err error
			if p.Cluster, err = e.clustersOf(i, q.Placements[i]); err != nil {
				return drawing.Drawing{}, err
			}
		}
		placed = append(placed, p)
	}
	return drawing.Draw(e.world.federation.Federation, placed, q.Options)
}

// OverviewQuery asks for the figures of the first seed's result, with all deployments.
type OverviewQuery struct {
	Strategy int
}

// Overview returns the placement in figures.
func (e *Prepared) Overview(q OverviewQuery) (drawing.Overview, error) {
	placed, err := e.placed(q.Strategy, AllDeployments)
	if err != nil {
		return drawing.Overview{}, err
	}
	o := drawing.Overlook(e.world.federation.Federation, placed)
	if jobsIn(e.world.deployments) > MostFollowed {
		return o, nil
	}
	whole := e.wholeProblem()
	for _, m := range placement.Measures {
		if m != placement.Cost && whole.Lacks(m) == "" {
			o.Measures = append(o.Measures, string(m))
		}
	}
	return o, nil
}

// wholeProblem returns the problem of placing all deployments on the full capacity.
func (e *Prepared) wholeProblem() *placement.Problem {
	if len(e.world.deployments) == 1 {
		return e.alone(0)
	}
	return placement.NewProblem(together(e.world.deployments), e.capacity())
}
