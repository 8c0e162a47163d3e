package replay

import (
	"fmt"
	"slices"

	"berth/engine/packing"
	"berth/engine/show"
)

// Cluster is a cluster at one moment.
type Cluster struct {
	Name    string
	Nodes   []packing.Node
	Pods    []*Pod
	Budgets []*Budget
	Asked   bool // for its budgets: if it lists none, there are none
	packing.Objects
}

// unguarded says whether budgets that are not in the dump may keep pods on their nodes.
func (c *Cluster) unguarded() bool { return len(c.Budgets) == 0 && !c.Asked }

// State puts the pods that have a node on the nodes, and returns those that wait for one.
// Pods on nodes that are not known are left out.
func (c *Cluster) State(profile Profile) (s *State, waiting []*Pod) {
	s = New(c.Nodes, c.Objects, profile)
	for _, p := range c.Pods {
		if p.On == "" {
			if !p.Ending {
				waiting = append(waiting, p)
			}
		} else if n := s.Node(p.On); n >= 0 {
			s.Put(p, n)
		}
	}
	return s, waiting
}

// Missing says what is not known of the claims that pods use, each once in the order of
// the pods.
func (c *Cluster) Missing() (all []string) {
	seen := map[string]bool{}
	var last *packing.Shape
	for _, p := range c.Pods {
		if p.Shape == last {
			continue
		}
		last = p.Shape
		for i := range p.Shape.Uses {
			if says := c.Objects.Missing(&p.Shape.Uses[i]); says != "" && !seen[says] {
				seen[says] = true
				all = append(all, says)
			}
		}
	}
	return all
}

// NodesOf finds nodes in some clusters, by name or by CLUSTER/NODE, and returns their
// names by cluster.
func NodesOf(clusters []*Cluster, names []string) ([][]string, error) {
	all := make([][]string, len(clusters))
	for _, name := range names {
		at, found := -1, ""
		for i, c := range clusters {
			for n := range c.Nodes {
				own := c.Nodes[n].Name
				if own != name && c.Name+"/"+own != name {
					continue
				}
				if at >= 0 {
					return nil, fmt.Errorf("several clusters have a node %s: write CLUSTER/NODE", show.Quote(name))
				}
				at, found = i, own
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("there is no node %s in the dump: kubectl get nodes lists the names", show.Quote(name))
		}
		if !slices.Contains(all[at], found) {
			all[at] = append(all[at], found)
		}
	}
	return all, nil
}
