package kube

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/show"
)

// Absent are pods that a controller wants but cannot create, for example because of a quota.
type Absent struct {
	Owner
	Cluster string
	Pods    int
	Why     string // message of the controller's condition ReplicaFailure
}

// unguarded reports whether the cluster may have budgets that are missing from the
// dump.
func (c *Cluster) unguarded() bool { return len(c.Budgets) == 0 && !c.Asked }

// State creates a state with copies of the pods on their nodes and returns copies of the pending
// pods, so that further questions find the cluster unchanged. It omits pods on unknown nodes.
func (c *Cluster) State(profile Profile) (s *ClusterState, waiting []*Pod) {
	s = New(byName(c.Nodes), c.Objects, profile)
	pods := make([]Pod, len(c.Pods))
	for i := range c.Pods {
		p := &pods[i]
		*p = *c.Pods[i]
		if p.On == "" {
			if !p.Ending {
				waiting = append(waiting, p)
				s.promise(p)
			}
		} else if n := s.Node(p.On); n >= 0 {
			s.Put(p, n)
		}
	}
	return s, waiting
}

// byName sorts the nodes by name, because a state chooses the first of several nodes with equal
// scores.
func byName(nodes []Node) []Node {
	return slices.SortedStableFunc(slices.Values(nodes), func(a, b Node) int { return strings.Compare(a.Name, b.Name) })
}

// Missing describes the missing objects behind the pods' claims, each once, in the order of the
// pods.
func (c *Cluster) Missing() (all []string) {
	seen := map[string]bool{}
	var last *Shape
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

// nodesOf finds nodes, given by name or as CLUSTER/NODE, and returns their names by
// cluster. Unknown and ambiguous names are errors.
func nodesOf(clusters []*Cluster, names []string) ([][]string, error) {
	all := make([][]string, len(clusters))
	for _, name := range names {
		at, found := -1, ""
		for i, c := range clusters {
			n := slices.IndexFunc(c.Nodes, func(n Node) bool { return n.Name == name || c.Name+"/"+n.Name == name })
			switch {
			case n < 0:
			case at >= 0:
				return nil, fmt.Errorf("several clusters have a node %s: write CLUSTER/NODE", show.Quote(name))
			default:
				at, found = i, c.Nodes[n].Name
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
