package kube

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"berth/engine/show"
)

// Pending returns, for each pending pod, the node where it would go, or why no node accepts it and
// what would help. The pods are in queue order, cluster by cluster. The suggestions assume that
// running pods stay on their nodes.
func Pending(profile Profile, clusters ...*Cluster) *PendingReport {
	r := &PendingReport{Pods: []PendingPod{}}
	for _, c := range clusters {
		for _, a := range c.Absent {
			a.Cluster = c.Name
			r.Absent = append(r.Absent, a)
		}
		for _, p := range c.Pods {
			if p.On != "" && p.Starting && p.Waits != "" {
				r.Stuck = append(r.Stuck, StuckPod{ClusterPod{p.Name, p.Namespace(), c.Name}, p.On, p.Waits})
			}
		}
		s, waiting := c.State(profile)
		var last *Pod // pods of a workload share their suggestions
		var help []Help
		for _, d := range s.Run(waiting, c.Budgets) {
			p := s.answer(c.Name, d)
			switch {
			case d.Node >= 0 || len(d.Pod.Gates) > 0 || d.Pod.Beyond != "":
				last, help = nil, nil
			case last == nil || last.Shape != d.Pod.Shape || last.Owner != d.Pod.Owner:
				last, help = d.Pod, s.Help(d.Pod)
			}
			for _, h := range help {
				p.Help = append(p.Help, h.Text)
			}
			r.Pods = append(r.Pods, p)
			if p.Would == "" {
				r.group(d.Pod, &p, help)
			}
		}
		r.after.leaves(c.Name, s)
	}
	return r
}

// group adds a pod that stays pending to the entry of its workload with the same reason and
// suggestions, creating the entry if necessary.
func (r *PendingReport) group(pod *Pod, p *PendingPod, help []Help) {
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if w.Owner == pod.Owner && w.Cluster == p.Cluster && w.Why == p.Words && slices.EqualFunc(w.Help, help, func(a, b Help) bool { return a.Text == b.Text }) {
			w.Pods++
			return
		}
	}
	r.Workloads = append(r.Workloads, PendingWorkload{
		Absent: Absent{Owner: pod.Owner, Cluster: p.Cluster, Pods: 1, Why: p.Words}, Help: append([]Help{}, help...), pod: p.Name,
	})
}

// answer describes a decision about a pod of a cluster.
func (s *ClusterState) answer(cluster string, d Decision) PendingPod {
	p := PendingPod{ClusterPod: ClusterPod{d.Pod.Name, d.Pod.Namespace(), cluster}, Words: d.Words, Help: []string{}, owner: d.Pod.Owner}
	if d.Node >= 0 {
		p.Would = s.Nodes[d.Node].Name
	}
	for _, v := range d.Victims {
		p.Preempts = append(p.Preempts, FullName(v.Namespace(), v.Name))
	}
	if d.Ties > 1 {
		p.Ties = d.Ties
	}
	return p
}

// maxHelp limits the number of suggestions for a pod.
const maxHelp = 4

// remedy is a change to the cluster or the pod that would let a node accept the pod.
type remedy struct {
	kind int // kind of change; smaller kinds take less effort
	size float64
	Help
	apply change // nil: other pods change
}

type change func(*Shape, *Node)

// option is a set of changes to a node and a pod that makes the node accept the pod.
type option struct {
	remedy  // all changes combined
	node    int
	changes []remedy
}

func onNode(name string) string { return "kubectl get pods -A --field-selector spec.nodeName=" + name }

// edit returns the command that changes the pods of a workload.
func (o Owner) edit() string { return o.kubectl("edit", strings.ToLower(o.Kind)+"/"+o.Name) }

func (o Owner) kubectl(command, what string) string {
	return "kubectl -n " + cmp.Or(show.Text(o.Namespace), "default") + " " + command + " " + show.Text(what)
}

// Help returns suggestions for a pod. It considers the nodes that need the fewest changes, and for
// each kind of change the smallest one.
func (s *ClusterState) Help(p *Pod) []Help {
	c := s.class(p.Shape)
	owner := p.Owner
	owner.Namespace = p.Namespace()
	switch large := s.tooLarge(c); {
	case c.barred == Unbound:
		return []Help{{Text: "bind its claims to volumes: they do not wait for a pod, as a StorageClass with WaitForFirstConsumer has it",
			brief: "bind its claims to volumes", Kubectl: owner.kubectl("describe", "pvc")}}
	case c.barred != "":
		return []Help{{Text: "create its claim again", Kubectl: owner.kubectl("get", "pvc")}}
	case large != "":
		brief, _, _ := strings.Cut(large, ":")
		return []Help{{Text: large, brief: brief, Kubectl: owner.edit()}}
	}
	var best []option
	fewest := 1 << 30
	for n := range s.Nodes {
		if len(s.exceeds(c, n)) > 0 {
			continue // too small even when empty
		}
		changes := s.changes(c, n, owner)
		if len(changes) == 0 || len(changes) > fewest {
			continue
		}
		if len(changes) < fewest {
			fewest, best = len(changes), nil
		}
		best = append(best, option{combined(changes), n, changes})
	}
	slices.SortStableFunc(best, func(a, b option) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.size, b.size)) })
	var help []Help
	last := -1
	for _, one := range best {
		if one.kind != last && len(help) < maxHelp && !s.skewedBy(&one, c.shape) {
			help = append(help, one.Help)
			last = one.kind
		}
	}
	return help
}

// skewedBy reports whether an option would still fail because its changes affect which nodes count
// for the shape's topology spread constraints, so that one of the constraints rejects the option's
// node.
func (s *ClusterState) skewedBy(o *option, shape *Shape) bool {
	if len(shape.Spread) == 0 {
		return false
	}
	before, own := s.Nodes[o.node], *shape
	defer func() { s.Nodes[o.node] = before }()
	changed := false
	for _, r := range o.changes {
		if r.apply != nil {
			changed = true
			r.apply(&own, &s.Nodes[o.node])
		}
	}
	if !changed {
		return false
	}
	return s.ask(s.class(&own)).skewed(o.node, false) != ""
}

// exceeds returns the resources whose request by a class exceeds a node's capacity.
func (s *ClusterState) exceeds(c *class, n int) (all []string) {
	for r, need := range c.need {
		if need > s.total[n][r] {
			all = append(all, s.resources[r])
		}
	}
	return append(all, c.lacking...)
}

// tooLarge returns a suggestion if no node is large enough for a class even when
// empty, otherwise "". It names the resources that are too small on every node.
func (s *ClusterState) tooLarge(c *class) string {
	var short []string
	for n := range s.Nodes {
		exceeds := s.exceeds(c, n)
		if len(exceeds) == 0 {
			return ""
		}
		if n == 0 {
			short = exceeds
		}
		short = slices.DeleteFunc(short, func(name string) bool { return !slices.Contains(exceeds, name) })
	}
	if len(short) == 0 {
		return "request less, or add a larger node: none is large enough for all that it requests"
	}
	if devices := slices.DeleteFunc(slices.Clone(short), func(name string) bool { return !strings.Contains(name, "/") || !slices.Contains(c.lacking, name) }); len(devices) > 0 {
		return "start the device plugin of " + show.Joined(devices, " and ", show.Text) + ": no node offers it; or add a node that does"
	}
	return "request less, or add a larger node: the largest has " + show.Joined(short, " and ", func(name string) string {
		most := int64(0)
		for n := range s.Nodes {
			most = max(most, Capacity(&s.Nodes[n], name))
		}
		return Amount(name, most)
	})
}

// combined combines several necessary changes into one.
func combined(changes []remedy) remedy {
	out := changes[0]
	for _, more := range changes[1:] {
		out.kind = out.kind*10 + more.kind
		out.size += more.size
		out.Text += ", and " + more.Text
		out.brief = ""
		if more.Kubectl != out.Kubectl {
			out.Kubectl += " && " + more.Kubectl
		}
	}
	return out
}

// changes returns the changes that would let a node accept a pod of a workload, one for each
// filter that rejects it.
func (s *ClusterState) changes(c *class, n int, owner Owner) []remedy {
	s.ask(c)
	node := &s.Nodes[n]
	name := show.Text(node.Name)
	var all []remedy
	add := func(kind int, size float64, text, brief, kubectl string, apply change) {
		all = append(all, remedy{kind, size, Help{Text: text, brief: brief, Kubectl: kubectl}, apply})
	}
	untaint := func(key string) change {
		return func(_ *Shape, node *Node) {
			node.Taints = slices.DeleteFunc(slices.Clone(node.Taints), func(t Taint) bool { return t.Key == key })
		}
	}
	describe := "kubectl describe node " + name
	if node.Closed != "" {
		add(8, 1, "make "+name+" ready", "", describe, nil)
	}
	if c.asked.ports.at(n) > 0 {
		add(5, 1, "free the host ports that it wants on "+name, "free its host ports on "+name, onNode(name), nil)
	}
	if node.Cordoned && !tolerated(cordon, c.shape.Tolerations) {
		add(1, 1, "uncordon "+name, "", "kubectl uncordon "+name, untaint(cordon.Key))
	}
	taints, _ := Untolerated(node.Taints, c.shape.Tolerations)
	taints = slices.DeleteFunc(taints, func(t Taint) bool {
		mend, broken := mends[t.Key]
		if broken && mend != "" && !slices.ContainsFunc(all, func(r remedy) bool { return r.Text == fmt.Sprintf(mend, name) }) {
			add(8, 1, fmt.Sprintf(mend, name), "", describe, untaint(t.Key))
		}
		return broken
	})
	if len(taints) > 0 {
		words := show.Joined(taints, " and ", func(t Taint) string { return show.Text(t.String()) })
		add(2, float64(len(taints)), "tolerate "+words+" of "+name, "tolerate the taints of "+name, owner.edit(), func(shape *Shape, _ *Node) {
			for _, t := range taints {
				shape.Tolerations = append(slices.Clip(shape.Tolerations), Toleration{Key: t.Key, Value: t.Value, Effect: t.Effect})
			}
		})
	}
	if why, kind, apply := s.labels(c.shape, node); why != "" {
		command := owner.edit()
		if label, labels := strings.CutPrefix(why, "label "); labels {
			command = "kubectl label node " + label
		}
		add(kind, 1, why, "", command, apply)
	}
	if short, parts := s.short(c, n); short != "" {
		add(3, parts, short, "", onNode(name), nil)
		all[len(all)-1].Holds = s.holds(c, n)
	}
	switch f := &c.asked.fixed[n]; {
	case f.volumes != "":
		add(7, 1, "give its claim a volume that "+name+" can have", "give its claim a volume for "+name, owner.kubectl("describe", "pvc"), nil)
	case f.why != "" && len(all) == 0:
		add(5, 1, "on "+name+": "+f.why, "", describe, nil)
	}
	for _, why := range s.crowds(c, n) {
		if why == unevenSpread && s.fitsHonouring(c, n) {
			add(0, 1, "set nodeTaintsPolicy: Honor in the topology spread constraint: nodes with taints that it does not tolerate count as empty now",
				"set nodeTaintsPolicy: Honor", owner.edit(), honour)
			continue
		}
		one := remedy{9, 1, s.crowded(c, why, n, owner), nil}
		switch why {
		case missingDomain:
			one.apply = func(shape *Shape, node *Node) {
				shape.Spread = slices.DeleteFunc(slices.Clone(shape.Spread), func(x Spread) bool { _, has := node.Labels[x.Key]; return !has })
			}
		case unevenSpread:
			one.apply = func(shape *Shape, _ *Node) {
				shape.Spread = slices.Clone(shape.Spread)
				for i := range shape.Spread {
					shape.Spread[i].MaxSkew = math.MaxInt32
				}
			}
		}
		all = append(all, one)
	}
	return all
}

// crowds returns the messages of all filters about other pods and volumes that reject a node for a
// class. [ClusterState.crowd] returns only the first.
func (s *ClusterState) crowds(c *class, n int) (all []string) {
	a := c.asked
	all = []string{s.lacksVolume(c, n)}
	for i := range a.spread {
		if why := a.spread[i].rejects(n, false); !slices.Contains(all, why) {
			all = append(all, why)
		}
	}
	if a.alone(n, false) {
		all = append(all, lonely)
	}
	near := anyAt(a.apart, n)
	if near {
		all = append(all, tooNear)
	}
	if anyAt(a.unwelcome, n) && !(near && s.mutual(c)) {
		all = append(all, unwelcome)
	}
	return slices.DeleteFunc(all, func(why string) bool { return why == "" || why == a.fixed[n].volumes })
}

// mutual reports whether the pods of a class avoid all pods that avoid them. If so, resolving one
// side's anti-affinity also resolves the other side's.
func (s *ClusterState) mutual(c *class) bool {
	return !slices.ContainsFunc(s.classes, func(o *class) bool {
		return slices.ContainsFunc(o.shape.AntiAffinity, func(theirs Near) bool {
			return theirs.Chooses(o.shape, c.shape) && !slices.ContainsFunc(c.shape.AntiAffinity, func(own Near) bool { return own.Key == theirs.Key && own.Chooses(c.shape, o.shape) })
		})
	})
}

// fitsHonouring reports whether other pods and volumes would let a node accept a class if the class
// ignored nodes with untolerated taints in its topology spread constraints.
func (s *ClusterState) fitsHonouring(c *class, n int) bool {
	if c.honouring == nil {
		shape := *c.shape
		honour(&shape, nil)
		c.honouring = s.class(&shape)
	}
	s.ask(c.honouring)
	return s.crowd(c.honouring, n) == ""
}

// honour sets nodeTaintsPolicy Honor in all constraints of a shape.
func honour(shape *Shape, _ *Node) {
	shape.Spread = slices.Clone(shape.Spread)
	for i := range shape.Spread {
		shape.Spread[i].HonorTaints = true
	}
}

// mostHolds limits the number of pods that a suggestion names as users of a lacking resource.
const mostHolds = 3

// holds names the pods of a node with the largest requests for the first resource that the pod
// lacks there.
func (s *ClusterState) holds(c *class, n int) string {
	r := 0
	for c.need[r] <= s.free(n, r) {
		r++
	}
	if s.resources[r] == Pods {
		return ""
	}
	has := func(p *Pod) int64 { return p.class.need[r] }
	pods := slices.DeleteFunc(slices.Clone(s.pods[n]), func(p *Pod) bool { return has(p) == 0 })
	slices.SortStableFunc(pods, func(a, b *Pod) int { return cmp.Or(cmp.Compare(has(b), has(a)), cmp.Compare(a.Name, b.Name)) })
	text := show.Joined(pods[:min(len(pods), mostHolds)], ", ", func(p *Pod) string {
		return show.Text(FullName(p.Namespace(), p.Name)) + " (" + Amount(s.resources[r], has(p)) + ")"
	})
	if more := len(pods) - mostHolds; more > 0 {
		text += fmt.Sprintf(", %d more", more)
	}
	return text
}

// mends maps the taints that Kubernetes adds to unhealthy nodes to repairs. A suggestion should
// repair the node rather than make the pod tolerate such a taint. A cordoned node needs no repair,
// so its value is "".
var mends = map[string]string{
	NotReady: "make %s ready", Unreachable: "make %s ready", "node.kubernetes.io/disk-pressure": "free disk space on %s",
	"node.kubernetes.io/memory-pressure": "free memory on %s", "node.kubernetes.io/pid-pressure": "end processes on %s",
	"node.kubernetes.io/network-unavailable": "mend the network of %s", "node.kubernetes.io/out-of-service": "bring %s back into service",
	"node.cloudprovider.kubernetes.io/uninitialized": "let the cloud provider initialise %s", "node.cloudprovider.kubernetes.io/shutdown": "start %s",
	"node.kubernetes.io/unschedulable": "",
}

// crowded returns a suggestion for a class that a node rejects because of other pods, on the node
// or in its domain.
func (s *ClusterState) crowded(c *class, why string, n int, owner Owner) Help {
	a, node := s.ask(c), show.Text(s.Nodes[n].Name)
	var topologies []*Topology // topologies whose label the node lacks
	constraint := "topology spread constraint"
	if why == missingDomain {
		for i := range a.spread {
			topologies = append(topologies, a.spread[i].Topology)
		}
	} else if constraint = "pod affinity"; why == lonely {
		for _, t := range a.with {
			topologies = append(topologies, t.Topology)
		}
	}
	if topologies = slices.DeleteFunc(topologies, func(t *Topology) bool { return t.Domain[n] >= 0 }); len(topologies) > 0 {
		keys := show.Joined(topologies, " and ", func(t *Topology) string { return show.Text(t.Key) })
		return Help{Text: "change its " + constraint + " over " + keys + ": " + node + " has no such label", brief: "change its " + constraint, Kubectl: owner.edit()}
	}
	if owner.Kind == "Deployment" && why == tooNear && slices.ContainsFunc(s.pods[n], func(p *Pod) bool { return p.Owner == owner }) {
		return Help{Text: "let a rollout end a pod first, such as the one on " + node + ": maxSurge: 0, maxUnavailable: 1",
			brief: "set maxSurge: 0 in its rollout", Kubectl: owner.edit()}
	}
	switch why {
	case unevenSpread:
		return Help{Text: "allow a larger maxSkew in the topology spread constraint, or free a node in another domain than that of " + node,
			brief: "allow a larger maxSkew", Kubectl: owner.edit()}
	case lonely:
		return Help{Text: "run a pod that its pod affinity asks for in the domain of " + node, brief: "run a pod that it wants near", Kubectl: owner.edit()}
	case notFound:
		return Help{Text: "add a volume for its claim that " + node + " can have", Kubectl: owner.kubectl("describe", "pvc")}
	case tooManyVolumes:
		return Help{Text: "stop a pod with volumes on " + node + ", which cannot attach more", brief: "stop a pod with volumes on " + node, Kubectl: onNode(node)}
	case inUse:
		return Help{Text: "stop the pod that uses its ReadWriteOncePod claim", brief: "stop the pod that uses its claim", Kubectl: owner.kubectl("describe", "pvc")}
	case tooNear:
		return Help{Text: "move the pods that its anti-affinity avoids from the domain of " + node, brief: "move the pods that it avoids", Kubectl: onNode(node)}
	}
	return Help{Text: "move the pods whose anti-affinity avoids it from the domain of " + node, brief: "move the pods that avoid it", Kubectl: onNode(node)}
}

// labels returns a suggestion if the node selector or affinity rejects a node, and
// its kind and change. Labels in the domain kubernetes.io describe the node, so it suggests
// changing the pod instead.
func (s *ClusterState) labels(shape *Shape, node *Node) (why string, kind int, apply change) {
	if shape.Wants(node) {
		return "", 0, nil
	}
	var lacks []string
	own := true
	for _, key := range slices.Sorted(maps.Keys(shape.NodeSelector)) {
		if have, ok := node.Labels[key]; !ok || have != shape.NodeSelector[key] {
			lacks = append(lacks, show.Text(key+"="+shape.NodeSelector[key]))
			domain, _, _ := strings.Cut(key, "/")
			own = own && !strings.HasSuffix(domain, "kubernetes.io")
		}
	}
	labelled := *node
	labelled.Labels = map[string]string{}
	maps.Copy(labelled.Labels, node.Labels)
	maps.Copy(labelled.Labels, shape.NodeSelector)
	switch name := show.Text(node.Name); {
	case len(lacks) > 0 && !shape.Wants(&labelled):
		return "change the node selector " + strings.Join(lacks, " ") + " and the required node affinity, which exclude " + name, 7,
			func(shape *Shape, _ *Node) { shape.NodeSelector, shape.Affinity = nil, nil }
	case len(lacks) == 0:
		return "change the required node affinity, which excludes " + name, 6, func(shape *Shape, _ *Node) { shape.Affinity = nil }
	case !own:
		return "change the node selector " + strings.Join(lacks, " ") + ", which excludes " + name, 6, func(shape *Shape, _ *Node) { shape.NodeSelector = nil }
	default:
		return "label " + name + " " + strings.Join(lacks, " "), 4, func(_ *Shape, node *Node) { node.Labels = labelled.Labels }
	}
}

// short returns a suggestion if a node lacks resources, and the sum of the missing amounts, as
// fractions of the pod's requests.
func (s *ClusterState) short(c *class, n int) (words string, parts float64) {
	var lacks []string
	for r, need := range c.need {
		if lack := need - s.free(n, r); need > 0 && lack > 0 {
			lacks = append(lacks, Amount(s.resources[r], roundedUp(s.resources[r], lack)))
			parts += float64(lack) / float64(need)
		}
	}
	if len(lacks) == 0 {
		return "", 0
	}
	return "free " + strings.Join(lacks, " and ") + " on " + show.Text(s.Nodes[n].Name), parts
}

var byteUnits = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// roundedUp rounds an amount up to tenths of its unit, as [Amount] shows it.
func roundedUp(resource string, amount int64) int64 {
	if resource == Memory || resource == Storage {
		for _, unit := range byteUnits {
			if amount >= unit.bytes {
				tenths := (10*amount + unit.bytes - 1) / unit.bytes
				return (tenths*unit.bytes + 5) / 10
			}
		}
	}
	return amount
}

// Amount formats an amount of a resource for people: 500m CPU, 2 GiB memory.
func Amount(resource string, amount int64) string {
	switch resource {
	case CPU:
		if amount%1000 != 0 {
			return fmt.Sprintf("%dm CPU", amount)
		}
		return show.Count(int(amount/1000), "CPU core")
	case Memory, Storage:
		for _, unit := range byteUnits {
			if amount >= unit.bytes {
				return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(amount)/float64(unit.bytes)), ".0") + " " + unit.name + " " + resource
			}
		}
		return fmt.Sprintf("%d bytes %s", amount, resource)
	case Pods:
		return "room for " + show.Count(int(amount), "pod")
	}
	return fmt.Sprintf("%d %s", amount, show.Text(resource))
}
