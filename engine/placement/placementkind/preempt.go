package placementkind

import (
	"context"
	"fmt"
	"io"

	"berth/engine/figure"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/placement"
	"berth/engine/show"
)

// Plan describes how a deployment that was not placed could be placed if preemptible jobs of
// earlier deployments moved. It is not carried out. It minimizes the requests that move, then the
// cost. Without a placement, Status says whether none exists even with moves.
type Plan struct {
	Status      placement.Status
	Reason      string `json:"reason,omitempty"`
	Moves       []PlannedMove
	Placement   Assignment    // of the deployment
	Cost        Cost          // of the deployment
	MovesCost   figure.Number // increase of the cost of the moved jobs and their links
	Preemptible int           // number of placed jobs that may move
}

// PlannedMove is a job of an earlier deployment that would move to another cluster.
type PlannedMove struct {
	Deployment string
	MovedJob
}

// standing is the union of the placed deployments before an unplaced deployment, and that
// deployment.
type standing struct {
	placed     []format.Deployment
	union      *graph.Deployment
	was        []int32
	fixed      []bool
	movable    int
	node, link float64
}

// stood returns the union for an unplaced deployment.
func (w *world) stood(r *run, deployment int) *standing {
	s, d := &standing{}, w.deployments[deployment]
	preemption := graph.Lookup(graph.Job, "preemption")
	for i, solution := range r.solutions[:deployment] {
		if !solution.Complete() {
			continue
		}
		s.placed, s.was = append(s.placed, w.deployments[i]), append(s.was, solution.Cluster...)
		s.node, s.link = s.node+solution.NodeCost, s.link+solution.LinkCost
		for job := range solution.Cluster {
			marked := w.deployments[i].Jobs().Values(preemption, job)
			fixed := marked == nil || marked[0] == 0
			if !fixed {
				s.movable++
			}
			s.fixed = append(s.fixed, fixed)
		}
	}
	s.union = together(append(s.placed, d))
	for range d.Jobs().Len() {
		s.was, s.fixed = append(s.was, -1), append(s.fixed, false)
	}
	return s
}

// plan searches for moves of preemptible jobs that make room for an unplaced deployment; nil if no
// job is preemptible.
func (e *Prepared) plan(ctx context.Context, r *run, deployment int, seed uint64) *Plan {
	w := e.world
	s := w.stood(r, deployment)
	if s.movable == 0 || e.env.Affords(placement.Memory(s.union, w.federation.Federation)) != nil {
		return nil
	}
	p := placement.NewProblem(s.union, e.capacity())
	found := placement.Keep{Was: s.was, Fixed: s.fixed}.Place(ctx, p, e.options(seed))
	plan := &Plan{Status: found.Status, Reason: found.Why(), Moves: []PlannedMove{}, Cost: NoCost, MovesCost: figure.Undefined, Preemptible: s.movable}
	if found.Status != placement.Placed {
		return plan
	}
	from, clusters := 0, w.federation.Clusters()
	for _, d := range s.placed {
		for job := range d.Jobs().Len() {
			if was, now := s.was[from+job], found.Cluster[from+job]; was != now {
				plan.Moves = append(plan.Moves, PlannedMove{d.Name, MovedJob{d.Jobs().ID(job), clusters.ID(int(was)), clusters.ID(int(now))}})
			}
		}
		from += d.Jobs().Len()
	}
	own := found.Cluster[from:]
	plan.Placement = e.assignment(w.deployments[deployment].Deployment, &placement.Solution{Status: placement.Placed, Cluster: own})
	node, link := e.alone(deployment).Costs(own)
	if w.priced() {
		plan.Cost = cost(figure.Number(node), figure.Number(link))
		plan.MovesCost = figure.Number(found.Cost() - node - link - s.node - s.link)
	}
	return plan
}

// writeText writes the plan below its deployment.
func (p *Plan) writeText(w io.Writer) {
	switch {
	case p == nil:
	case p.Status != placement.Placed:
		fmt.Fprintf(w, "  with the %s moved: %s: %s\n", show.Count(p.Preemptible, "preemptible job"), p.Status, p.Reason)
	case len(p.Moves) == 0:
		fmt.Fprintf(w, "  it would fit for %s without moves: try another strategy\n", p.Cost.Total)
	default:
		fmt.Fprintf(w, "  it would fit for %s if %s moved, at a cost of %s; nothing was moved:\n",
			p.Cost.Total, show.Count(len(p.Moves), "preemptible job"), p.MovesCost)
		for _, m := range p.Moves {
			fmt.Fprintf(w, "    %s of %s: %s → %s\n", show.Text(m.Job), show.Text(m.Deployment), show.Text(m.From), show.Text(m.To))
		}
		for _, a := range p.Placement {
			fmt.Fprintf(w, "    %s on %s\n", show.Text(a.Job), show.Text(a.Cluster))
		}
	}
}
