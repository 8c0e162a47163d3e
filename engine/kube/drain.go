package kube

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"berth/engine/show"
)

// Drain cordons nodes, given by name or as CLUSTER/NODE, evicts their pods, and schedules
// the replacements. Each round evicts the pods that the budgets allow; the next round
// starts once the replacements run, which restores the budgets. Pods that were pending
// before are scheduled first. Unknown and ambiguous names are errors.
func Drain(profile Profile, nodes []string, clusters ...*Cluster) (*DrainReport, error) {
	of, err := nodesOf(clusters, nodes)
	if err != nil {
		return nil, err
	}
	r := &DrainReport{Evicted: []EvictedPod{}, Blocked: []BlockedPod{}}
	for i, c := range clusters {
		c.drain(profile, of[i], r)
	}
	return r, nil
}

// Fail removes the nodes of a zone, or of a pool if no node has a zone, all at once and regardless
// of budgets, and schedules the replacements of their pods on the other nodes. Pods that were
// pending before are scheduled first. A zone without nodes is an error.
func Fail(profile Profile, zone string, clusters ...*Cluster) (*DrainReport, error) {
	r := &DrainReport{Evicted: []EvictedPod{}, Blocked: []BlockedPod{}, Failed: zone}
	zones := map[string]bool{}
	for _, c := range clusters {
		of := groups(c.Nodes)
		var lost []string
		for i := range c.Nodes {
			zones[of(&c.Nodes[i])] = true
			if of(&c.Nodes[i]) == zone {
				lost = append(lost, c.Nodes[i].Name)
			}
		}
		c.drain(profile, lost, r)
	}
	if delete(zones, ""); !zones[zone] {
		return nil, fmt.Errorf("there is no zone %s in the dump: the zones are %s", show.Quote(zone), show.Joined(slices.Sorted(maps.Keys(zones)), ", ", show.Text))
	}
	return r, nil
}

// drain drains nodes of one cluster, possibly none, and adds the result to a report.
func (c *Cluster) drain(profile Profile, nodes []string, r *DrainReport) {
	s, waiting := c.State(profile)
	d := &drain{state: s, DrainReport: r, at: map[*Pod]int{}, nodes: map[int]bool{}}
	for _, b := range c.Budgets { // evictions are counted in copies of the budgets
		own := *b
		d.budgets = append(d.budgets, &own)
	}
	for _, name := range nodes {
		n := s.Node(name)
		d.nodes[n] = true
		if node := &s.Nodes[n]; r.Failed != "" {
			node.Closed, node.Taints = tainted, append(slices.Clip(node.Taints), Taint{Key: Unreachable, Effect: "NoExecute"})
		}
		s.Cordon(n, r.Failed == "" || s.Nodes[n].Cordoned)
	}
	for _, decision := range s.Run(waiting, d.budgets) {
		if p := s.answer(c.Name, decision); p.Would == "" {
			r.before.group(decision.Pod, &p, nil)
		}
	}
	d.run()
	r.Rounds = max(r.Rounds, d.round)
	r.after.leaves(c.Name, s)
	r.Unguarded = r.Unguarded || r.Failed == "" && len(d.at) > 0 && c.unguarded()
}

type drain struct {
	*DrainReport
	state   *ClusterState
	budgets []*Budget
	nodes   map[int]bool
	round   int
	at      map[*Pod]int // index in Evicted by evicted pod
}

// run evicts the pods in rounds. A failure evicts all pods at once and regardless of budgets,
// outside of any round.
func (d *drain) run() {
	left := d.leaving()
	for len(left) > 0 {
		var now, later []*Pod
		for _, p := range left {
			if d.Failed == "" && blocking(d.budgets, p) != "" {
				later = append(later, p)
				continue
			}
			d.count(p, -1)
			now = append(now, p)
		}
		if len(now) == 0 {
			break
		}
		if d.Failed == "" {
			d.round++
		}
		d.evict(now)
		left = later
	}
	for _, p := range left {
		budget, words, help := blocking(d.budgets, p), cannotEvict, "run more replicas, or allow disruptions"
		switch {
		case strings.Contains(budget, ","):
			words, help = cannotChoose, "leave its pods in one budget"
		case slices.ContainsFunc(d.budgets, func(b *Budget) bool { return b.Rigid && b.Name == budget && b.Covers(p) }):
			help = "let it allow a disruption: it never does"
		}
		d.Blocked = append(d.Blocked, BlockedPod{p.from(d.state.Nodes[p.node].Name), budget, words, help})
	}
}

// leaving returns the pods to evict, ordered by node, namespace and name, and counts
// the pods that a drain ignores.
func (d *drain) leaving() (left []*Pod) {
	for n := range d.state.Nodes {
		if !d.nodes[n] {
			continue
		}
		for _, p := range d.state.pods[n] {
			switch {
			case p.Ending:
				d.Leaving++
			case p.ofNode():
				d.Daemons++
			default:
				left = append(left, p)
			}
		}
	}
	slices.SortStableFunc(left, func(a, b *Pod) int {
		return cmp.Or(cmp.Compare(a.node, b.node), strings.Compare(a.Namespace(), b.Namespace()), strings.Compare(a.Name, b.Name))
	})
	return left
}

// count adds to the allowed disruptions of the budgets that guard a pod.
func (d *drain) count(p *Pod, disruptions int) {
	for _, b := range d.budgets {
		if b.guards(p) {
			b.Allowed += disruptions
		}
	}
}

// blocking returns the budget that prevents a pod's eviction, or "". If several budgets cover a
// started pod, the API refuses to evict it, and blocking returns all of them, separated by commas.
func blocking(budgets []*Budget, p *Pod) string {
	var covering []string
	blocked := ""
	for _, b := range budgets {
		if b.Covers(p) && !p.Starting {
			covering = append(covering, b.Name)
			if b.guards(p) && b.Allowed <= 0 {
				blocked = b.Name
			}
		}
	}
	if len(covering) > 1 {
		return strings.Join(covering, ", ")
	}
	return blocked
}

// evict evicts pods, schedules their replacements, and returns the disruption to the
// budgets for each replacement that runs.
func (d *drain) evict(pods []*Pod) {
	for _, p := range pods {
		d.leaves(p, d.state.Nodes[d.state.Take(p)].Name)
		p.Created = 1 << 60 // the replacement is the youngest pod
	}
	for _, decision := range d.state.Run(pods, d.budgets) {
		d.decided(decision)
	}
	for _, p := range pods {
		if p.node >= 0 {
			d.count(p, 1)
		}
	}
}

func (d *drain) leaves(p *Pod, node string) {
	d.at[p] = len(d.Evicted)
	d.Evicted = append(d.Evicted, EvictedPod{MovedPod: MovedPod{PodOnNode: p.from(node)}, Round: d.round, Bare: p.bare(), Local: p.Local})
}

// bare reports whether no controller recreates a pod.
func (p *Pod) bare() bool { return p.Owner.Kind == "Pod" || p.Owner.Kind == "" }

// ofNode reports whether a pod belongs to its node, as pods of DaemonSets do.
func (p *Pod) ofNode() bool { return p.Owner.Kind == "DaemonSet" || p.Owner.Kind == "Node" }

// decided records where a replacement went. A pod that it preempts is recorded as evicted.
func (d *drain) decided(decision Decision) {
	for _, v := range decision.Victims {
		if _, known := d.at[v]; !known {
			d.leaves(v, d.state.Nodes[decision.Node].Name)
		}
		e := &d.Evicted[d.at[v]]
		e.To, e.Words = "", "preempted by "+decision.Pod.Name
	}
	e := &d.Evicted[d.at[decision.Pod]]
	e.To, e.Words = "", decision.Words
	if decision.Node >= 0 {
		e.To = d.state.Nodes[decision.Node].Name
	}
}

// Fits reports whether a pod fits on a node in the current state.
func (s *ClusterState) Fits(p *Pod, n int) bool { return s.reasons(p, n) == nil }
