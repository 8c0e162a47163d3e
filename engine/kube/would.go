package kube

import (
	"cmp"
	"fmt"
	"slices"
)

// WorkloadOutcome is the scheduler's result for the pods of a workload.
type WorkloadOutcome struct {
	Nodes   []string // by pod: its node; "" if it stays pending
	Pending int
	Words   string  `json:"words,omitempty"` // message of the scheduler about the first pending pod
	Moves   []Shift `json:"moves,omitempty"` // moves that make room for all pending pods; nil if none are known
}

// Would adds missing daemons to a cluster, and then schedules workloads together with the evicted
// pods of the cluster.
func Would(c *Cluster, workloads []Group, profile Profile) []WorkloadOutcome {
	s := New(byName(c.Nodes), c.Objects, profile)
	s.occupy(c)
	var queue []*Pod
	for _, g := range c.Evicted {
		queue = append(queue, podsOf(g)...)
	}
	byWorkload := make([][]*Pod, len(workloads))
	for i, w := range workloads {
		byWorkload[i] = podsOf(w)
		queue = append(queue, byWorkload[i]...)
	}
	words := map[*Pod]string{}
	for _, d := range s.Run(queue, nil) {
		words[d.Pod] = d.Words
	}
	all := make([]WorkloadOutcome, len(workloads))
	for i, pods := range byWorkload {
		for _, p := range pods {
			all[i].Nodes = append(all[i].Nodes, s.Where(p))
			if s.Where(p) == "" {
				all[i].Pending++
				all[i].Words = cmp.Or(all[i].Words, words[p])
			}
		}
	}
	for i, pods := range byWorkload {
		all[i].Moves = s.makeRoom(pods)
	}
	return all
}

// makeRoom places the pending pods among the given ones by moving at most one other pod for each.
// It returns the moves, or nil if it cannot place all of them.
func (s *ClusterState) makeRoom(pods []*Pod) (moves []Shift) {
	for _, p := range pods {
		if s.Where(p) != "" || s.Schedule(p).Node >= 0 { // an earlier move may have freed room
			continue
		}
		moved, from := s.moveOne(p)
		if moved == nil {
			return nil
		}
		moves = append(moves, Shift{moved.Name, from, s.Where(moved)}, Shift{p.Name, "", s.Where(p)})
	}
	return moves
}

// moveOne moves one pod to another node so that p fits in its place, and places p. It returns the
// moved pod and its previous node, or nil.
func (s *ClusterState) moveOne(p *Pod) (moved *Pod, from string) {
	c := s.class(p.Shape)
	for n := range s.Nodes {
		s.ask(c)
		if f := &c.asked.fixed[n]; f.why != "" || f.volumes != "" {
			continue
		}
		for _, q := range slices.Clone(s.pods[n]) {
			if q.Ending || q.ofNode() {
				continue
			}
			s.Take(q)
			if s.Fits(p, n) {
				s.Put(p, n)
				if d := s.choose(q); d.Node >= 0 && d.Node != n {
					s.Put(q, d.Node)
					return q, s.Nodes[n].Name
				}
				s.Take(p)
			}
			s.Put(q, n)
		}
	}
	return nil, ""
}

func podsOf(w Group) (pods []*Pod) {
	for i := range w.Pods {
		pods = append(pods, &Pod{Name: podName(w.Name, i, w.Pods), Shape: w.Shape.Ordinal(i), Priority: w.Priority, Polite: w.Polite, Owner: Owner{Kind: "Workload", Name: w.Name}})
	}
	return pods
}

// Shift is a difference between two placements: the scheduler puts a pod on another node.
type Shift struct {
	Pod  string
	From string // "" for a pending pod
	To   string
}

// MoveTo sets the moves from the scheduler's placement of a workload to a packing, given
// by the nodes of its pods in any order.
func (o *WorkloadOutcome) MoveTo(packed []string, workload string) {
	left := slices.Clone(packed)
	var out []int
	for i, node := range o.Nodes {
		if k := slices.Index(left, node); node != "" && k >= 0 {
			left = slices.Delete(left, k, k+1)
		} else {
			out = append(out, i)
		}
	}
	o.Moves = nil
	for k, i := range out {
		if k >= len(left) {
			break
		}
		o.Moves = append(o.Moves, Shift{podName(workload, i, len(o.Nodes)), o.Nodes[i], left[k]})
	}
}

func podName(workload string, i, pods int) string {
	if pods == 1 {
		return workload
	}
	return fmt.Sprintf("%s-%d", workload, i+1)
}
