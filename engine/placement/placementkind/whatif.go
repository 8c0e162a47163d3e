package placementkind

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/placement"
	"berth/engine/show"
)

// Limits of a what-if.
const (
	MaxWhatIfs  = 100
	maxNodes    = 10_000 // nodes that one change may add
	MaxReplicas = 100_000
	MaxFactor   = 1e6
)

// world has the deployments and the federation that they are placed on.
type world struct {
	federation  *format.Federation
	deployments []format.Deployment
	nodes       *nodeFit // nil if only total amounts are known
	pools       []kube.NodeType

	whole    *placement.Capacity        // see [Prepared.capacity]
	compiled map[int]*placement.Problem // by deployment: see [Prepared.alone]
}

// copy returns a copy that can be changed independently.
func (w *world) copy() *world {
	c := &world{federation: copyOf(w.federation), pools: w.pools, compiled: map[int]*placement.Problem{}}
	for _, d := range w.deployments {
		d.Deployment, d.Pods = d.Clone(), slices.Clone(d.Pods)
		c.deployments = append(c.deployments, d)
	}
	return c
}

// copyOf returns a copy of a federation whose figures, links and nodes can be changed
// independently.
func copyOf(f *format.Federation) *format.Federation {
	c := *f
	c.Federation, c.Members = f.Without(nil), slices.Clone(f.Members)
	for i := range c.Members {
		if nodes := c.Members[i].Nodes; nodes != nil {
			one := *nodes
			one.Nodes, one.Pods, one.Evicted = slices.Clone(nodes.Nodes), slices.Clone(nodes.Pods), slices.Clone(nodes.Evicted)
			one.Daemons = slices.Clone(nodes.Daemons)
			c.Members[i].Nodes = &one
		}
	}
	return &c
}

// changed returns the world after some changes, or the path and the error of an invalid change.
func (w *world) changed(whatIfs []string) (c *world, path string, err error) {
	path = "placement.whatIf"
	c = w.copy()
	for i, text := range whatIfs {
		if err := c.change(text); err != nil {
			return nil, fmt.Sprintf("%s[%d]", path, i), fmt.Errorf("%s: %w", show.Quote(text), err)
		}
	}
	if err := c.federation.Measure(); err != nil {
		return nil, path, err
	}
	if w.federation.Federation.Routed() {
		if _, err := c.federation.RouteByLatency(); err != nil {
			return nil, path, err
		}
	}
	c.nodes = newNodeFit(c.federation, c.deployments)
	return c, "", nil
}

// changes lists the kinds of changes by their first word.
var changes = []struct {
	name, form string
	least      int // smallest number of words after the name
	apply      func(w *world, words []string) error
}{
	{"drain", "drain NODE…", 1, (*world).drain},
	{"fail", "fail CLUSTER…", 1, (*world).fail},
	{"add", "add NODE ×3 like NODE or " + addPool, 2, (*world).add},
	{"price", "price CLUSTER ×1.2", 2, (*world).price},
	{"room", "room CLUSTER ×0.8", 2, (*world).room},
	{"latency", "latency ×1.1", 1, (*world).latency},
	{"scale", "scale JOB 10", 2, (*world).scale},
}

func (w *world) change(text string) error {
	words := splitWords(text)
	var forms []string
	for _, c := range changes {
		if len(words) > 0 && words[0] == c.name {
			if len(words)-1 < c.least {
				return fmt.Errorf("expected %s", c.form)
			}
			return c.apply(w, words[1:])
		}
		forms = append(forms, c.form)
	}
	return fmt.Errorf("expected one of: %s", strings.Join(forms, "; "))
}

// splitWords splits at blanks; names with blanks need double quotes.
func splitWords(text string) []string {
	var words []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var word string
		if rest, quoted := strings.CutPrefix(text, `"`); quoted {
			word, text, _ = strings.Cut(rest, `"`)
		} else if i := strings.IndexAny(text, " \t"); i >= 0 {
			word, text = text[:i], text[i:]
		} else {
			word, text = text, ""
		}
		words = append(words, word)
	}
	return words
}

// node returns the node with a name, or with CLUSTER/NODE.
func (w *world) node(name string) (*kube.Cluster, int, error) {
	var found *kube.Cluster
	at := -1
	known := false
	for i, nodes := range w.federation.Listed() {
		known = true
		for n := range nodes.Nodes {
			if own := nodes.Nodes[n].Name; own == name || w.federation.Clusters().ID(i)+"/"+own == name {
				if found != nil {
					return nil, 0, fmt.Errorf("several clusters have a node %s: write CLUSTER/NODE", show.Quote(name))
				}
				found, at = nodes, n
			}
		}
	}
	switch {
	case !known:
		return nil, 0, errNoNodes
	case found == nil:
		return nil, 0, fmt.Errorf("there is no node %s", show.Quote(name))
	}
	return found, at, nil
}

var errNoNodes = errors.New("the federation has no nodes: give those of a cluster, as kubectl get nodes,pods -o yaml writes them")

// drain closes nodes. Their pods need another node of the cluster, except pods of a DaemonSet.
func (w *world) drain(names []string) error {
	for _, name := range names {
		c, n, err := w.node(name)
		if err != nil {
			return err
		}
		c.Nodes[n].Closed = kube.Unschedulable
		c.Pods = slices.DeleteFunc(c.Pods, func(p *kube.Pod) bool {
			if p.On != c.Nodes[n].Name || p.Owner.Kind == "DaemonSet" {
				return false
			}
			c.Evicted = append(c.Evicted, kube.Group{Name: p.Name, Shape: p.Shape, Pods: 1})
			return true
		})
	}
	return nil
}

func (w *world) cluster(name string) (int, error) {
	if i, ok := w.federation.Cluster(name); ok {
		return i, nil
	}
	return 0, fmt.Errorf("there is no cluster %s", show.Quote(name))
}

func (w *world) fail(names []string) error {
	gone := map[int]bool{}
	for _, name := range names {
		i, err := w.cluster(name)
		if err != nil {
			return err
		}
		gone[i] = true
	}
	f := w.federation
	if len(gone) == f.Clusters().Len() {
		return fmt.Errorf("no cluster would be left")
	}
	rest := &format.Federation{Federation: f.Without(gone), Routed: f.Routed}
	for i, m := range f.Members {
		if !gone[i] {
			rest.Members = append(rest.Members, m)
		}
	}
	w.federation = rest
	return nil
}

// add adds copies of a node without its pods.
func (w *world) add(words []string) error {
	if words[0] == "pool" && (len(words) < 3 || words[1] != "like" && words[2] != "like") {
		return w.addPool(words[1:])
	}
	from := len(words) - 2 // of "like NODE"
	if from < 1 || from > 2 || words[from] != "like" {
		return fmt.Errorf("expected add NODE ×3 like NODE")
	}
	count, err := counted(words[1:from])
	if err != nil {
		return err
	}
	c, like, err := w.node(words[from+1])
	if err != nil {
		return err
	}
	for k := range count {
		n := c.Nodes[like]
		n.Name, n.Closed, n.Cordoned = words[0], "", false
		if count > 1 {
			n.Name += "-" + strconv.Itoa(k+1)
		}
		if _, _, err := w.node(n.Name); err == nil {
			return fmt.Errorf("there is a node %s already", show.Quote(n.Name))
		}
		labels := map[string]string{}
		maps.Copy(labels, n.Labels)
		labels["kubernetes.io/hostname"] = n.Name
		n.Labels = labels
		c.Nodes = append(c.Nodes, n)
	}
	return nil
}

// counted parses a number of nodes, such as ×3; 1 if it is missing.
func counted(words []string) (int, error) {
	if len(words) == 0 {
		return 1, nil
	}
	n, err := factor(words[0])
	if err != nil || n != math.Trunc(n) || n < 1 || n > maxNodes {
		return 0, fmt.Errorf("%s: expected a number of nodes from ×1 to ×%d", show.Quote(words[0]), maxNodes)
	}
	return int(n), nil
}

// factor parses ×1.2, x1.2 or *1.2.
func factor(word string) (float64, error) {
	for _, sign := range []string{"×", "x", "*"} {
		rest, signed := strings.CutPrefix(word, sign)
		if v, isNumber := show.ParseNumber(rest); signed && isNumber && v >= 0 && v <= MaxFactor {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%s: expected a factor from ×0 to ×%v, such as ×1.2", show.Quote(word), MaxFactor)
}

func (w *world) price(words []string) error {
	return w.scaleClusters(words, func(_ *graph.LabelType, f graph.Field) bool { return f.Price })
}

// room multiplies the capacities of clusters. It refuses a cluster with nodes, whose capacity is
// the sum of its nodes.
func (w *world) room(words []string) error {
	for _, name := range words[:len(words)-1] {
		if i, err := w.cluster(name); err == nil && w.federation.NodesOf(i) != nil {
			return fmt.Errorf("cluster %s has nodes, which say how much room it has: drain or add some", show.Quote(name))
		}
	}
	return w.scaleClusters(words, consumed)
}

func consumed(t *graph.LabelType, f graph.Field) bool {
	return slices.ContainsFunc(graph.Labels(graph.Job), func(demand *graph.LabelType) bool {
		return demand.Host() == t && slices.ContainsFunc(demand.Comparisons, func(c graph.Comparison) bool { return c.Consumes && c.Supply == f.Name })
	})
}

// scaleClusters multiplies the selected fields of the named clusters by the factor in the last
// word.
func (w *world) scaleClusters(words []string, which func(*graph.LabelType, graph.Field) bool) error {
	by, err := factor(words[len(words)-1])
	if err != nil {
		return err
	}
	for _, name := range words[:len(words)-1] {
		i, err := w.cluster(name)
		if err != nil {
			return err
		}
		scaleFields(w.federation.Clusters(), i, by, which)
	}
	return nil
}

func (w *world) latency(words []string) error {
	by, err := factor(strings.Join(words, " "))
	if err != nil {
		return err
	}
	for k := range w.federation.Links().Len() {
		scaleFields(w.federation.Links(), k, by, func(t *graph.LabelType, f graph.Field) bool { return t.Name == "latency" && !f.Price })
	}
	return nil
}

// scaleFields multiplies the selected fields of an element, up to [graph.MaxFigure].
func scaleFields(all *graph.Elements, i int, by float64, which func(*graph.LabelType, graph.Field) bool) {
	for _, l := range all.Labels(i) {
		for f, field := range l.Type.Fields {
			if which(l.Type, field) {
				l.Values[f] = min(l.Values[f]*by, graph.MaxFigure)
			}
		}
		all.SetLabel(l.Type, i, l.Values)
	}
}

// maximum stands for the largest number of pods that the job's HorizontalPodAutoscaler allows.
const maximum = "maximum"

// scale sets the number of pods of a job. A job without known pods counts as one pod.
func (w *world) scale(words []string) error {
	replicas, err := strconv.Atoi(words[len(words)-1])
	if len(words) == 2 && words[1] == maximum {
		if replicas, err = w.atMost(words[0]), nil; replicas == 0 {
			return fmt.Errorf("no HorizontalPodAutoscaler scales a job %s: write the number of its pods", show.Quote(words[0]))
		}
	}
	if err != nil || replicas < 1 || replicas > MaxReplicas || len(words) != 2 {
		return fmt.Errorf("expected scale JOB and the number of its pods, from 1 to %d, or maximum", MaxReplicas)
	}
	found := false
	for d := range w.deployments {
		i, ok := w.deployments[d].Job(words[0])
		if !ok {
			continue
		}
		found = true
		was := 1
		if pods := w.deployments[d].Pods; pods != nil {
			was, pods[i].Pods = pods[i].Pods, replicas
		}
		scaleFields(w.deployments[d].Jobs(), i, float64(replicas)/float64(was), func(t *graph.LabelType, f graph.Field) bool { return t.Kind == graph.Demand })
	}
	if !found {
		return fmt.Errorf("there is no job %s", show.Quote(words[0]))
	}
	return nil
}

// atMost returns the largest number of pods that the autoscaler of a job allows, 0 without an
// autoscaler.
func (w *world) atMost(job string) int {
	for d := range w.deployments {
		if i, ok := w.deployments[d].Job(job); ok && w.deployments[d].Pods != nil {
			return w.deployments[d].Pods[i].Most
		}
	}
	return 0
}

// whatIf applies the changes of the document to the world, and keeps the world before them.
func (r *graphReader) whatIf() {
	if len(r.e.document.WhatIf) == 0 {
		return
	}
	changed, path, err := r.e.world.changed(r.e.document.WhatIf)
	if err != nil {
		r.found.Wrong(path, err)
		return
	}
	r.e.before, r.e.world = r.e.world, changed
}
