package placementkind

import (
	"context"
	"fmt"
	"io"

	"berth/engine/figure"
	"berth/engine/graph"
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
	parts      []int // numbers of the deployments; the last is the one to place
	union      *graph.Deployment
	was        []int32
	fixed      []bool
	movable    int
	node, link float64
}

// stood returns the union for an unplaced deployment.
func (w *world) stood(r *run, deployment int) *standing {
	s := &standing{}
	var all []*graph.Deployment
	var names []string
	preemption := graph.Lookup(graph.Job, "preemption")
	for i, d := range w.deployments[:deployment+1] {
		placed := i < deployment && r.solutions[i].Complete()
		if !placed && i < deployment {
			continue
		}
		s.parts, all, names = append(s.parts, i), append(all, d.Deployment), append(names, d.Name)
		if placed {
			s.node, s.link = s.node+r.solutions[i].NodeCost, s.link+r.solutions[i].LinkCost
		}
		for job := range d.Jobs().Len() {
			cluster, fixed := int32(-1), false
			if placed {
				cluster = r.solutions[i].Cluster[job]
				marked := d.Jobs().Values(preemption, job)
				fixed = marked == nil || marked[0] == 0
				if !fixed {
					s.movable++
				}
			}
			s.was, s.fixed = append(s.was, cluster), append(s.fixed, fixed)
		}
	}
	s.union = graph.Union(all, names)
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
	for _, i := range s.parts {
		d := w.deployments[i]
		for job := range d.Jobs().Len() {
			was, now := s.was[from+job], found.Cluster[from+job]
			switch {
			case i == deployment:
				plan.Placement = append(plan.Placement, Assigned{d.Jobs().ID(job), clusters.ID(int(now))})
			case was != now:
				plan.Moves = append(plan.Moves, PlannedMove{d.Name, MovedJob{d.Jobs().ID(job), clusters.ID(int(was)), clusters.ID(int(now))}})
			}
		}
		from += d.Jobs().Len()
	}
	own := found.Cluster[from-w.deployments[deployment].Jobs().Len():]
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
