package kube

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/show"
)

// Update is a rolling update of a Deployment. Group describes its new pods.
type Update struct {
	Group
	Owner Owner
	Rolling
}

// Rolling limits an update. Surge (maxSurge) is the number of pods that the Deployment may start
// beyond its replicas. Unavailable (maxUnavailable) is the number of replicas that may be missing.
// At least one of them is positive.
type Rolling struct{ Surge, Unavailable int }

// Updated is the result of a rolling update of one Deployment.
type Updated struct {
	Owner
	Pods    int    // number of replicas
	Running int    // running new pods
	Old     int    // old pods that stay because the update got stuck
	Missing int    // maximum number of pods missing at one time
	Where   string // its pods after the update by zone or pool; "" if the nodes have neither
	Budgets string // budgets that allow fewer pods to be missing; "" for none
}

// Rollout updates Deployments one after the other, each in rounds like its controller. A round
// starts as many new pods as maxSurge allows and stops as many old ones as maxUnavailable allows:
// first pods that are not ready, then the youngest pods on the nodes with the most pods of the
// Deployment. A pod with a node is available in the next round. Budgets do not apply, because a
// rollout evicts nothing. Rollout returns an error if no pod in the clusters belongs to a
// Deployment.
func Rollout(profile Profile, updates []Update, clusters ...*Cluster) (*DrainReport, error) {
	r := &DrainReport{Evicted: []EvictedPod{}, Blocked: []BlockedPod{}, Updates: []Updated{}}
	for _, c := range clusters {
		s, waiting := c.State(profile)
		d := &drain{state: s, DrainReport: r, budgets: c.Budgets, at: map[*Pod]int{}}
		s.Run(waiting, d.budgets)
		for _, u := range updates {
			if slices.ContainsFunc(c.Pods, func(p *Pod) bool { return p.Owner == u.Owner }) {
				d.update(u)
			}
		}
		r.Rounds = max(r.Rounds, d.round)
		r.after.leaves(c.Name, s)
	}
	if len(r.Updates) == 0 {
		return nil, fmt.Errorf("no pod in the dump belongs to a Deployment that is updated: get pods, too, with their labels")
	}
	return r, nil
}

func (d *drain) update(u Update) {
	var old []*Pod
	for n := range d.state.Nodes {
		for _, p := range d.state.pods[n] {
			if p.Owner == u.Owner && !p.Ending {
				old = append(old, p)
			}
		}
	}
	u.Name += "-new"
	fresh, least := podsOf(u.Group), u.Pods-u.Unavailable
	one := Updated{Owner: u.Owner, Pods: u.Pods}
	started := 0
	for again := true; again; {
		d.round++
		again = false
		for changed := true; changed; again = again || changed {
			more := max(0, min(u.Pods-started, u.Pods+u.Surge-len(old)-started))
			for _, p := range fresh[started : started+more] { // without a node yet
				p.Owner, p.node = u.Owner, -1
				d.leaves(p, "")
			}
			started += more
			for _, decision := range d.state.Run(slices.DeleteFunc(slices.Clone(fresh[:started]), (*Pod).placed), d.budgets) {
				d.decided(decision)
			}
			before := len(old)
			old = d.stop(old, least-one.Running)
			one.Missing = max(one.Missing, u.Pods-one.Running-number(old, (*Pod).ready))
			changed = more > 0 || len(old) < before
		}
		running := number(fresh[:started], (*Pod).placed)
		again = again || running > one.Running
		one.Running = running
	}
	d.round-- // nothing happened in the last round
	one.Old = len(old)
	one.Where = d.where(u.Owner)
	for _, b := range d.budgets {
		if len(fresh) > 0 && b.Covers(fresh[0]) && b.Allowed < one.Missing {
			one.Budgets = strings.TrimPrefix(one.Budgets+", "+b.Name, ", ")
		}
	}
	d.Updates = append(d.Updates, one)
}

// stop stops old pods as long as the number of ready pods does not fall below least, and returns
// the pods that stay. For a pod that is not ready, the total number of pods counts instead.
func (d *drain) stop(old []*Pod, least int) []*Pod {
	for len(old) > 0 {
		old = d.next(old)
		if left := len(old); old[0].ready() && number(old, (*Pod).ready) <= least || left <= least {
			break
		}
		d.state.Take(old[0])
		old = old[1:]
	}
	return old
}

func (p *Pod) placed() bool { return p.class != nil && p.node >= 0 }
func (p *Pod) ready() bool  { return !p.Unready && !p.Starting }

// next moves to the front the pod that the controller stops next.
func (d *drain) next(old []*Pod) []*Pod {
	rank := func(p *Pod) int {
		if !p.ready() {
			return math.MaxInt
		}
		return number(d.state.pods[p.node], func(q *Pod) bool { return q.Owner == p.Owner })
	}
	first := slices.MinFunc(old, func(a, b *Pod) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(b.Created, a.Created), strings.Compare(a.Name, b.Name))
	})
	i := slices.Index(old, first)
	old[0], old[i] = first, old[0]
	return old
}

// where lists the zones, or the pools if no node has a zone, with the number of the workload's
// pods in each.
func (d *drain) where(owner Owner) string {
	group, pods := groups(d.state.Nodes), map[string]int{}
	var names []string
	for n := range d.state.Nodes {
		name := group(&d.state.Nodes[n])
		if _, known := pods[name]; !known && name != "" {
			names = append(names, name)
		}
		pods[name] += number(d.state.pods[n], func(p *Pod) bool { return p.Owner == owner })
	}
	slices.Sort(names)
	return show.Joined(names, ", ", func(name string) string { return fmt.Sprintf("%s %d", show.Text(name), pods[name]) })
}

// rollout returns the headline of a report about updates.
func (r *DrainReport) rollout() string {
	i := max(0, slices.IndexFunc(r.Updates, func(u Updated) bool { return u.Running < u.Pods }))
	u := &r.Updates[i]
	name := "The rollout of " + show.Cut(show.Text(u.Name), 30)
	if u.Running == u.Pods {
		if more := len(r.Updates) - 1; more > 0 {
			name += " and " + show.Count(more, "other")
		}
		return fmt.Sprintf("%s ends in %s: all new pods run.", name, show.Count(r.Rounds, "round"))
	}
	waits := slices.IndexFunc(r.Evicted, func(e EvictedPod) bool { return e.To == "" })
	return fmt.Sprintf("%s stops at %d of %s: %s.", name, u.Running, show.Count(u.Pods, "pod"), strings.TrimSuffix(brief(r.Evicted[waits].Words), "."))
}

// lines describes the state after an update: old pods that stay, and the zones of its pods.
func (u *Updated) lines() (all []string) {
	if u.Old > 0 {
		all = append(all, fmt.Sprintf("%s of %s stay%s.", show.Count(u.Old, "old pod"), show.Text(u.Name), show.Verb(u.Old, "s", "")))
	}
	if u.Where != "" {
		all = append(all, fmt.Sprintf("Afterwards %s has pods in %s.", show.Text(u.Name), u.Where))
	}
	if u.Budgets != "" {
		all = append(all, fmt.Sprintf("%s of %s %s missing at once, more than the budget %s allows: a rollout asks no budget.", show.Count(u.Missing, "pod"), show.Text(u.Name), show.Verb(u.Missing, "is", "are"), show.Text(u.Budgets)))
	}
	return all
}
