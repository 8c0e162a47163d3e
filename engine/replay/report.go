package replay

import (
	"fmt"
	"io"
	"strings"

	"berth/engine/show"
)

// PendingReport answers for all pods of some clusters that wait for a node.
type PendingReport struct {
	Pods []PendingPod `json:"pods"`
}

// PendingPod is one of them.
type PendingPod struct {
	Name      string   `json:"name"`
	Namespace string   `json:"namespace"`
	Cluster   string   `json:"cluster"`
	Would     string   `json:"would"` // the node, "" if none takes it
	Words     string   `json:"words"` // those of the scheduler, where none does
	Help      []string `json:"help"`
	Preempts  []string `json:"preempts,omitempty"` // pods that leave the node for it
	Ties      int      `json:"ties,omitempty"`     // how many nodes had the same score, from 2 on
}

// Add adds the answers for a cluster.
func (r *PendingReport) Add(cluster string, answers []Answer) {
	for _, a := range answers {
		p := PendingPod{Name: a.Pod.Name, Namespace: a.Pod.Namespace(), Cluster: cluster, Would: a.Would, Words: a.Words, Help: a.Help}
		for _, v := range a.Victims {
			p.Preempts = append(p.Preempts, fullName(v.Namespace(), v.Name))
		}
		if p.Help == nil {
			p.Help = []string{}
		}
		if a.Ties > 1 {
			p.Ties = a.Ties
		}
		r.Pods = append(r.Pods, p)
	}
}

// Left counts the pods that stay pending.
func (r *PendingReport) Left() (n int) {
	for i := range r.Pods {
		if r.Pods[i].Would == "" {
			n++
		}
	}
	return n
}

// fullName is that of a pod, with its namespace outside of the default one.
func fullName(namespace, name string) string {
	if namespace == "default" || namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// Headline says the answer in one sentence.
func (r *PendingReport) Headline() string {
	left := r.Left()
	switch {
	case len(r.Pods) == 0:
		return "No pod is pending."
	case left == 0:
		return "The scheduler finds a node for " + all(len(r.Pods)) + "."
	case left == len(r.Pods):
		return "No node takes " + none(left) + "."
	}
	return fmt.Sprintf("%s %s pending; the scheduler finds a node for %s.", show.Count(left, "pod"), show.Verb(left, "stays", "stay"), others(len(r.Pods)-left))
}

func all(n int) string {
	if n == 1 {
		return "the pending pod"
	}
	return fmt.Sprintf("all %d pending pods", n)
}

func others(n int) string {
	if n == 1 {
		return "the other one"
	}
	return fmt.Sprintf("the other %d", n)
}

func none(n int) string {
	if n == 1 {
		return "the pending pod"
	}
	return fmt.Sprintf("any of the %d pending pods", n)
}

// WriteText writes the report for people.
func (r *PendingReport) WriteText(w io.Writer) {
	fmt.Fprintln(w, r.Headline())
	for i := range r.Pods {
		p := &r.Pods[i]
		name := show.Text(fullName(p.Namespace, p.Name))
		if p.Would == "" {
			fmt.Fprintf(w, "%s stays pending: %s\n", name, p.Words)
			for _, help := range p.Help {
				fmt.Fprintf(w, "  would help: %s\n", help)
			}
			continue
		}
		fmt.Fprintf(w, "%s → %s%s\n", name, show.Text(p.Would), remark(preempting(p.Preempts), tied(p.Ties)))
	}
}

func preempting(pods []string) string {
	if len(pods) == 0 {
		return ""
	}
	return "preempts " + show.Text(strings.Join(pods, ", "))
}

func tied(ties int) string {
	if ties < 2 {
		return ""
	}
	return fmt.Sprintf("first by name of %d nodes with the same score", ties)
}

// remark puts what else there is to know behind a line.
func remark(parts ...string) string {
	text := ""
	for _, part := range parts {
		if part != "" {
			text += "; " + part
		}
	}
	return text
}

// DrainReport is what comes of a drain.
type DrainReport struct {
	Evicted []EvictedPod `json:"evicted"`
	Rounds  int          `json:"rounds"`
	Blocked []BlockedPod `json:"blocked"`
	Daemons int          `json:"daemons"` // pods that stay on the nodes, as kubectl drain leaves them
	Leaving int          `json:"leaving"` // pods that were being deleted before
}

// EvictedPod is a pod that leaves its node.
type EvictedPod struct {
	Pod       string `json:"pod"`
	Namespace string `json:"namespace"`
	From      string `json:"from"`
	To        string `json:"to"`    // "" without room
	Words     string `json:"words"` // those of the scheduler where there is none
	Round     int    `json:"round"`
	Bare      bool   `json:"bare,omitempty"`  // nothing makes it anew
	Local     bool   `json:"local,omitempty"` // it loses an emptyDir
}

// BlockedPod is a pod that a PodDisruptionBudget keeps on its node.
type BlockedPod struct {
	Pod       string `json:"pod"`
	Namespace string `json:"namespace"`
	From      string `json:"from"`
	Budget    string `json:"budget"`
	Words     string `json:"words"`
}

// cannotEvict is what the API says when a budget does not allow an eviction.
const cannotEvict = "Cannot evict pod as it would violate the pod's disruption budget."

// cannotChoose is what it says of a pod that several budgets cover.
const cannotChoose = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."

// Add adds the drain of a cluster.
func (r *DrainReport) Add(d *Drained) {
	for _, e := range d.Evicted {
		r.Evicted = append(r.Evicted, EvictedPod{
			Pod: e.Pod.Name, Namespace: e.Pod.Namespace(), From: e.From, To: e.To, Words: e.Words, Round: e.Round, Bare: e.Bare, Local: e.Pod.Local,
		})
	}
	for _, b := range d.Blocked {
		words := cannotEvict
		if strings.Contains(b.Budget, ",") {
			words = cannotChoose
		}
		r.Blocked = append(r.Blocked, BlockedPod{Pod: b.Pod.Name, Namespace: b.Pod.Namespace(), From: b.Node, Budget: b.Budget, Words: words})
	}
	r.Rounds = max(r.Rounds, d.Rounds)
	r.Daemons += d.Daemons
	r.Leaving += d.Leaving
}

// Left counts the evicted pods that stay pending.
func (r *DrainReport) Left() (n int) {
	for i := range r.Evicted {
		if r.Evicted[i].To == "" {
			n++
		}
	}
	return n
}

// Headline says the answer in one sentence.
func (r *DrainReport) Headline() string {
	left := r.Left()
	pods := show.Count(len(r.Evicted), "pod")
	switch {
	case len(r.Blocked) > 0:
		return fmt.Sprintf("The drain does not end: budgets keep %s on the nodes.", show.Count(len(r.Blocked), "pod"))
	case left > 0:
		return fmt.Sprintf("%s %s; %d of them %s pending.", pods, show.Verb(len(r.Evicted), "leaves", "leave"), left, show.Verb(left, "stays", "stay"))
	case len(r.Evicted) == 0:
		return "No pod has to leave: the nodes can be drained at once."
	}
	return fmt.Sprintf("%s %s and %s a node, in %s.", pods, show.Verb(len(r.Evicted), "leaves", "leave"), show.Verb(len(r.Evicted), "finds", "find"), show.Count(r.Rounds, "round"))
}

// WriteText writes the report for people.
func (r *DrainReport) WriteText(w io.Writer) {
	fmt.Fprintln(w, r.Headline())
	round := 0
	for i := range r.Evicted {
		e := &r.Evicted[i]
		if e.Round != round && r.Rounds > 1 {
			round = e.Round
			fmt.Fprintf(w, "Round %d:\n", round)
		}
		line := show.Text(fullName(e.Namespace, e.Pod)) + " from " + show.Text(e.From)
		if e.To != "" {
			line += " → " + show.Text(e.To)
		} else {
			line += " stays pending: " + e.Words
		}
		fmt.Fprintln(w, line)
		for _, remark := range e.remarks() {
			fmt.Fprintf(w, "  %s\n", remark)
		}
	}
	for i := range r.Blocked {
		b := &r.Blocked[i]
		fmt.Fprintf(w, "%s stays on %s: %s (%s)\n", show.Text(fullName(b.Namespace, b.Pod)), show.Text(b.From), b.Words, show.Text(b.Budget))
	}
	if r.Daemons > 0 {
		fmt.Fprintf(w, "%s of DaemonSets or of the node %s: use kubectl drain --ignore-daemonsets.\n", show.Count(r.Daemons, "pod"), show.Verb(r.Daemons, "stays", "stay"))
	}
	if r.Leaving > 0 {
		fmt.Fprintf(w, "%s %s being deleted already.\n", show.Count(r.Leaving, "pod"), show.Verb(r.Leaving, "is", "are"))
	}
}

func (e *EvictedPod) remarks() (all []string) {
	if e.Bare {
		all = append(all, "no controller makes it anew: kubectl drain needs --force, and the pod is lost")
	}
	if e.Local {
		all = append(all, "its emptyDir is lost: kubectl drain needs --delete-emptydir-data")
	}
	if e.To != "" && e.Words != "" {
		all = append(all, e.Words)
	}
	return all
}

// Full returns the report with lists where it has none.
func (r *DrainReport) Full() *DrainReport {
	r.Evicted = listed(r.Evicted)
	r.Blocked = listed(r.Blocked)
	return r
}

// Full returns the report with a list where it has none.
func (r *PendingReport) Full() *PendingReport {
	r.Pods = listed(r.Pods)
	return r
}

func listed[T any](all []T) []T {
	if all == nil {
		return []T{}
	}
	return all
}
