package placementkind

import (
	"context"

	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/plugin"
)

// placeJointly places all deployments jointly, as their union.
func (e *Prepared) placeJointly(ctx context.Context, by placement.Strategy, seed uint64, work *jobCounter, r *run) error {
	r.union = together(e.world.deployments)
	if err := e.env.Affords(e.memory(r.union)); err != nil {
		return err
	}
	work.standing(nil)
	s, milliseconds, err := e.solve(ctx, by, placement.NewProblem(r.union, e.capacity()), seed, work)
	if err != nil {
		return err
	}
	r.joint, r.together = &s, milliseconds
	work.add(r.union.Jobs().Len())
	return nil
}

// divide replaces the solutions of placing one deployment after the other by the parts of the joint
// solution. It stores the replaced solutions in inOrder.
func (e *Prepared) divide(ctx context.Context, r *run) {
	r.inOrder = r.solutions
	if !e.jointly() {
		r.joint, r.union = &r.solutions[0], e.world.deployments[0].Deployment
		return
	}
	r.solutions, r.milliseconds = nil, nil
	capacity, milliseconds := e.capacity(), r.together
	for i := range e.world.deployments {
		part := e.part(ctx, i, capacity, *r.joint)
		if i > 0 {
			part.Expansions, part.Backtracks, part.Own, milliseconds = 0, 0, plugin.Own{}, 0 // these figures belong to the joint search
		}
		r.add(part, milliseconds)
	}
	r.capacity = capacity
}

// part returns the part of the joint solution for one deployment.
func (e *Prepared) part(ctx context.Context, deployment int, capacity *placement.Capacity, whole placement.Solution) placement.Solution {
	p := e.problem(deployment, capacity)
	from := jobsIn(e.world.deployments[:deployment])
	to := from + p.Deployment().Jobs().Len()
	s := whole
	s.ByPA, s.Draws, s.Order = false, nil, nil // they describe the joint search
	for _, job := range whole.Order {
		if int(job) >= from && int(job) < to {
			s.Order = append(s.Order, job-int32(from))
		}
	}
	s.Cluster = append([]int32{}, whole.Cluster[from:to]...)
	s.Certificate = nil
	s.NodeCost, s.LinkCost = 0, 0
	if whole.Complete() {
		s.NodeCost, s.LinkCost = p.Costs(s.Cluster)
		capacity.Commit(p, s)
	}
	e.alone(deployment).Certify(ctx, &s) // the certificate holds if nothing is placed before it
	return s
}

// apart splits a joint solution into the solutions of the deployments.
func (e *Prepared) apart(s placement.Solution) []placement.Solution {
	all, from := make([]placement.Solution, len(e.world.deployments)), 0
	for i, d := range e.world.deployments {
		all[i] = s
		if to := from + d.Jobs().Len(); s.Complete() {
			all[i].Cluster, from = s.Cluster[from:to], to
		}
	}
	return all
}

// jointReport compares the joint placement with placing one deployment after the other.
func (e *Prepared) jointReport(r run) *Joint {
	if r.joint == nil {
		return nil
	}
	j := &Joint{Status: r.joint.Status, Reason: r.joint.Why(), Certificate: e.certificate(r.union, *r.joint)}
	j.Placed, j.InOrder = e.world.costOf(r.inOrder...)
	j.OrderCosts = figure.Undefined
	if j.Placed == len(r.inOrder) && r.joint.Complete() {
		j.OrderCosts = j.InOrder.Total - figure.Number(r.joint.Cost())
	}
	return j
}
