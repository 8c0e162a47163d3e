package kube

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// NodeType is a type of node that can be added to a cluster.
type NodeType struct {
	Type             string
	Template         Node
	Price            float64 // per node and hour
	Minimum, Maximum int     // numbers of nodes; Maximum 0: unlimited
}

const instanceType = "node.kubernetes.io/instance-type"

// priceOf returns the hourly price of a node's type, 0 if unknown.
func priceOf(n *Node, pools []NodeType) float64 {
	if i := slices.IndexFunc(pools, func(p NodeType) bool { return p.Type == n.Labels[instanceType] }); i >= 0 {
		return pools[i].Price
	}
	return 0
}

// maxAdded limits the number of added nodes. maxVain limits how many times in a row Provision adds
// nodes that take no pod: several new nodes together may satisfy a topology spread constraint, but
// never an affinity.
const maxAdded, maxVain = 10_000, 10

// Added is the number of nodes that Provision adds from one pool.
type Added struct {
	Type  string
	Nodes int
	Price float64 // per node and hour
}

// Provision searches for the cheapest numbers of nodes from the pools so that the scheduler places
// all pending pods. It repeatedly adds nodes of the pool with the lowest price for the pods they
// take, then removes unnecessary nodes.
func (c *Cluster) Provision(profile Profile, pools []NodeType) *ProvisionReport {
	x := &provision{Cluster: c, profile: profile, pools: pools, counts: make([]int, len(pools))}
	added := 0
	for i := range pools {
		x.counts[i] = pools[i].Minimum
		added += x.counts[i]
	}
	left := x.try()
	for vain := 0; len(left) > 0 && added < maxAdded && vain < maxVain; {
		next, each := x.next(left)
		if next < 0 {
			break
		}
		more := x.step(next, len(left)/each)
		x.counts[next], added = x.counts[next]+more, added+more
		before := len(left)
		if left = x.try(); len(left) < before {
			vain = 0
		} else {
			vain++
		}
	}
	x.trim(len(left))
	r := &ProvisionReport{Cluster: c.Name, Pools: []Added{}, Bound: x.bound(left), Left: []PendingPod{}, On: []PendingPod{}}
	s, decisions := x.run()
	for _, d := range decisions {
		p := s.answer(c.Name, d)
		if p.Would == "" {
			r.Left = append(r.Left, p)
		} else if !slices.ContainsFunc(c.Nodes, func(n Node) bool { return n.Name == p.Would }) {
			r.On = append(r.On, p)
		}
	}
	for i, n := range x.counts {
		r.Price += float64(float64(n) * pools[i].Price)
		if n > 0 {
			r.Pools = append(r.Pools, Added{pools[i].Type, n, pools[i].Price})
		}
	}
	if r.Bound != 0 {
		r.Gap = (r.Price - r.Bound) / r.Bound
	}
	return r
}

type provision struct {
	*Cluster
	profile Profile
	pools   []NodeType
	counts  []int
}

// Node returns the k-th node (from 0) that the pool would add, with an invented name and host name
// label.
func (p *NodeType) Node(k int) Node {
	n := p.Template
	n.Name = fmt.Sprintf("%s-%d", p.Type, k+1)
	n.Labels = map[string]string{HostName: n.Name, instanceType: p.Type}
	maps.Copy(n.Labels, p.Template.Labels)
	return n
}

// run schedules the pending pods on the cluster with the nodes added so far.
func (x *provision) run() (*ClusterState, []Decision) {
	c := *x.Cluster
	c.Nodes = slices.Clone(x.Nodes)
	for i, n := range x.counts {
		for k := range n {
			c.Nodes = append(c.Nodes, x.pools[i].Node(k))
		}
	}
	s, waiting := c.State(x.profile)
	return s, s.Run(waiting, c.Budgets)
}

// try returns the pods that stay pending with the nodes added so far, but that more nodes may help.
func (x *provision) try() (left []Decision) {
	_, all := x.run()
	for _, d := range all {
		if d.Node < 0 && len(d.Pod.Gates) == 0 && d.Pod.Beyond == "" {
			left = append(left, d)
		}
	}
	return left
}

// full reports whether a pool has its maximum of nodes.
func (x *provision) full(pool int) bool {
	return x.pools[pool].Maximum > 0 && x.counts[pool] >= x.pools[pool].Maximum
}

// next returns the pool with the lowest ratio of a node's price to the worth of the pending pods
// that it takes, and the number of these pods. best is -1 if no pool takes any.
func (x *provision) next(left []Decision) (best, each int) {
	best = -1
	least := math.Inf(1)
	for i := range x.pools {
		if x.full(i) {
			continue
		}
		taken := x.fill(&x.pools[i], left)
		var worth float64
		for _, k := range taken {
			worth += x.worth(left[k].Pod.Shape)
		}
		if worth > 0 && x.pools[i].Price/worth < least {
			best, each, least = i, len(taken), x.pools[i].Price/worth
		}
	}
	return best, each
}

// worth returns the size of a pod: its requests as fractions of the largest pool,
// summed over resources.
func (x *provision) worth(s *Shape) (worth float64) {
	for resource, need := range s.Requests {
		var largest int64
		for i := range x.pools {
			largest = max(largest, x.pools[i].Template.Allocatable[resource])
		}
		if largest > 0 {
			worth += float64(need) / float64(largest)
		}
	}
	return max(worth, 1e-6)
}

// fill returns the indexes of the pending pods that one node of a pool takes, filled
// largest first.
func (x *provision) fill(pool *NodeType, left []Decision) (taken []int) {
	order := ordered(len(left), func(a, b int) int {
		return cmp.Compare(x.worth(left[b].Pod.Shape), x.worth(left[a].Pod.Shape))
	})
	s := New([]Node{pool.Node(0)}, x.Objects, x.profile)
	for _, k := range order {
		if s.Schedule(&Pod{Shape: alone(left[k].Pod.Shape)}).Node >= 0 {
			taken = append(taken, k)
		}
	}
	return taken
}

// alone returns the shape without constraints that depend on other pods.
func alone(s *Shape) *Shape {
	own := *s
	own.With, own.Spread = nil, nil
	return &own
}

// step returns the number of nodes to add to a pool at once: about half of the estimated need, so
// that many nodes take few tries.
func (x *provision) step(pool, need int) int {
	n := max(1, need/2)
	if most := x.pools[pool].Maximum; most > 0 {
		n = min(n, most-x.counts[pool])
	}
	return n
}

// trim removes unnecessary nodes, most expensive first, and replaces nodes by cheaper ones if these
// suffice.
func (x *provision) trim(left int) {
	order := ordered(len(x.pools), func(a, b int) int { return cmp.Compare(x.pools[b].Price, x.pools[a].Price) })
	holds := func(change func(by int)) bool {
		change(1)
		if len(x.try()) <= left {
			return true
		}
		change(-1)
		return false
	}
	for _, i := range order {
		for x.counts[i] > x.pools[i].Minimum && holds(func(by int) { x.counts[i] -= by }) {
			continue
		}
		for k := range x.pools {
			for x.pools[k].Price < x.pools[i].Price && !x.full(k) && x.counts[i] > x.pools[i].Minimum &&
				holds(func(by int) { x.counts[i] -= by; x.counts[k] += by }) {
			}
		}
	}
}

// bound returns a lower bound of the price of any set of nodes that places the
// pending pods outside of left. It is the maximum of:
//
//   - the price of buying the shortfall, by the linear program over CPU and memory, and
//     by each resource alone;
//   - the price of the minimum of each pool;
//   - for a pod that no existing node takes, the cheapest node that takes it.
func (x *provision) bound(left []Decision) float64 {
	short, homeless := x.shortfall(left)
	best := 0.0
	for resource, amount := range short {
		best = max(best, float64(amount)*x.cheapest(func(p *NodeType) int64 { return p.Template.Allocatable[resource] }))
	}
	cpu, memory := float64(short[CPU]), float64(short[Memory])
	for i := range x.pools { // at a corner of the dual's region, two pools are worth exactly their price
		for k := range i {
			a, b := &x.pools[i], &x.pools[k]
			ac, am := float64(a.Template.Allocatable[CPU]), float64(a.Template.Allocatable[Memory])
			bc, bm := float64(b.Template.Allocatable[CPU]), float64(b.Template.Allocatable[Memory])
			det := float64(ac*bm) - float64(am*bc)
			if det == 0 {
				continue
			}
			yc, ym := (float64(a.Price*bm)-float64(am*b.Price))/det, (float64(ac*b.Price)-float64(a.Price*bc))/det
			if yc >= 0 && ym >= 0 && x.worthTheirPrice(yc, ym) {
				best = max(best, float64(yc*cpu)+float64(ym*memory))
			}
		}
	}
	for i := range x.pools {
		best = max(best, float64(x.pools[i].Minimum)*x.pools[i].Price)
	}
	for _, s := range homeless {
		best = max(best, x.cheapest(func(p *NodeType) int64 { return int64(len(x.fill(p, []Decision{{Pod: &Pod{Shape: s}}}))) }))
	}
	return best
}

// cheapest returns the lowest price per unit that a pool offers, given the number of units on one
// of its nodes; 0 if no pool has any units.
func (x *provision) cheapest(units func(*NodeType) int64) float64 {
	least := math.Inf(1)
	for i := range x.pools {
		if n := units(&x.pools[i]); n > 0 {
			least = min(least, x.pools[i].Price/float64(n))
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// worthTheirPrice reports whether, at the given prices per unit of CPU and memory, no
// node is worth more than its price (feasibility of the dual).
func (x *provision) worthTheirPrice(cpu, memory float64) bool {
	const rounding = 1 + 1e-9
	return !slices.ContainsFunc(x.pools, func(p NodeType) bool {
		worth := float64(cpu*float64(p.Template.Allocatable[CPU])) + float64(memory*float64(p.Template.Allocatable[Memory]))
		return worth > p.Price*rounding
	})
}

// shortfall returns the total requests of the pending pods outside of left, minus the free
// resources of existing nodes that accept any of them, and the shapes that no existing node
// accepts.
func (x *provision) shortfall(left []Decision) (need Resources, homeless []*Shape) {
	unplaced := map[string]bool{}
	for _, d := range left {
		unplaced[d.Pod.Namespace()+"/"+d.Pod.Name] = true
	}
	need = Resources{}
	shapes := map[*Shape]bool{} // whether an existing node accepts it
	for _, p := range x.Pods {
		if p.On != "" || p.Ending || unplaced[p.Namespace()+"/"+p.Name] || len(p.Gates) > 0 || p.Beyond != "" {
			continue
		}
		shapes[p.Shape] = false
		for resource, amount := range p.Shape.Requests {
			need[resource] += amount
		}
	}
	s, _ := x.State(x.profile)
	for n := range s.Nodes {
		any := false
		for shape := range shapes {
			if s.fit(s.class(shape), n) && shape.Refusal(&s.Nodes[n]) == "" {
				any, shapes[shape] = true, true
			}
		}
		for resource := range need {
			if r, known := s.number[resource]; any && known {
				need[resource] -= max(0, s.free(n, r))
			}
		}
	}
	for resource, amount := range need {
		need[resource] = max(0, amount)
	}
	for shape, takes := range shapes {
		if !takes {
			homeless = append(homeless, shape)
		}
	}
	return need, homeless
}
