package kube

import "slices"

// A pod that has preempted others waits until they are gone. Meanwhile its node is
// promised to it (status.nominatedNodeName): the scheduler looks there first for the pod,
// and pods of lower or equal priority have to fit beside it, as well as without it, since
// it may still go elsewhere (RunFilterPluginsWithNominatedPods).

// promise notes the node that is promised to a pending pod, if there is one.
func (s *ClusterState) promise(p *Pod) {
	if p.Promised != "" && len(p.Gates) == 0 && p.Beyond == "" {
		s.promised[p.Promised] = append(s.promised[p.Promised], p)
	}
}

// renounce ends the promise to a pod that preemption does not help.
func (s *ClusterState) renounce(p *Pod) {
	s.promised[p.Promised] = slices.DeleteFunc(s.promised[p.Promised], func(q *Pod) bool { return q == p })
}

// promisedTo returns the node that is promised to a pod, or -1.
func (s *ClusterState) promisedTo(p *Pod) int32 {
	if !slices.Contains(s.promised[p.Promised], p) {
		return -1
	}
	return int32(s.Node(p.Promised))
}

// besidePromised returns the messages of the filters about a pod beside the pending pods
// of its priority or above to which a node is promised. If no pod counts for
// InterPodAffinity without them, kube-scheduler has already skipped that plug-in.
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
	why = s.filter(c, n, leasts(s.ask(c)))
	for _, q := range there {
		s.with(c, q, n, -1)
	}
	if slices.Contains(why, unwelcome) && s.heeds != p && s.skipsAffinity(c) {
		return nil
	}
	return why
}

// skipsAffinity reports whether kube-scheduler skips InterPodAffinity for a class. It decides that
// before it takes any pod away to see whether preemption helps.
func (s *ClusterState) skipsAffinity(c *class) bool {
	return len(c.shape.With)+len(c.shape.AntiAffinity) == 0 && !slices.ContainsFunc(s.ask(c).unwelcome, func(t *tally) bool { return t.sum > 0 })
}

// yields reports whether pods that p has preempted are leaving the node promised to it, so
// that it preempts no others.
func (s *ClusterState) yields(p *Pod) bool {
	n := int(s.promisedTo(p))
	return n >= 0 && s.resolvable(p, n, leasts(s.ask(s.class(p.Shape)))) && slices.ContainsFunc(s.pods[n], func(v *Pod) bool { return v.Yields && v.Priority < p.Priority })
}

// with puts a pod on a node, or takes it away if sign is −1, as kube-scheduler does to see
// whether the node then accepts pods of a class. In topology spread it then counts pods that are
// being deleted, too, and those that an empty selector selects.
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
