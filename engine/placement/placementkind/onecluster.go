package placementkind

import (
	"errors"
	"fmt"
	"iter"
	"slices"

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
	for i := range solutions {
		for _, j := range solutions[i].Cluster {
			if id := w.federation.Clusters().ID(int(j)); solutions[i].Complete() && !slices.Contains(ids, id) {
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
