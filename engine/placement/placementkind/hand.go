package placementkind

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"berth/engine/placement"
)

// HandQuery asks about a placement by hand of all jobs of the only deployment.
type HandQuery struct {
	Strategy  int
	Placement Assignment
	Job       string // job whose moves are requested; "" for none
}

// Hand describes a placement by hand.
type Hand struct {
	Cost    *float64         // nil if a cluster refuses a job or has no price
	Refused []placement.Move // the jobs that their clusters refuse, with all others in place; Name is "job on cluster"
	Moves   []placement.Move // moves of the job to the other clusters, cheapest first; nil without a job
}

// Hand answers a query. The placement need not keep the constraints.
func (e *Prepared) Hand(_ context.Context, q HandQuery) (*Hand, error) {
	problem, s, err := e.solved(q.Strategy, 0)
	if err != nil {
		return nil, err
	}
	d := e.world.deployments[0]
	if len(e.world.deployments) > 1 || len(q.Placement) != d.Jobs().Len() {
		return nil, fmt.Errorf("a placement by hand is of one deployment, with all its %d jobs", d.Jobs().Len())
	}
	if err := e.env.Affords(placement.PairMemory(problem.Deployment(), e.world.federation.Federation)); err != nil {
		return nil, err
	}
	s.Status = placement.Placed
	if s.Cluster, err = e.clustersOf(0, q.Placement); err != nil {
		return nil, err
	}
	if slices.Contains(s.Cluster, -1) {
		return nil, errors.New("a placement by hand names each job once")
	}
	why, err := placement.NewStander(problem, s)
	if err != nil {
		return nil, err
	}
	h := &Hand{Refused: why.Refused()}
	if problem.Priced() && len(h.Refused) == 0 {
		node, link := problem.Costs(s.Cluster)
		h.Cost = new(node + link)
	}
	if job, known := d.Job(q.Job); known {
		h.Moves = why.Standing(int(job)).Moves
	}
	for i := range h.Moves {
		if h.Cost == nil { // a change from an undefined cost is undefined
			h.Moves[i].Cost, h.Moves[i].Change = nil, nil
		}
	}
	return h, nil
}

// clustersOf returns the cluster of each job of a deployment in an assignment, -1 for a job without
// one.
func (e *Prepared) clustersOf(deployment int, a Assignment) ([]int32, error) {
	d := e.world.deployments[deployment]
	all := slices.Repeat([]int32{-1}, d.Jobs().Len())
	for _, x := range a {
		job, known := d.Job(x.Job)
		cluster, there := e.world.federation.Cluster(x.Cluster)
		switch {
		case !known:
			return nil, fmt.Errorf("there is no job %q in deployment %d", x.Job, deployment)
		case !there:
			return nil, fmt.Errorf("there is no cluster %q", x.Cluster)
		}
		all[job] = int32(cluster)
	}
	return all, nil
}
