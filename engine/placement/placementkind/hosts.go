package placementkind

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/placement"
	"berth/engine/show"
)

// HostsQuery asks for the hosts of a cluster after a strategy's placements with the first seed, and
// after any what-if.
type HostsQuery struct {
	Strategy int
	Cluster  string
}

// Hosts has the hosts of a cluster.
type Hosts struct {
	ClusterState
	Hosts      []Host
	Resources  []string // resources that hosts have or pods request
	Priorities []string // priority classes of the placed pods; "" for none
	Unpacked   string   // why the nodes of the placed pods are unknown; "" if they are known
}

// Host is a node with its free capacity.
type Host struct {
	Name    string
	Closed  string       // why it accepts no pods
	Taints  []string     // key=value:effect
	Amounts []HostAmount // in the order of Hosts.Resources
	Running int          // number of existing pods of other jobs
	Jobs    []HostJob    // jobs with pods placed on it
}

// HostAmount is the capacity of a host for one resource: cpu in millicores, everything else in
// whole units.
type HostAmount struct {
	Has  int64
	Free int64
}

// HostJob is the number of pods of a job on a host.
type HostJob struct {
	Job  string
	Pods int
}

// Hosts returns the hosts of a cluster with their free capacity.
func (e *Prepared) Hosts(q HostsQuery) (*Hosts, error) {
	if err := e.check(q.Strategy, 0); err != nil {
		return nil, err
	}
	at, err := e.world.cluster(q.Cluster)
	if err != nil {
		return nil, err
	}
	nodes := e.world.federation.NodesOf(at)
	if nodes == nil {
		return nil, fmt.Errorf("the nodes of the cluster %s are unknown, only its total amounts", show.Quote(q.Cluster))
	}
	h := &Hosts{ClusterState: e.report.Strategies[q.Strategy].Clusters[at]}
	h.hosts(nodes)
	solutions := e.ran[q.Strategy].solutions
	h.pack(e.world.nodes.packers[at], e.world.groupsOn(at, solutions))
	h.Priorities = []string{}
	for i, job := range e.world.podsOn(at, solutions) {
		h.Priorities = append(h.Priorities, e.world.deployments[i].Pods[job].Class)
	}
	slices.Sort(h.Priorities)
	h.Priorities = slices.Compact(h.Priorities)
	return h, nil
}

// hosts lists the nodes with the capacity that running pods and daemons leave.
func (h *Hosts) hosts(c *kube.Cluster) {
	names := map[string]bool{kube.CPU: true, kube.Memory: true}
	for i := range c.Nodes {
		for resource, amount := range c.Nodes[i].Allocatable {
			if amount > 0 && demanded(resource) {
				names[resource] = true
			}
		}
	}
	h.Resources = slices.Sorted(maps.Keys(names))
	left := c.Left(h.Resources...)
	running := map[string]int{}
	for _, pod := range c.Pods {
		running[pod.On]++
	}
	for n := range c.Nodes {
		node := &c.Nodes[n]
		one := Host{Name: node.Name, Running: running[node.Name], Closed: node.Shut(), Amounts: make([]HostAmount, len(h.Resources))}
		for r, resource := range h.Resources {
			one.Amounts[r] = HostAmount{node.Amount(resource), left[n][r]}
		}
		for _, t := range node.Taints {
			one.Taints = append(one.Taints, t.String())
		}
		h.Hosts = append(h.Hosts, one)
	}
}

// demanded reports whether hosts show a resource. The numbers of pods and volumes, and huge pages,
// hardly ever limit a placement.
func demanded(resource string) bool {
	return resource != kube.Pods && resource != kube.Storage && !strings.HasPrefix(resource, "hugepages-") && !strings.HasPrefix(resource, "attachable-volumes-")
}

// pack puts the placed pods, and the pods that lost their node, on the hosts.
func (h *Hosts) pack(p *kube.Packer, numbers []int) {
	packed := p.Pack(numbers)
	if packed.Verdict != kube.Fits {
		h.Unpacked = packed.Reason
		return
	}
	all := p.Packed(numbers)
	for i, on := range packed.On {
		group := all[i]
		for _, placed := range on {
			host := &h.Hosts[placed.Node]
			for r, resource := range h.Resources {
				host.Amounts[r].Free -= group.Shape.Amount(resource) * int64(placed.Pods)
			}
			host.Jobs = append(host.Jobs, HostJob{group.Name, placed.Pods})
		}
	}
	for i := range h.Hosts {
		slices.SortFunc(h.Hosts[i].Jobs, func(a, b HostJob) int { return cmp.Compare(a.Job, b.Job) })
	}
}

// OneCluster is a cluster with the jobs that a strategy has placed on it. With a what-if, it is the
// cluster before the what-if.
type OneCluster struct {
	Name  string
	Nodes []PlacedNode
	Jobs  []format.Pods
}

// PlacedNode is a node with the capacity left for the jobs.
type PlacedNode struct {
	*kube.Node
	CPU, Memory int64 // millicores and bytes that other pods leave
	GPUs        int64 // whole GPUs that other pods leave
	Fails       bool  // the what-if removes its cluster
	Leaves      bool  // the what-if drains it
}

// OneCluster returns a cluster of the result by name; "" selects the only cluster with jobs.
func (e *Prepared) OneCluster(strategy int, name string) (*OneCluster, error) {
	if err := e.check(strategy, 0); err != nil {
		return nil, err
	}
	w, solutions := e.world, e.ran[strategy].solutions
	if e.before != nil {
		w, solutions = e.before, e.ran[strategy].before.solutions
	}
	at, err := w.used(name, solutions)
	if err != nil {
		return nil, err
	}
	c := &OneCluster{Name: w.federation.Clusters().ID(at)}
	nodes := w.federation.NodesOf(at)
	if nodes == nil {
		return nil, fmt.Errorf("the nodes of the cluster %s are unknown, only its total amounts", show.Quote(c.Name))
	}
	c.Nodes = e.placedNodes(w.federation, at)
	for i, job := range w.podsOn(at, solutions) {
		c.Jobs = append(c.Jobs, w.deployments[i].Pods[job])
	}
	if len(c.Jobs) == 0 {
		return nil, fmt.Errorf("no job with pods was placed on the cluster %s", show.Quote(c.Name))
	}
	return c, nil
}

// used returns the cluster with a name; "" selects the only cluster with placed jobs.
func (w *world) used(name string, solutions []placement.Solution) (int, error) {
	if name != "" {
		return w.cluster(name)
	}
	at := 0
	var ids []string
	for _, s := range solutions {
		if !s.Complete() {
			continue
		}
		for _, j := range s.Cluster {
			if id := w.federation.Clusters().ID(int(j)); !slices.Contains(ids, id) {
				at, ids = int(j), append(ids, id)
			}
		}
	}
	switch len(ids) {
	case 0:
		return 0, errors.New("nothing was placed")
	case 1:
		return at, nil
	}
	return 0, fmt.Errorf("jobs are on several clusters; choose one: %s", show.Joined(ids, ", ", show.Text))
}

// podsOn yields the jobs with known pods that solutions place on a cluster, by deployment.
func (w *world) podsOn(at int, solutions []placement.Solution) iter.Seq2[int, int] {
	return func(yield func(deployment, job int) bool) {
		for i := range solutions {
			for job := range w.deployments[i].Pods {
				if s := &solutions[i]; s.Complete() && int(s.Cluster[job]) == at && !yield(i, job) {
					return
				}
			}
		}
	}
}

// NodesOf returns the nodes of a cluster that accept pods, with their free capacity.
func NodesOf(c *kube.Cluster) []PlacedNode {
	left, gpus := c.Left(kube.CPU, kube.Memory), c.GPUs()
	var all []PlacedNode
	for n := range c.Nodes {
		if c.Nodes[n].Shut() != "" {
			continue
		}
		all = append(all, PlacedNode{Node: &c.Nodes[n], CPU: max(0, left[n][0]), Memory: max(0, left[n][1]), GPUs: gpus[n]})
	}
	return all
}

// placedNodes is NodesOf with marks for the nodes that the what-if removes.
func (e *Prepared) placedNodes(f *format.Federation, at int) []PlacedNode {
	nodes := NodesOf(f.NodesOf(at))
	after, stays := e.world.federation.Cluster(f.Clusters().ID(at))
	for i := range nodes {
		nodes[i].Fails = !stays
		nodes[i].Leaves = stays && slices.ContainsFunc(e.world.federation.NodesOf(after).Nodes, func(n kube.Node) bool {
			return n.Name == nodes[i].Name && n.Closed != ""
		})
	}
	return nodes
}
