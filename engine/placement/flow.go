package placement

import (
	"context"
	"fmt"
	"math"
	"slices"

	"berth/engine/assign"
	"berth/engine/flow"
	"berth/engine/parameter"
)

// counting places jobs by a flow of least cost from jobs to clusters, in which a cluster takes
// a number of jobs, whichever these are. That sees no dependency, no rule that counts, and not
// that one job requests more than another: a placement that keeps those too, and pays no link,
// is the cheapest one, and there is none for any other.
type counting struct{}

var flowPlugin = Plugin{
	Name: "flow", Title: "flow",
	Description: "a flow of least cost: proved optimal at once where jobs request the same and pay for no links; refuses other deployments",
	Incomplete:  true,
	New:         func(parameter.Values) Strategy { return counting{} },
}

// Place implements [Strategy].
func (counting) Place(ctx context.Context, p *Problem, _ Options) Solution {
	order := make([]int32, p.deployment.Jobs().Len())
	for job := range order {
		order[job] = int32(job)
	}
	attempt := p.NewAttempt(order)
	t := newTransport(p.relaxed())
	cluster, err := t.solve(ctx)
	switch {
	case ctx.Err() != nil:
		s := attempt.Solution(Cancelled)
		s.Reason = Stopped{context.Cause(ctx)}
		return s
	case err != nil:
		return attempt.notApplicable(err.Error())
	case cluster == nil:
		s := attempt.Solution(Infeasible)
		s.Certificate, s.Reason = noPlacement(), Ended{How: AllRuledOut}
		if short := p.shortage(); short != nil {
			s.Reason = short
		}
		return s
	}
	s := attempt.follow(cluster)
	s.Certificate = &Certificate{Bound: t.bound}
	return s
}

// follow places the jobs as a flow does, as far as nothing that it does not see is broken.
func (m *Attempt) follow(cluster []int32) Solution {
	for job, j := range cluster {
		if m.Put(int(j)) {
			continue
		}
		r, _ := m.Refusal(int(j))
		return m.notApplicable(unseen(m.problem.deployment.Jobs().Name(job), r))
	}
	s := m.Solution(Placed)
	if s.LinkCost > 0 {
		return m.notApplicable(paysLinks(s.LinkCost))
	}
	return s
}

// notApplicable is a solution without a placement.
func (m *Attempt) notApplicable(why string) Solution {
	s := m.problem.NewAttempt(m.order).Solution(NotApplicable)
	s.Reason, s.Expansions = NoFlow(why), m.expansions
	return s
}

// What a transport has at most: with more clusters and kinds of jobs, costs become too coarse.
const (
	mostTransportNodes  = 1 << 14
	mostTransportRounds = 8
)

// transport is a problem in which clusters take a number of jobs.
//
// A flow has whole costs. So it is solved in rounds: each has the costs at the prices of the
// last one, up to twice the gap between placement and bound, for what costs more can no longer
// make the placement cheaper: the narrower the gap, the finer the costs.
type transport struct {
	clusters int
	kinds    []jobKind
	room     []int64   // by cluster: jobs
	price    []float64 // by cluster: of room for one job
	least    []float64 // by kind: what a job costs at least, at these prices
	network  *flow.Network
	arcs     []int // by kind and cluster; 0 for none

	bound float64 // no placement costs less
}

// jobKind is jobs that cost the same on every cluster.
type jobKind struct {
	jobs []int32
	cost []float64 // by cluster, +Inf where they cannot stand
}

func newTransport(p *assign.Problem) *transport {
	t := &transport{clusters: p.Clusters, room: make([]int64, p.Clusters), price: make([]float64, p.Clusters), network: flow.New()}
	row := make([]float64, p.Clusters)
	for job := range p.Jobs {
		for c := range row {
			if row[c] = math.Inf(1); p.Allowed(job, c) {
				row[c] = p.NodeCost(job, c)
			}
		}
		k := slices.IndexFunc(t.kinds, func(k jobKind) bool { return slices.Equal(k.cost, row) })
		if k < 0 {
			k = len(t.kinds)
			if t.tooLarge(k + 1) {
				break
			}
			t.kinds = append(t.kinds, jobKind{cost: slices.Clone(row)})
		}
		t.kinds[k].jobs = append(t.kinds[k].jobs, int32(job))
	}
	for c := range t.room {
		t.room[c] = roomFor(p, c)
	}
	t.least, t.arcs = make([]float64, len(t.kinds)), make([]int, len(t.kinds)*p.Clusters)
	return t
}

// tooLarge says whether so many kinds are too many for the clusters.
func (t *transport) tooLarge(kinds int) bool {
	return kinds+t.clusters > mostTransportNodes || kinds*t.clusters > flow.MaxArcs/2
}

// roomFor is how many jobs a cluster takes at most: as many of those that request least as it
// has room for, with a little more for sums that are rounded.
func roomFor(p *assign.Problem, c int) int64 {
	var jobs []int
	for job := range p.Jobs {
		if p.Allowed(job, c) {
			jobs = append(jobs, job)
		}
	}
	most := len(jobs)
	amounts := make([]float64, len(jobs))
	for r := range p.Resources {
		for i, job := range jobs {
			amounts[i] = p.Amount(r, job, c)
		}
		slices.Sort(amounts)
		left := p.Resources[r].Capacity[c] * (1 + 1e-12)
		for i, amount := range amounts[:most] {
			if left -= amount; left < 0 {
				most = i
				break
			}
		}
	}
	return int64(most)
}

// solve finds a placement of least cost, nil where there is none.
func (t *transport) solve(ctx context.Context) (best []int32, err error) {
	if t.tooLarge(len(t.kinds) + 1) {
		return nil, fmt.Errorf("a flow has room for %d clusters and jobs of different costs", mostTransportNodes)
	}
	most := 0.0
	for _, k := range t.kinds {
		for _, cost := range k.cost {
			if !math.IsInf(cost, 1) {
				most = max(most, cost)
			}
		}
	}
	least, gap := math.Inf(1), most
	t.raise()
	for range mostTransportRounds {
		cluster, err := t.round(ctx, gap)
		if err != nil {
			return nil, err
		}
		if cluster == nil {
			break
		}
		if cost := t.cost(cluster); cost < least {
			best, least = cluster, cost
		}
		t.raise()
		narrower := least - t.bound
		if narrower <= 1e-12*least || narrower >= gap/2 {
			break
		}
		gap = narrower
	}
	return best, nil
}

// cost is what the jobs cost that a placement has on the clusters.
func (t *transport) cost(cluster []int32) (sum float64) {
	for _, k := range t.kinds {
		for _, job := range k.jobs {
			sum += k.cost[cluster[job]]
		}
	}
	return sum
}

// raise computes what jobs cost at least at the prices, and raises the bound to what they pay
// less what all room is worth, as far as rounding leaves no doubt.
func (t *transport) raise() {
	var sum, all float64
	for k, of := range t.kinds {
		least := math.Inf(1)
		for c, cost := range of.cost {
			least = min(least, cost+t.price[c])
		}
		t.least[k] = least
		paid := float64(least * float64(len(of.jobs)))
		sum, all = sum+paid, all+paid
	}
	for c, price := range t.price {
		worth := float64(price * float64(t.room[c]))
		sum, all = sum-worth, all+worth
	}
	t.bound = max(t.bound, sum-float64(all*float64(t.clusters+len(t.kinds)+2)*0x1p-52))
}

// round solves a flow with costs up to twice a gap, and changes prices by those of its nodes.
// Only arcs from clusters can be full, so that these are all that has a price.
func (t *transport) round(ctx context.Context, gap float64) (cluster []int32, err error) {
	n := t.network
	n.Clear()
	steps := float64(int64(1)<<flow.CostBits(2+t.clusters+len(t.kinds)) - 1)
	most := 2 * gap
	whole := func(cost float64, round func(float64) float64) int64 {
		if most == 0 {
			return 0
		}
		return int64(round(min(1, cost/most) * steps))
	}
	first := n.Nodes()
	for c, room := range t.room {
		n.AddArc(n.AddNode(), flow.Sink, room, -whole(t.price[c], math.Ceil))
	}
	clear(t.arcs)
	jobs := int64(0)
	for k, of := range t.kinds {
		node, many := n.AddNode(), int64(len(of.jobs))
		jobs += many
		n.AddArc(flow.Source, node, many, 0)
		for c, cost := range of.cost {
			if !math.IsInf(cost, 1) {
				t.arcs[k*t.clusters+c] = n.AddArc(node, first+c, many+1, whole(cost+t.price[c]-t.least[k], math.Round))
			}
		}
	}
	s, err := n.Solve(ctx)
	if err != nil || s.Flow < jobs {
		return nil, err
	}
	t.reprice(first, most/steps)
	return t.placement(int(jobs)), nil
}

// reprice adds the prices of nodes to those of room, so that room is free on one cluster: all
// prices less by as much never lower the bound.
func (t *transport) reprice(first int, unit float64) {
	sink, low := t.network.Price(flow.Sink), math.Inf(1)
	for c := range t.price {
		t.price[c] = max(0, t.price[c]+float64((sink-t.network.Price(first+c))*unit))
		if t.room[c] > 0 {
			low = min(low, t.price[c])
		}
	}
	for c := range t.price {
		t.price[c] = max(0, t.price[c]-low)
	}
}

// placement takes the jobs of a kind in file order to the clusters, in file order too.
func (t *transport) placement(jobs int) []int32 {
	cluster := make([]int32, jobs)
	for k, of := range t.kinds {
		next := 0
		for c := range t.clusters {
			if arc := t.arcs[k*t.clusters+c]; arc > 0 {
				for range t.network.Flow(arc) {
					cluster[of.jobs[next]] = int32(c)
					next++
				}
			}
		}
	}
	return cluster
}
