package replay

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"berth/engine/packing"
)

// Pool is a kind of node that can be added.
type Pool struct {
	Type             string
	Template         packing.Node
	Price            float64 // an hour
	Minimum, Maximum int     // nodes; a maximum of 0 is none
}

// instanceType is the label of nodes that names their type.
const instanceType = "node.kubernetes.io/instance-type"

// priceOf is the price of a node by its type, 0 where that is not known.
func priceOf(n *packing.Node, pools []Pool) float64 {
	for i := range pools {
		if pools[i].Type == n.Labels[instanceType] {
			return pools[i].Price
		}
	}
	return 0
}

// maxAdded bounds the nodes that are tried.
const maxAdded = 10_000

// Added is how many nodes of a pool are added.
type Added struct {
	Type  string  `json:"type"`
	Nodes int     `json:"nodes"`
	Price float64 `json:"price"` // of one, an hour
}

// Provisioned is the cheapest set of nodes that was found for pods that are pending.
type Provisioned struct {
	Pools []Added
	Price float64 // of all, an hour
	Bound float64 // no set that takes the pods costs less
	Left  []Answer
	On    []Answer // pods that go to nodes which are added
}

// Gap is how far the price is from the bound.
func (p *Provisioned) Gap() float64 {
	if p.Bound == 0 {
		return 0
	}
	return (p.Price - p.Bound) / p.Bound
}

// Provision looks for the cheapest counts of nodes of some pools that let the
// scheduler place all pods that wait. It adds nodes by price for what they take, and then drops
// those that are not needed.
func (c *Cluster) Provision(profile Profile, pools []Pool) *Provisioned {
	x := &provision{Cluster: c, profile: profile, pools: pools, counts: make([]int, len(pools))}
	for i := range pools {
		x.counts[i] = pools[i].Minimum
	}
	left := x.try()
	for len(left) > 0 && x.sum() < maxAdded {
		next := x.next(left)
		if next < 0 {
			break
		}
		x.counts[next] += x.step(next, left)
		left = x.try()
	}
	x.trim(len(left))
	out := &Provisioned{Bound: x.bound(left), Left: left, On: x.added()}
	for i, n := range x.counts {
		out.Price += float64(float64(n) * pools[i].Price)
		if n > 0 {
			out.Pools = append(out.Pools, Added{pools[i].Type, n, pools[i].Price})
		}
	}
	return out
}

type provision struct {
	*Cluster
	profile Profile
	pools   []Pool
	counts  []int
}

func (x *provision) sum() (n int) {
	for _, k := range x.counts {
		n += k
	}
	return n
}

// with returns the cluster with the nodes that are added so far, and fresh copies of its
// pods.
func (x *provision) with() *Cluster {
	one := *x.Cluster
	one.Nodes = slices.Clone(x.Nodes)
	for i, n := range x.counts {
		for k := range n {
			one.Nodes = append(one.Nodes, x.node(i, k))
		}
	}
	one.Pods = make([]*Pod, len(x.Pods))
	for i, p := range x.Pods {
		own := *p
		one.Pods[i] = &own
	}
	return &one
}

func (x *provision) node(pool, k int) packing.Node { return x.pools[pool].Node(k) }

// Node is node number k, from 0, of a pool.
func (p *Pool) Node(k int) packing.Node {
	n := p.Template
	n.Name = fmt.Sprintf("%s-%d", p.Type, k+1)
	labels := map[string]string{hostName: n.Name, instanceType: p.Type}
	for key, value := range n.Labels {
		labels[key] = value
	}
	n.Labels = labels
	return n
}

// run schedules the pods that wait with the nodes that are added so far.
func (x *provision) run() (*State, []Decision) {
	c := x.with()
	s, waiting := c.State(x.profile)
	return s, s.Run(waiting, copies(c.Budgets))
}

// try returns the decisions about the pods that still find no node.
func (x *provision) try() (left []Answer) {
	_, all := x.run()
	for _, d := range all {
		if d.Node < 0 && len(d.Pod.Gates) == 0 {
			left = append(left, Answer{Decision: d})
		}
	}
	return left
}

// added returns the pods that go to nodes which are added.
func (x *provision) added() (all []Answer) {
	s, decisions := x.run()
	for _, d := range decisions {
		if d.Node < 0 {
			continue
		}
		name := s.Nodes[d.Node].Name
		if !slices.ContainsFunc(x.Nodes, func(n packing.Node) bool { return n.Name == name }) {
			all = append(all, Answer{Decision: d, Would: name})
		}
	}
	return all
}

// next returns the pool with the lowest price for what one node takes of the pods that are
// left, -1 if none takes any.
func (x *provision) next(left []Answer) int {
	best, least := -1, math.Inf(1)
	for i := range x.pools {
		if most := x.pools[i].Maximum; most > 0 && x.counts[i] >= most {
			continue
		}
		taken := x.fill(i, left)
		var worth float64
		for _, k := range taken {
			worth += x.worth(left[k].Pod.Shape)
		}
		if worth > 0 && x.pools[i].Price/worth < least {
			best, least = i, x.pools[i].Price/worth
		}
	}
	return best
}

// worth is the size of a pod: its shares of the largest pool.
func (x *provision) worth(s *packing.Shape) (worth float64) {
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

// fill returns which of the pods that are left one more node of a pool takes, the largest
// first.
func (x *provision) fill(pool int, left []Answer) (taken []int) {
	order := make([]int, len(left))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(x.worth(left[b].Pod.Shape), x.worth(left[a].Pod.Shape))
	})
	s := New([]packing.Node{x.node(pool, 0)}, x.Objects, x.profile)
	for _, k := range order {
		p := &Pod{Name: left[k].Pod.Name, Shape: alone(left[k].Pod.Shape)}
		if s.Schedule(p).Node >= 0 {
			taken = append(taken, k)
		}
	}
	return taken
}

// alone is a shape without what depends on other pods.
func alone(s *packing.Shape) *packing.Shape {
	own := *s
	own.With, own.Spread = nil, nil
	return &own
}

// step is how many nodes of a pool are added at once: about half of what the pods that are
// left need, so that large numbers take few tries.
func (x *provision) step(pool int, left []Answer) int {
	each := max(1, len(x.fill(pool, left)))
	n := max(1, len(left)/each/2)
	if most := x.pools[pool].Maximum; most > 0 {
		n = min(n, most-x.counts[pool])
	}
	return n
}

// trim drops nodes that are not needed, the dearest first, and replaces a dearer one by a
// cheaper one where that is enough.
func (x *provision) trim(left int) {
	order := make([]int, len(x.pools))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x.pools[b].Price, x.pools[a].Price) })
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
			room := x.pools[k].Maximum == 0 || x.counts[k] < x.pools[k].Maximum
			for x.pools[k].Price < x.pools[i].Price && room && x.counts[i] > x.pools[i].Minimum &&
				holds(func(by int) { x.counts[i] -= by; x.counts[k] += by }) {
				room = x.pools[k].Maximum == 0 || x.counts[k] < x.pools[k].Maximum
			}
		}
	}
}

// bound is a price that every set of nodes has at least that takes the pods that wait and are
// not left. What they ask for beyond the free room of nodes that take any of them has to be
// bought: the bound is the linear program of that, by CPU and memory together, and by each
// resource alone. And a pod that no node takes needs one of a pool.
func (x *provision) bound(left []Answer) float64 {
	short, homeless := x.shortfall(left)
	best := 0.0
	for resource, amount := range short {
		best = max(best, float64(amount)*x.unitPrice(resource))
	}
	cpu, memory := float64(short[packing.CPU]), float64(short[packing.Memory])
	for i := range x.pools { // a corner of the dual is where two pools are just worth their price
		for k := range i {
			a, b := &x.pools[i], &x.pools[k]
			ac, am := float64(a.Template.Allocatable[packing.CPU]), float64(a.Template.Allocatable[packing.Memory])
			bc, bm := float64(b.Template.Allocatable[packing.CPU]), float64(b.Template.Allocatable[packing.Memory])
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
		best = max(best, x.onePrice(s))
	}
	return best
}

// onePrice is the lowest price of a node that takes a pod.
func (x *provision) onePrice(s *packing.Shape) float64 {
	least := math.Inf(1)
	for i := range x.pools {
		n := x.node(i, 0)
		if one := New([]packing.Node{n}, x.Objects, x.profile); one.Schedule(&Pod{Name: "one", Shape: alone(s)}).Node >= 0 {
			least = min(least, x.pools[i].Price)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// worthTheirPrice says whether no pool costs less than what is on its nodes, at some prices
// of a unit of CPU and of memory.
func (x *provision) worthTheirPrice(cpu, memory float64) bool {
	const rounding = 1 + 1e-9
	return !slices.ContainsFunc(x.pools, func(p Pool) bool {
		worth := float64(cpu*float64(p.Template.Allocatable[packing.CPU])) + float64(memory*float64(p.Template.Allocatable[packing.Memory]))
		return worth > p.Price*rounding
	})
}

// unitPrice is the lowest price of a unit of a resource.
func (x *provision) unitPrice(resource string) float64 {
	least := math.Inf(1)
	for i := range x.pools {
		if has := x.pools[i].Template.Allocatable[resource]; has > 0 {
			least = min(least, x.pools[i].Price/float64(has))
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// shortfall is what the pods that wait, without those that are left, ask for beyond the
// room of the nodes that are there and take any of them; and the shapes that none takes.
func (x *provision) shortfall(left []Answer) (need packing.Resources, homeless []*packing.Shape) {
	c := *x.Cluster
	c.Pods = nil
	unplaced := map[string]bool{}
	for _, d := range left {
		unplaced[d.Pod.Namespace()+"/"+d.Pod.Name] = true
	}
	need = packing.Resources{}
	shapes := map[*packing.Shape]bool{} // false: no node takes it
	for _, p := range x.Pods {
		own := *p
		c.Pods = append(c.Pods, &own)
		if p.On != "" || p.Ending || unplaced[p.Namespace()+"/"+p.Name] || len(p.Gates) > 0 {
			continue
		}
		shapes[p.Shape] = false
		for resource, amount := range p.Shape.Requests {
			need[resource] += amount
		}
	}
	s, _ := c.State(x.profile)
	for n := range s.Nodes {
		any := false
		for shape := range shapes {
			if s.fit(s.class(shape), n) && shape.Refusal(&s.Nodes[n]) == "" {
				any, shapes[shape] = true, true
			}
		}
		for resource := range need {
			if r, known := s.number[resource]; any && known {
				need[resource] -= max(0, s.total[n][r]-s.used[n][r])
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
