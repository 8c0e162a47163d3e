package placementkind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/placement"
	"berth/engine/show"
)

// OneCluster is a cluster with the jobs that a strategy has placed on it. With a what-if, it is the
// cluster before it.
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
	for i, s := range solutions {
		if !s.Complete() {
			continue
		}
		for job, pods := range w.deployments[i].Pods {
			if int(s.Cluster[job]) == at {
				c.Jobs = append(c.Jobs, pods)
			}
		}
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
	var used []int
	var names []string
	for _, s := range solutions {
		if !s.Complete() {
			continue
		}
		for _, j := range s.Cluster {
			if !slices.Contains(used, int(j)) {
				used = append(used, int(j))
				names = append(names, show.Text(w.federation.Clusters().ID(int(j))))
			}
		}
	}
	switch len(used) {
	case 0:
		return 0, errors.New("nothing was placed")
	case 1:
		return used[0], nil
	}
	return 0, fmt.Errorf("jobs are on several clusters; choose one: %s", strings.Join(names, ", "))
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
