package placementkind

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/placement"
	"berth/engine/placement/drawing"
)

// MostFollowed is the largest number of jobs for which interim placements are reported.
const MostFollowed = 2000

// Reached is the interim result of a strategy that improves. Deployment is the number of the
// current deployment, from 0. Placements has the placements up to it; it is nil with more than
// MostFollowed jobs, and an entry is nil for a deployment without a placement yet. If all
// deployments are placed jointly, Deployment is 0, and cost, bound and Placements are of all.
// Broken is the number of constraints that the current attempt violates, before the first
// placement.
type Reached struct {
	TracePoint
	Deployment int
	Placements []Assignment
	Broken     int
}

func (e *Prepared) reached(before []placement.Solution, i placement.Improvement, cluster []int32) Reached {
	r := Reached{TracePoint: TracePoint{Steps: i.Steps}, Deployment: len(before), Broken: i.Broken}
	if e.world.priced() {
		r.TracePoint = tracePoint(i)
	}
	if e.world.jobs() > MostFollowed {
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

// FollowQuery asks for a drawing of placements other than the result: of the first deployments,
// as in [Reached]. Jobs without an assignment are drawn below the clusters.
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
		var a Assignment // none yet
		if i < len(q.Placements) {
			a = q.Placements[i]
		}
		p := drawing.Placed{Index: i, Name: d.Name, Deployment: d.Deployment, Rules: e.rules}
		if a != nil {
			p.Cluster = slices.Repeat([]int32{-1}, d.Jobs().Len())
		}
		for _, x := range a {
			j, ok := e.world.federation.Cluster(x.Cluster)
			k, known := d.Job(x.Job)
			switch {
			case !known:
				return drawing.Drawing{}, fmt.Errorf("there is no job %q in deployment %d", x.Job, i)
			case !ok:
				return drawing.Drawing{}, fmt.Errorf("there is no cluster %q", x.Cluster)
			}
			p.Cluster[k] = int32(j)
		}
		placed = append(placed, p)
	}
	return drawing.Draw(e.world.federation.Federation, placed, q.Options)
}
