package placementkind

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berth/engine/diag"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
	"berth/engine/scenario"
	"berth/engine/show"
)

// ClusterQuery asks about the pods in the node files of the clusters.
type ClusterQuery struct {
	Action string   // pending, drain, fail, rollout, consolidate or provision
	Nodes  []string // to drain
	Zone   string   // to fail
	Pools  []Pool   // node types that can be added, with prices
}

// The actions of a [ClusterQuery].
const (
	AskPending     = "pending"
	AskDrain       = "drain"
	AskFail        = "fail"
	AskRollout     = "rollout"
	AskConsolidate = "consolidate"
	AskProvision   = "provision"
)

// ClusterAnswer is an answer ready for display: a sentence, details, and a table with rows in
// decision order.
type ClusterAnswer struct {
	Headline string
	Details  []string
	Columns  []string
	Rows     [][]string

	Steps []ClusterStep

	Nodes   []kube.NodeUse // with the decisions; nil unless the action is pending or drain
	Waiting []Waiting
}

// Waiting describes pods of a workload that stay pending, or that cannot leave a drained node.
type Waiting struct {
	Name string
	Pods int
	Why  string
	Help string // the smallest change that helps; "" if unknown
	Does string // command that makes the change, or shows where to make it
}

// ClusterStep is the decision about one pod.
type ClusterStep struct {
	Pod   string
	From  string // the node that it leaves, or ""
	To    string // the node that it goes to; "" if it stays pending
	Words string // the reason
}

// Sentence returns the decision as a sentence.
func (s *ClusterStep) Sentence() string {
	switch {
	case s.To == "":
		return s.Pod + " stays pending: " + s.Words
	case s.From != "":
		return s.Pod + " goes from " + s.From + " to " + s.To + "."
	}
	return s.Pod + " goes to " + s.To + "."
}

// decide adds the decision about a pod and its row of the table.
func (a *ClusterAnswer) decide(step ClusterStep, row ...string) {
	a.Steps, a.Rows = append(a.Steps, step), append(a.Rows, row)
}

// dumps are the clusters in the node files. They are read once for all questions.
type dumps struct {
	clusters []*kube.Cluster
	found    diag.List
}

func (d *Document) dumps(o format.Options) (all dumps, err error) {
	for _, s := range d.files() {
		if !s.dump() {
			continue
		}
		c, found := manifest.ReadCluster(s.Name, []byte(s.Text), o)
		if c == nil {
			return all, &scenario.InputError{Diagnostics: found}
		}
		all.clusters, all.found = append(all.clusters, c), append(all.found, found...)
	}
	if len(all.clusters) == 0 {
		err = fmt.Errorf("no file has nodes: give what kubectl get nodes,pods -A -o yaml writes")
	}
	return all, err
}

// ofDumps returns a federation of the clusters in the node files if the document has no
// deployments. It reads the files once for the run and all questions. It returns nil for other
// documents and for files with errors.
func (r *graphReader) ofDumps() (*format.Federation, diag.List) {
	if len(r.e.document.Deployments) > 0 || r.e.document.ClusterBy != "" || slices.ContainsFunc(r.e.document.files(), func(s GraphSource) bool { return !s.dump() }) {
		return nil, nil
	}
	all, err := r.e.document.dumps(r.options())
	if err != nil {
		return nil, nil
	}
	f := &format.Federation{Federation: graph.NewFederation()}
	for _, c := range all.clusters {
		if _, known := f.Cluster(c.Name); known {
			return nil, nil
		}
		nodes := map[string]bool{}
		for i := range c.Nodes {
			nodes[c.Nodes[i].Name] = true
		}
		_, m := f.AddManifest(c.Name)
		m.Nodes = &kube.Cluster{Name: c.Name, Nodes: slices.Clone(c.Nodes), Objects: c.Objects}
		m.Nodes.Pods = slices.DeleteFunc(slices.Clone(c.Pods), func(p *kube.Pod) bool { return !nodes[p.On] })
	}
	if f.Measure() != nil {
		return nil, nil
	}
	r.e.dumps = func() (dumps, error) { return all, nil }
	return f, all.found
}

// askClusters answers a query about the pods of the clusters.
func (e *Prepared) askClusters(_ context.Context, q ClusterQuery) (*ClusterAnswer, error) {
	dumps, err := e.dumps()
	if err != nil {
		return nil, err
	}
	clusters := dumps.clusters
	pools, err := poolsOf(q.Pools)
	if err != nil {
		return nil, err
	}
	var a *ClusterAnswer
	switch q.Action {
	case AskDrain:
		a, err = answerDrain(kube.Drain(kube.Default(), q.Nodes, clusters...))
	case AskFail:
		a, err = answerDrain(kube.Fail(kube.Default(), q.Zone, clusters...))
	case AskRollout:
		var updates []kube.Update
		for i := range e.world.deployments {
			updates = append(updates, e.world.deployments[i].Updates()...)
		}
		a, err = answerDrain(kube.Rollout(kube.Default(), updates, clusters...))
	case AskConsolidate:
		a = answerConsolidate(clusters, pools)
	case AskProvision:
		a, err = answerProvision(clusters, pools)
	default:
		a = answerPending(clusters)
	}
	if err == nil {
		for _, d := range dumps.found.Warnings() {
			a.Details = append(a.Details, d.String())
		}
	}
	return a, err
}

func answerPending(clusters []*kube.Cluster) *ClusterAnswer {
	r := kube.Pending(kube.Default(), clusters...)
	a := &ClusterAnswer{Headline: r.Headline(), Columns: []string{"Order", "Pod", "Goes to", "Why, and what would help"}, Nodes: r.Nodes()}
	a.stay(r.Workloads)
	for _, x := range r.Absent {
		a.Waiting = append(a.Waiting, Waiting{Name: x.Kind + " " + kube.FullName(x.Namespace, x.Name), Pods: x.Pods, Why: x.Why})
	}
	for _, x := range r.Stuck {
		a.Waiting = append(a.Waiting, Waiting{Name: kube.FullName(x.Namespace, x.Name), Pods: 1, Why: "On " + x.Node + ": " + x.Why})
	}
	for i := range r.Pods {
		p := &r.Pods[i]
		why := p.Words
		if len(p.Help) > 0 {
			why += " Would help: " + strings.Join(p.Help, "; or ")
		}
		pod := kube.FullName(p.Namespace, p.Name)
		a.decide(ClusterStep{pod, "", p.Would, p.Words}, strconv.Itoa(i+1), pod, p.Would, why)
	}
	return a
}

// stay adds workloads with pending pods.
func (a *ClusterAnswer) stay(workloads []kube.PendingWorkload) {
	for i := range workloads {
		w := &workloads[i]
		one := Waiting{Name: w.Kind + " " + kube.FullName(w.Namespace, w.Name), Pods: w.Pods, Why: w.Why}
		if len(w.Help) > 0 {
			one.Help, one.Does = w.Help[0].Text, w.Help[0].Kubectl
		}
		a.Waiting = append(a.Waiting, one)
	}
}

// waits adds waiting pods. It merges them with the previous entry if reason and help are the same.
func (a *ClusterAnswer) waits(w Waiting) {
	if last := len(a.Waiting) - 1; last >= 0 && a.Waiting[last].Why == w.Why && a.Waiting[last].Help == w.Help {
		a.Waiting[last].Pods += w.Pods
		return
	}
	a.Waiting = append(a.Waiting, w)
}

func answerDrain(r *kube.DrainReport, err error) (*ClusterAnswer, error) {
	if err != nil {
		return nil, err
	}
	a := &ClusterAnswer{Headline: r.Headline(), Details: r.Stay(), Columns: []string{"Order", "Pod", "From", "Goes to", "Round", "What to know"}, Nodes: r.Nodes()}
	for i := range r.Evicted {
		e := &r.Evicted[i]
		pod := kube.FullName(e.Namespace, e.Pod)
		a.decide(ClusterStep{pod, e.From, e.To, e.Words}, strconv.Itoa(i+1), pod, e.From, e.To, strconv.Itoa(e.Round), e.Note())
		if e.To == "" {
			a.waits(Waiting{Name: pod, Pods: 1, Why: e.Words})
		}
	}
	for i := range r.Blocked {
		b := &r.Blocked[i]
		a.Rows = append(a.Rows, []string{"", kube.FullName(b.Namespace, b.Pod), b.From, "stays", "", b.Words + " (" + b.Budget + ")"})
		a.waits(Waiting{Name: "Budget " + b.Budget, Pods: 1, Why: b.Words, Help: b.Help, Does: "kubectl -n " + cmp.Or(b.Namespace, "default") + " describe pdb"})
	}
	a.stay(r.Before())
	return a, nil
}

// answerProvision finds the cheapest nodes to add for the pending pods, and lists the pods by name.
func answerProvision(clusters []*kube.Cluster, pools []kube.NodeType) (*ClusterAnswer, error) {
	if len(pools) == 0 {
		return nil, fmt.Errorf("there are no pools: add the kinds of nodes that can be added, with their prices")
	}
	a := &ClusterAnswer{Columns: []string{"Order", "Pod", "Goes to", "Why not"}}
	var headlines []string
	for _, c := range clusters {
		r := c.Provision(kube.Default(), pools)
		headlines = append(headlines, r.Headline())
		if good := r.Optimality(); good != "" {
			a.Details = append(a.Details, good)
		}
		for i := range r.On {
			pod := kube.FullName(r.On[i].Namespace, r.On[i].Name)
			a.decide(ClusterStep{pod, "", r.On[i].Would, ""}, strconv.Itoa(i+1), pod, r.On[i].Would, "")
		}
		for i := range r.Left {
			a.Rows = append(a.Rows, []string{"", kube.FullName(r.Left[i].Namespace, r.Left[i].Name), "", r.Left[i].Words})
		}
	}
	a.Headline = strings.Join(headlines, " ")
	return a, nil
}

func answerConsolidate(clusters []*kube.Cluster, pools []kube.NodeType) *ClusterAnswer {
	r := kube.Consolidate(kube.Default(), pools, 0, clusters...)
	a := &ClusterAnswer{Headline: r.Headline(), Details: r.Details(), Columns: []string{"Order", "Node", "Pod", "Goes to", "Why it stays"}}
	for i, e := range r.Emptied {
		a.Rows = append(a.Rows, []string{strconv.Itoa(i + 1), e.Node, "", "can be emptied", ""})
		for _, m := range r.Moves {
			if m.From == e.Node {
				pod := kube.FullName(m.Namespace, m.Pod)
				a.decide(ClusterStep{pod, m.From, m.To, ""}, "", m.From, pod, m.To, "")
			}
		}
	}
	for _, k := range r.Kept {
		a.Rows = append(a.Rows, []string{"", k.Node, "", "stays", show.Capital(k.Why)})
	}
	return a
}
