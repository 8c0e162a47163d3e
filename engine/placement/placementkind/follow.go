package placementkind

import (
	"context"
	"fmt"

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
	if e.jobs() > MostFollowed {
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

// FollowQuery asks for a drawing of interim placements of the first deployments; see [Reached].
type FollowQuery struct {
	DrawQuery
	Placements []Assignment
}

// Follow draws the interim placements of a search that is still running.
func (e *Prepared) Follow(_ context.Context, q FollowQuery) (drawing.Drawing, error) {
	var placed []drawing.Placed
	for i, a := range q.Placements {
		if i >= len(e.world.deployments) {
			return drawing.Drawing{}, fmt.Errorf("%d placements of %d deployments", len(q.Placements), len(e.world.deployments))
		}
		if q.Deployment != AllDeployments && q.Deployment != i {
			continue
		}
		d := e.world.deployments[i]
		p := drawing.Placed{Index: i, Name: d.Name, Deployment: d.Deployment, Rules: e.rules}
		if a != nil {
			p.Cluster = make([]int32, d.Jobs().Len())
		}
		if a != nil && len(a) != len(p.Cluster) {
			return drawing.Drawing{}, fmt.Errorf("a placement of %d jobs of %d", len(a), len(p.Cluster))
		}
		for k, x := range a {
			j, ok := e.world.federation.Cluster(x.Cluster)
			if !ok {
				return drawing.Drawing{}, fmt.Errorf("there is no cluster %q", x.Cluster)
			}
			p.Cluster[k] = int32(j)
		}
		placed = append(placed, p)
	}
	return drawing.Draw(e.world.federation.Federation, placed, q.Options)
}
