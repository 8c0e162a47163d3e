package kube

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"berth/engine/show"
)

// PendingReport has the answers about all pending pods of some clusters.
type PendingReport struct {
	after
	Pods      []PendingPod
	Workloads []PendingWorkload `json:"workloads,omitempty"` // one entry for each reason why pods of a workload stay pending
	Stuck     []StuckPod        `json:"stuck,omitempty"`
	Absent    []Absent          `json:"absent,omitempty"`
}

// PendingWorkload is the answer about pods of a workload that stay pending for the same reason.
type PendingWorkload struct {
	Absent        // Why is the scheduler's message, and Kind "Pod" without a controller
	Help   []Help // smallest change first; each alone suffices for one pod

	pod string // name of the first such pod
}

// Help is a change that makes the scheduler place a pod.
type Help struct {
	Text    string
	Holds   string `json:"holds,omitempty"` // pods that use the resource that the pod lacks
	Kubectl string // makes the change, or shows what to change
	brief   string // short form for the headline; "" if it is Text
}

// ClusterPod identifies a pod of a cluster.
type ClusterPod struct {
	Name      string
	Namespace string
	Cluster   string
}

// StuckPod is a pod that has been assigned to a node but does not run.
type StuckPod struct {
	ClusterPod
	Node string
	Why  string // reason of a waiting container, such as "ImagePullBackOff"
}

// PendingPod is the answer about one pending pod.
type PendingPod struct {
	ClusterPod
	Would    string // name of the node; "" if no node accepts the pod
	Words    string // message of the scheduler if no node accepts the pod
	Help     []string
	Preempts []string `json:"preempts,omitempty"` // pods preempted for it
	Ties     int      `json:"ties,omitempty"`     // number of nodes with the best score, if more than 1

	owner Owner
}

// Left counts the pods that stay pending.
func (r *PendingReport) Left() int {
	return number(r.Pods, func(p PendingPod) bool { return p.Would == "" })
}

// number counts the elements for which a condition holds.
func number[T any](all []T, holds func(T) bool) (n int) {
	for _, one := range all {
		if holds(one) {
			n++
		}
	}
	return n
}

// FullName returns the name of a pod, prefixed with its namespace unless that is the
// default one.
func FullName(namespace, name string) string {
	if namespace == "default" || namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// Headline returns the result in one sentence.
func (r *PendingReport) Headline() string {
	left := r.Left()
	switch {
	case len(r.Pods) == 0 && len(r.Stuck) > 0:
		return fmt.Sprintf("No pod waits for a node; %s on a node and %s not run.", show.Count(len(r.Stuck), "pod")+show.Verb(len(r.Stuck), " is", " are"), show.Verb(len(r.Stuck), "does", "do"))
	case len(r.Pods) == 0 && len(r.Absent) > 0:
		a := &r.Absent[0]
		text := fmt.Sprintf("%s of %s cannot be created", show.Count(a.Pods, "pod"), show.Text(a.Name))
		if more := len(r.Absent) - 1; more > 0 {
			text += " (" + show.Count(more, "more workload") + ")"
		}
		if next := a.next(); next != "" {
			text += "; " + next
		}
		return show.Cut(text, longest-2) + "."
	case len(r.Pods) == 0:
		return "No pod is pending."
	case left == 0:
		return fmt.Sprintf("The scheduler finds a node for %s.", several(len(r.Pods), "all %d pending pods"))
	}
	return r.cause(left)
}

// longest is the maximum length of a headline, in characters.
const longest = 100

// cause returns a sentence of at most longest characters: how many pods stay pending, why most of
// them do, and what to do next.
func (r *PendingReport) cause(left int) string {
	w := slices.MaxFunc(r.Workloads, func(a, b PendingWorkload) int { return cmp.Compare(a.Pods, b.Pods) })
	who := show.Count(left, "pod") + " " + show.Verb(left, "stays", "stay") + " pending: "
	if w.Pods < left {
		who += fmt.Sprintf("for %d, ", w.Pods)
	}
	text := who + brief(w.Why)
	if len(w.Help) > 0 {
		text += "; " + cmp.Or(w.Help[0].brief, w.Help[0].Text)
	}
	return show.Cut(text, longest-2) + "."
}

// brief returns a short form of the most frequent reason in a message of the scheduler, such as
// "0/4 nodes are available: 1 Insufficient cpu, 3 node(s) had untolerated taint(s)."
func brief(words string) string {
	nodes, reasons, found := strings.Cut(strings.TrimSuffix(words, "."), " nodes are available: ")
	if !found {
		return strings.TrimSuffix(words, ".")
	}
	best, most := "", 0
	for reason := range strings.SplitSeq(reasons, ", ") {
		count, why, _ := strings.Cut(reason, " ")
		if n, err := strconv.Atoi(count); err == nil && n > most {
			best, most = why, n
		}
	}
	switch resource, short := strings.CutPrefix(best, "Insufficient "); {
	case best == "":
		return strings.TrimPrefix(reasons, "pod has ")
	case short:
		best = "lack " + resource
	case best == Insufficient(Pods):
		best = "are full of pods"
	default:
		best = cmp.Or(filters[best].brief, "are not available: "+strings.TrimPrefix(best, "node(s) "))
	}
	_, all, _ := strings.Cut(nodes, "/")
	return fmt.Sprintf("%d of %s nodes %s", most, all, best)
}

// several returns "the pending pod" for one pod, otherwise words formatted with the number of pods.
func several(n int, words string) string {
	if n == 1 {
		return "the pending pod"
	}
	return fmt.Sprintf(words, n)
}

// WriteText writes the report as text.
func (r *PendingReport) WriteText(w io.Writer) {
	fmt.Fprintln(w, r.Headline())
	for i := range r.Workloads {
		r.Workloads[i].writeText(w)
	}
	together := r.together(w)
	for i := range r.Pods {
		p := &r.Pods[i]
		if p.Would == "" || together[p.owner] {
			continue
		}
		line := show.Text(FullName(p.Namespace, p.Name)) + " → " + show.Text(p.Would)
		if len(p.Preempts) > 0 {
			line += "; preempts " + show.Text(strings.Join(p.Preempts, ", "))
		}
		if equal := "the same score"; p.Ties > 1 {
			if len(p.Preempts) > 0 {
				equal = "equal victims"
			}
			line += fmt.Sprintf("; first by name of %d nodes with %s", p.Ties, equal)
		}
		fmt.Fprintln(w, line)
	}
	for _, a := range r.Absent {
		fmt.Fprintf(w, "%s/%s lacks %s, which cannot be created: %s\n", a.Kind, show.Text(FullName(a.Namespace, a.Name)), show.Count(a.Pods, "pod"), show.Text(a.Why))
	}
	for _, p := range r.Stuck {
		fmt.Fprintf(w, "%s is on %s and does not run: %s\n", show.Text(FullName(p.Namespace, p.Name)), show.Text(p.Node), show.Text(p.Why))
	}
}

// mostLines is the largest number of pods of a workload that get a line each.
const mostLines = 9

// together writes one line for each workload with more than mostLines pods that all find nodes
// without preemption. It returns these workloads.
func (r *PendingReport) together(w io.Writer) map[Owner]bool {
	var owners []Owner
	pods, preempt, on := map[Owner]int{}, map[Owner]bool{}, map[Owner]map[string]int{}
	for i := range r.Pods {
		p := &r.Pods[i]
		if p.Would == "" {
			continue
		}
		if on[p.owner] == nil {
			owners, on[p.owner] = append(owners, p.owner), map[string]int{}
		}
		pods[p.owner]++
		on[p.owner][p.Would]++
		preempt[p.owner] = preempt[p.owner] || len(p.Preempts) > 0
	}
	many := map[Owner]bool{}
	for _, owner := range owners {
		if pods[owner] <= mostLines || preempt[owner] {
			continue
		}
		many[owner] = true
		nodes := slices.Sorted(maps.Keys(on[owner]))
		text := show.Joined(nodes[:min(len(nodes), mostLines)], ", ", func(name string) string { return fmt.Sprintf("%s ×%d", show.Text(name), on[owner][name]) })
		if more := len(nodes) - mostLines; more > 0 {
			text += fmt.Sprintf(", %d more nodes", more)
		}
		fmt.Fprintf(w, "%s: %d pods → %s\n", show.Text(owner.Kind+"/"+FullName(owner.Namespace, owner.Name)), pods[owner], text)
	}
	return many
}

func (p *PendingWorkload) writeText(w io.Writer) {
	if p.Pods == 1 {
		fmt.Fprintf(w, "%s stays pending: %s\n", show.Text(FullName(p.Namespace, p.pod)), p.Why)
	} else {
		fmt.Fprintf(w, "%s: %d pods stay pending: %s\n", show.Text(p.Kind+"/"+FullName(p.Namespace, p.Name)), p.Pods, p.Why)
	}
	for _, h := range p.Help {
		fmt.Fprintf(w, "  would help: %s\n", h.Text)
		if h.Holds != "" {
			fmt.Fprintf(w, "    held by %s\n", h.Holds)
		}
		fmt.Fprintf(w, "    %s\n", h.Kubectl)
	}
}

// DrainReport is the result of a drain.
type DrainReport struct {
	after
	before  PendingReport // workloads with pods that were pending before the drain and stay pending
	Evicted []EvictedPod
	Rounds  int
	Blocked []BlockedPod
	Daemons int // pods of DaemonSets or of the node, which kubectl drain ignores
	Leaving int // pods already being deleted

	Unguarded bool `json:"unguarded,omitempty"` // the dump has no budgets, but the cluster may

	Updates []Updated `json:"updates,omitempty"` // for a rollout, whose new pods are in Evicted; nil otherwise

	Failed string `json:"failed,omitempty"` // zone that fails; "" for a drain. All its pods leave in round 0
}

// EvictedPod is a pod that leaves its node.
type EvictedPod struct {
	MovedPod        // To is "" if it stays pending
	Words    string // message of the scheduler if it stays pending; otherwise a remark
	Round    int
	Bare     bool `json:"bare,omitempty"`  // no controller recreates it
	Local    bool `json:"local,omitempty"` // it loses an emptyDir
}

// BlockedPod is a pod whose eviction PodDisruptionBudgets prevent.
type BlockedPod struct {
	PodOnNode
	Budget string
	Words  string
	Help   string
}

// cannotEvict is the API's message if a budget does not allow an eviction.
const cannotEvict = "Cannot evict pod as it would violate the pod's disruption budget."

// cannotChoose is the API's message about a pod that several budgets cover.
const cannotChoose = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."

// noBudgets warns that budgets may be missing from the dump.
const noBudgets = "No PodDisruptionBudget is in the dump. If the cluster has some, they may keep pods on their nodes: get poddisruptionbudgets, too."

// Before returns the workloads with pods that were pending before the drain and stay pending.
func (r *DrainReport) Before() []PendingWorkload { return r.before.Workloads }

// Left counts the evicted pods that stay pending.
func (r *DrainReport) Left() int {
	return number(r.Evicted, func(e EvictedPod) bool { return e.To == "" })
}

// Headline returns the result in one sentence.
func (r *DrainReport) Headline() string {
	left := r.Left()
	pods := show.Count(len(r.Evicted), "pod")
	switch {
	case r.Updates != nil:
		return r.rollout()
	case r.Failed != "" && len(r.Evicted) == 0:
		return fmt.Sprintf("If %s fails, no pod has to move.", show.Text(r.Failed))
	case r.Failed != "" && left > 0:
		return fmt.Sprintf("If %s fails, %d of %s %s no other node%s.", show.Text(r.Failed), left, show.Count(len(r.Evicted), "pod")+" there", show.Verb(left, "finds", "find"), r.lost())
	case r.Failed != "":
		return fmt.Sprintf("If %s fails, %s there %s another node%s.", show.Text(r.Failed), several(len(r.Evicted), "all %d pods"), show.Verb(len(r.Evicted), "finds", "find"), r.lost())
	case len(r.Blocked) > 0:
		b := &r.Blocked[0]
		return fmt.Sprintf("The drain does not end: %s keeps %s; %s.", show.Cut(show.Text(b.Budget), 30), show.Count(len(r.Blocked), "pod"), b.Help)
	case left > 0:
		return fmt.Sprintf("%s %s; %d of them %s pending%s.", pods, show.Verb(len(r.Evicted), "leaves", "leave"), left, show.Verb(left, "stays", "stay"), r.lost())
	case len(r.Evicted) == 0:
		return "No pod has to leave: the nodes can be drained at once."
	}
	return fmt.Sprintf("%s %s and %s a node, in %s%s.", pods, show.Verb(len(r.Evicted), "leaves", "leave"), show.Verb(len(r.Evicted), "finds", "find"), show.Count(r.Rounds, "round"), r.lost())
}

// lost returns the part of the headline about pods that no controller recreates. The report places
// them as if the user had started them again.
func (r *DrainReport) lost() string {
	n := number(r.Evicted, func(e EvictedPod) bool { return e.Bare })
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d %s no controller and %s lost unless you start %s again", n, show.Verb(n, "has", "have"), show.Verb(n, "is", "are"), show.Verb(n, "it", "them"))
}

// WriteText writes the report as text.
func (r *DrainReport) WriteText(w io.Writer) {
	fmt.Fprintln(w, r.Headline())
	round := 0
	for i := range r.Evicted {
		e := &r.Evicted[i]
		if e.Round != round && r.Rounds > 1 {
			round = e.Round
			fmt.Fprintf(w, "Round %d:\n", round)
		}
		line := show.Text(FullName(e.Namespace, e.Pod))
		if e.From != "" {
			line += " from " + show.Text(e.From)
		}
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
		fmt.Fprintf(w, "%s stays on %s: %s (%s)\n", show.Text(FullName(b.Namespace, b.Pod)), show.Text(b.From), b.Words, show.Text(b.Budget))
		if i == 0 || b.Namespace != r.Blocked[i-1].Namespace || b.Budget != r.Blocked[i-1].Budget {
			fmt.Fprintf(w, "  kubectl -n %s describe pdb\n", show.Text(cmp.Or(b.Namespace, "default")))
		}
	}
	for _, line := range r.Stay() {
		fmt.Fprintln(w, line)
	}
}

// Stay describes the pods that the drain ignores and the data that may be missing.
func (r *DrainReport) Stay() (lines []string) {
	switch {
	case r.Daemons > 0 && r.Failed != "":
		lines = append(lines, fmt.Sprintf("%s of DaemonSets or of the nodes %s with them.", show.Count(r.Daemons, "pod"), show.Verb(r.Daemons, "ends", "end")))
	case r.Daemons > 0:
		lines = append(lines, fmt.Sprintf("%s of DaemonSets or of the node %s: use kubectl drain --ignore-daemonsets.", show.Count(r.Daemons, "pod"), show.Verb(r.Daemons, "stays", "stay")))
	}
	for i := range r.Updates {
		lines = append(lines, r.Updates[i].lines()...)
	}
	if r.Leaving > 0 {
		lines = append(lines, fmt.Sprintf("%s %s being deleted already.", show.Count(r.Leaving, "pod"), show.Verb(r.Leaving, "is", "are")))
	}
	if r.Unguarded {
		lines = append(lines, noBudgets)
	}
	return lines
}

// Note returns, in one line, why a pod stays pending and other remarks.
func (e *EvictedPod) Note() string {
	parts := e.remarks()
	if e.To == "" {
		parts = append([]string{e.Words}, parts...)
	}
	return strings.Join(parts, " · ")
}

func (e *EvictedPod) remarks() (all []string) {
	switch {
	case e.Bare && e.Round == 0:
		all = append(all, "no controller recreates it: the pod is lost")
	case e.Bare:
		all = append(all, "no controller recreates it: kubectl drain needs --force, and the pod is lost")
	}
	switch {
	case e.Local && e.Round == 0:
		all = append(all, "its emptyDir is lost")
	case e.Local:
		all = append(all, "its emptyDir is lost: kubectl drain needs --delete-emptydir-data")
	}
	if e.To != "" && e.Words != "" {
		all = append(all, e.Words)
	}
	return all
}

// ProvisionReport is the cheapest set of additional nodes found for pending pods.
type ProvisionReport struct {
	Cluster string
	Pools   []Added
	Price   float64      // total per hour
	Bound   float64      // lower bound per hour
	Gap     float64      // (price − bound) / bound; 0 if the bound is 0
	Left    []PendingPod // pods that no pool takes
	On      []PendingPod // pods placed on added nodes
}

// Headline returns the result in one sentence.
func (r *ProvisionReport) Headline() string {
	switch {
	case len(r.Pools) == 0 && len(r.Left) == 0:
		return show.Text(r.Cluster) + " needs no more nodes."
	case len(r.Pools) == 0:
		return "No pool takes a pending pod of " + show.Text(r.Cluster) + "."
	}
	return fmt.Sprintf("%s needs %s more an hour: %s.", show.Text(r.Cluster), hourly(r.Price), added(r.Pools))
}

// Optimality describes the price's distance from the lower bound; "" if no node is
// added.
func (r *ProvisionReport) Optimality() string {
	switch gap := (r.Price - r.Bound) / r.Bound; {
	case len(r.Pools) == 0:
		return ""
	case r.Price == 0:
		return "The pools have no prices: the cost is not known."
	case r.Bound == 0:
		return "No lower bound is known."
	case gap < 0.00005:
		return "Optimal: no set of nodes costs less."
	default:
		return fmt.Sprintf("Lower bound %s: at most %s above the cheapest possible.", hourly(r.Bound), strconv.FormatFloat(100*gap, 'g', 3, 64)+" %")
	}
}

// WriteText writes the report as text.
func (r *ProvisionReport) WriteText(w io.Writer) {
	fmt.Fprintln(w, r.Headline())
	if good := r.Optimality(); good != "" {
		fmt.Fprintln(w, "  "+good)
	}
	for i := range r.On {
		fmt.Fprintf(w, "  %s → %s\n", show.Text(FullName(r.On[i].Namespace, r.On[i].Name)), show.Text(r.On[i].Would))
	}
	for i := range r.Left {
		p := &r.Left[i]
		fmt.Fprintf(w, "%s stays pending: %s\n", show.Text(FullName(p.Namespace, p.Name)), p.Words)
	}
}

func hourly(price float64) string { return strconv.FormatFloat(price, 'g', 4, 64) }

func added(pools []Added) string {
	return show.Joined(pools, ", ", func(a Added) string { return fmt.Sprintf("%d × %s", a.Nodes, show.Text(a.Type)) })
}

// ConsolidateReport lists the nodes that can be emptied.
type ConsolidateReport struct {
	Emptied []EmptiedNode
	Moves   []MovedPod
	Kept    []KeptNode
	Saves   map[string]int64 // CPU in thousandths, memory in bytes
	Price   *float64         // saved per hour; null if no price is known

	Unguarded bool `json:"unguarded,omitempty"` // the dump has no budgets, but the cluster may
}

// ClusterNode identifies a node of a cluster.
type ClusterNode struct {
	Cluster string
	Node    string
}

// EmptiedNode is a node that can be removed.
type EmptiedNode struct {
	ClusterNode
	Price *float64
}

// PodOnNode is a pod with its node; From is "" for a pod without one.
type PodOnNode struct {
	Pod       string
	Namespace string
	From      string
}

// MovedPod is a pod that moves to another node.
type MovedPod struct {
	PodOnNode
	To string
}

// KeptNode is a node that cannot be emptied, with the reason.
type KeptNode struct {
	ClusterNode
	Why string
}

// priced explains how Berth determines the price of a node.
const priced = " A node has the price of the pool that its label " + instanceType + " names."

// Details describes the saved cost and data that may be missing.
func (r *ConsolidateReport) Details() (lines []string) {
	if saving := r.saving(); saving != "" {
		lines = append(lines, saving)
	}
	if r.Unguarded {
		lines = append(lines, noBudgets)
	}
	return lines
}

// saving describes the saved cost; "" if no node can be emptied.
func (r *ConsolidateReport) saving() string {
	unpriced := number(r.Emptied, func(e EmptiedNode) bool { return e.Price == nil })
	switch {
	case len(r.Emptied) == 0:
		return ""
	case r.Price == nil:
		return "No prices: the saved cost is not known." + priced
	case unpriced > 0:
		return fmt.Sprintf("It saves %s an hour, not counting %s of no known price.%s", hourly(*r.Price), show.Count(unpriced, "node"), priced)
	}
	return "It saves " + hourly(*r.Price) + " an hour."
}

// Headline returns the result in one sentence.
func (r *ConsolidateReport) Headline() string {
	if len(r.Emptied) == 0 {
		return "No node can be emptied."
	}
	return fmt.Sprintf("%s can be emptied with %s: that saves %s and %s.", show.Count(len(r.Emptied), "node"), show.Count(len(r.Moves), "move"),
		Amount(CPU, r.Saves[CPU]), Amount(Memory, r.Saves[Memory]))
}

// WriteText writes the report as text.
func (r *ConsolidateReport) WriteText(w io.Writer) {
	fmt.Fprintln(w, r.Headline())
	for _, line := range r.Details() {
		fmt.Fprintln(w, line)
	}
	for _, e := range r.Emptied {
		fmt.Fprintf(w, "empty %s\n", show.Text(e.Node))
		for _, m := range r.Moves {
			if m.From == e.Node {
				fmt.Fprintf(w, "  %s → %s\n", show.Text(FullName(m.Namespace, m.Pod)), show.Text(m.To))
			}
		}
	}
	for _, k := range r.Kept {
		fmt.Fprintf(w, "keep %s: %s\n", show.Text(k.Node), show.Text(k.Why))
	}
}
