package kube

import "slices"

// A pod that has preempted others waits until they have left. Meanwhile its node is promised to it
// (status.nominatedNodeName). The scheduler tries this node first for the pod. Pods of equal or
// lower priority must fit on the node both with and without the promised pod, because it may still
// go to another node (RunFilterPluginsWithNominatedPods).

// promise records the node that is promised to a pending pod, if any.
func (s *ClusterState) promise(p *Pod) {
	if p.Promised != "" && len(p.Gates) == 0 && p.Beyond == "" {
		s.promised[p.Promised] = append(s.promised[p.Promised], p)
	}
}

// promisedTo returns the node that is promised to a pod, or -1.
func (s *ClusterState) promisedTo(p *Pod) int32 {
	if !slices.Contains(s.promised[p.Promised], p) {
		return -1
	}
	return int32(s.Node(p.Promised))
}

// besidePromised counts the pending pods that are promised to a node and have at least the priority
// of p, and returns the messages of the filters that then reject p. The result is nil if the node
// passes. Like kube-scheduler, it skips InterPodAffinity if only promised pods matter to it.
func (s *ClusterState) besidePromised(p *Pod, n int) (why []string) {
	c := s.class(p.Shape)
	s.ask(c)
	var there []*Pod
	for _, q := range s.promised[s.Nodes[n].Name] {
		if q != p && q.Priority >= p.Priority && s.Where(q) == "" {
			s.with(c, q, n, 1)
			there = append(there, q)
		}
	}
	if there == nil {
		return nil
	}
	why = s.filter(c, n)
	for _, q := range there {
		s.with(c, q, n, -1)
	}
	if slices.Contains(why, unwelcome) && s.heeds != p && s.skipsAffinity(c) {
		return nil
	}
	return why
}

// skipsAffinity reports whether kube-scheduler skips InterPodAffinity for a class. The scheduler
// decides this before it removes any pod to test a preemption.
func (s *ClusterState) skipsAffinity(c *class) bool {
	return len(c.shape.With)+len(c.shape.AntiAffinity) == 0 && !slices.ContainsFunc(s.ask(c).unwelcome, func(t *tally) bool { return t.sum > 0 })
}

// yields reports whether pods that p has preempted are still leaving the node promised to it. Until
// they have left, p preempts no others.
func (s *ClusterState) yields(p *Pod) bool {
	n := int(s.promisedTo(p))
	return n >= 0 && s.resolvable(p, n) && slices.ContainsFunc(s.pods[n], func(v *Pod) bool { return v.Yields && v.Priority < p.Priority })
}

// with puts a pod on a node, or removes it if sign is −1, as kube-scheduler does to test whether
// the node then accepts pods of a class. As in the scheduler, topology spread then also counts pods
// being deleted and pods that an empty selector selects.
func (s *ClusterState) with(c *class, p *Pod, n int, sign int64) {
	if sign > 0 {
		s.Put(p, n)
	} else {
		s.Take(p)
	}
	for i := range s.ask(c).spread {
		x := &c.asked.spread[i]
		if (p.Ending || len(x.Selector) == 0) && p.Namespace() == c.shape.Namespace && x.Selector.Matches(p.Shape.Labels) {
			x.add(n, sign)
		}
	}
}
