package replay

import "berth/engine/packing"

// Cluster is a cluster at one moment.
type Cluster struct {
	Name    string
	Nodes   []packing.Node
	Pods    []*Pod
	Budgets []*Budget
}

// State puts the pods that have a node on the nodes, and returns those that wait for one.
// Pods on nodes that are not known are left out.
func (c *Cluster) State(profile Profile) (s *State, waiting []*Pod) {
	s = New(c.Nodes, profile)
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
