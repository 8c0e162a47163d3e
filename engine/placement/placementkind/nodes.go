package placementkind

import (
	"encoding/binary"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/figure"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/placement"
	"berth/engine/show"
)

// nodeFit packs the pods of jobs onto the nodes of clusters, and keeps jobs off clusters with
// taints that they do not tolerate. It numbers the jobs of all deployments as groups.
type nodeFit struct {
	members []format.Member           // by cluster; shorter if the last clusters have neither nodes nor taints
	bears   [][]kube.Toleration       // by group: its tolerations of cluster taints
	packers []*kube.Packer            // by cluster; nil if only its total amounts are known
	first   map[*graph.Deployment]int // first group of each deployment
	pods    []bool                    // by group: whether its pods are known
	awaited []bool                    // by group: whether other pods may need its pods on their cluster
	answers map[string]blocked        // cache of refusals
}

// blocked is the answer of [placement.Nodes.Refusal].
type blocked struct {
	why    string
	proved bool
}

// maxAnswers limits the cache of refusals.
const maxAnswers = 100_000

// newNodeFit returns nil if no cluster has nodes or taints.
func newNodeFit(f *format.Federation, deployments []format.Deployment) *nodeFit {
	fit := &nodeFit{members: f.Members, first: map[*graph.Deployment]int{}, answers: map[string]blocked{}}
	var groups []kube.Group
	for _, d := range deployments {
		fit.first[d.Deployment] = len(groups)
		for i := range d.Jobs().Len() {
			group := kube.Group{Shape: &kube.Shape{}}
			var bears []kube.Toleration
			if d.Pods != nil {
				group, bears = d.Pods[i].Group, d.Pods[i].Tolerations
			}
			fit.bears = append(fit.bears, bears)
			groups = append(groups, group)
			fit.pods = append(fit.pods, d.Pods != nil)
		}
	}
	fit.awaited = make([]bool, len(groups))
	known := false
	for i := range f.Clusters().Len() {
		var p *kube.Packer
		if nodes := f.NodesOf(i); nodes != nil {
			p, known = kube.NewPacker(nodes, groups, 0), true
		}
		fit.packers = append(fit.packers, p)
	}
	if known {
		fit.await(f, groups)
	}
	if !known && !slices.ContainsFunc(f.Members, func(m format.Member) bool { return len(m.Taints) > 0 }) {
		return nil
	}
	return fit
}

// await finds the groups whose pods others may need: pods of jobs, or pods that have lost their
// node.
func (f *nodeFit) await(federation *format.Federation, groups []kube.Group) {
	all := slices.Clone(groups)
	for _, nodes := range federation.Listed() {
		all = append(all, nodes.Evicted...)
	}
	for g, one := range all {
		if len(one.Shape.With)+len(one.Shape.Spread) == 0 {
			continue
		}
		for h := range groups {
			f.awaited[h] = f.awaited[h] || g != h && one.Shape.Leans(groups[h].Shape)
		}
	}
}

// Awaited implements [placement.Nodes].
func (f *nodeFit) Awaited(job placement.Occupant) bool { return f.awaited[f.group(job)] }

// group returns the group of a job. An unknown deployment must be the union of all deployments,
// with jobs in the same order.
func (f *nodeFit) group(job placement.Occupant) int { return f.first[job.Deployment] + int(job.Job) }

// Refusal implements [placement.Nodes].
func (f *nodeFit) Refusal(cluster int, jobs, later []placement.Occupant) (why string, proved bool) {
	if cluster < len(f.members) {
		for _, job := range jobs {
			if repel, _ := kube.Untolerated(f.members[cluster].Taints, f.bears[f.group(job)]); repel != nil {
				return "cluster(s) had untolerated taint {" + repel[0].String() + "}", true
			}
		}
	}
	if f.packers[cluster] == nil {
		return "", true
	}
	key, groups := f.key(cluster, jobs)
	more, coming := f.key(cluster, later)
	key += more
	told, known := f.answers[key]
	if !known {
		result := f.packers[cluster].Pack(groups, coming...)
		told = blocked{result.Reason, result.Verdict != kube.Unknown}
		if len(f.answers) == maxAnswers {
			clear(f.answers)
		}
		f.answers[key] = told
	}
	return told.why, told.proved
}

// key returns the cache key of a question and its groups in ascending order, so that the order of
// jobs does not affect the answer.
func (f *nodeFit) key(cluster int, jobs []placement.Occupant) (string, []int) {
	var groups []int
	for _, job := range jobs {
		if g := f.group(job); f.pods[g] {
			groups = append(groups, g)
		}
	}
	slices.Sort(groups)
	key := binary.AppendUvarint(nil, uint64(cluster))
	key = binary.AppendUvarint(key, uint64(len(groups)))
	for _, g := range groups {
		key = binary.AppendUvarint(key, uint64(g))
	}
	return string(key), groups
}

// joinNodes removes the pods of the jobs themselves from the nodes, adds the daemons of the
// deployments, and reports clusters with only total amounts.
func (r *graphReader) joinNodes() {
	own := map[kube.Owner]bool{}
	for _, d := range r.e.world.deployments {
		for _, pods := range d.Pods {
			own[pods.Owner] = true
		}
	}
	r.around()
	aggregate := 0
	for i := range r.e.world.federation.Clusters().Len() {
		nodes := r.e.world.federation.NodesOf(i)
		if nodes == nil {
			if r.e.world.federation.Member(i).Manifest || len(r.e.world.federation.Members) > 0 {
				aggregate++
			}
			continue
		}
		tolerate(nodes, r.e.world.deployments)
		nodes.Pods = slices.DeleteFunc(nodes.Pods, func(p *kube.Pod) bool { return own[p.Owner] })
		for _, d := range r.e.world.deployments {
			nodes.Objects.Add(&d.Around)
			for _, daemon := range d.Daemons {
				if !slices.ContainsFunc(nodes.Daemons, func(x kube.Daemon) bool { return x.Owner == daemon.Owner }) {
					nodes.Daemons = append(nodes.Daemons, daemon)
				}
			}
		}
	}
	if err := r.e.world.federation.Measure(); err != nil {
		r.found.Wrong("placement.federation", err)
	}
	reach := &topologies{r.e.world, map[string]bool{}}
	reach.propagate()
	reach.span()
	r.e.world.nodes = newNodeFit(r.e.world.federation, r.e.world.deployments)
	if aggregate > 0 {
		r.note(onlyTotals, show.Count(aggregate, "cluster"))
	}
	r.e.world.federation.FillPrices(false)
	if unpriced := r.e.world.unpriced(); len(unpriced) > 0 {
		r.note(unknownCost, pricesMissing(unpriced), dot.Quote(unpriced[0]))
	}
}

// around adds namespace labels and RuntimeClass overheads from the files of clusters to the pods.
// It reports namespaces, RuntimeClasses and volumes that are in no file.
func (r *graphReader) around() {
	all := kube.Objects{}
	for _, d := range r.e.world.deployments {
		all.Add(&d.Around)
	}
	for _, nodes := range r.e.world.federation.Listed() {
		all.Add(&nodes.Objects)
	}
	byNamespace := false
	run := map[*kube.Shape]bool{} // shapes to which their RuntimeClass has been applied
	for i := range r.e.world.deployments {
		d := &r.e.world.deployments[i]
		for job, g := range d.Pods {
			if g.Shape.Namespaced == nil {
				g.Shape.Namespaced = all.Namespaces[g.Shape.Namespace]
			}
			byNamespace = byNamespace || g.Shape.ByNamespace()
			missing := func(field string, line int, says string) {
				one := format.Unhonoured{Object: g.Owner.Kind + "/" + g.Owner.Name, Field: field, Says: says, Line: line}
				d.Unhonoured = append(d.Unhonoured, one)
				if r.e.document.Strict {
					r.say(diag.Warning, d.Name, "", notHonoured, one)
				}
			}
			if x := &g.Shape.Runtime; x.Name != "" && !r.runsAs(d, job, &all, run) {
				missing(x.Field, x.Line, "the RuntimeClass is in no file: its overhead and its node selector are unknown")
			}
			for k := range g.Shape.Uses {
				if u := &g.Shape.Uses[k]; all.Missing(u) != "" {
					missing(u.Field, u.Line, all.Missing(u))
				}
			}
		}
		for _, u := range r.e.world.federation.Unhonoured {
			if d.Pods != nil && !slices.Contains(d.Unhonoured, u) {
				d.Unhonoured = append(d.Unhonoured, u)
			}
		}
	}
	if byNamespace && len(all.Namespaces) == 0 {
		r.note(noNamespaces)
	}
}

// runsAs applies the RuntimeClass of a job's pods. It returns false if no file has the class.
func (r *graphReader) runsAs(d *format.Deployment, job int, all *kube.Objects, run map[*kube.Shape]bool) bool {
	s := d.Pods[job].Shape
	class, known := all.Runtimes[s.Runtime.Name]
	if !known {
		return false
	}
	if !run[s] { // jobs may share a shape
		s.RunsAs(&class, true)
		run[s] = true
	}
	if err := format.SetRequests(d.Jobs(), job, s.Requests, s.Limits, d.Pods[job].Pods); err != nil {
		r.found.Wrong("placement.deployments", err)
	}
	return true
}

// tolerate marks the closed nodes that some job tolerates.
func tolerate(c *kube.Cluster, deployments []format.Deployment) {
	for n := range c.Nodes {
		node := &c.Nodes[n]
		for _, d := range deployments {
			node.Tolerated = node.Tolerated || node.Shut() != "" && slices.ContainsFunc(d.Pods, func(g format.Pods) bool { return g.Shape.Takes(node) })
		}
	}
}

// priced reports whether costs are known: all clusters have prices.
func (w *world) priced() bool { return len(w.federation.Unpriced()) == 0 }

// costOf returns the number of placed deployments and their total cost. The cost is undefined if
// none is placed or prices are missing.
func (w *world) costOf(solutions ...placement.Solution) (placed int, c Cost) {
	c = cost(0, 0)
	for i := range solutions {
		if s := &solutions[i]; s.Complete() {
			placed++
			c = cost(c.Node+figure.Number(s.NodeCost), c.Link+figure.Number(s.LinkCost))
		}
	}
	if placed == 0 || !w.priced() {
		return placed, NoCost
	}
	return placed, c
}

// unpriced returns the ids of the clusters without prices; nil if there is nothing to place.
func (w *world) unpriced() []string {
	var ids []string
	if len(w.deployments) == 0 {
		return nil
	}
	for _, i := range w.federation.Unpriced() {
		ids = append(ids, w.federation.Clusters().ID(i))
	}
	return ids
}

// mostFree is the largest number of clusters for which missing links are added.
const mostFree = 200

// amounts looks for resources that jobs request but clusters do not mention, although they may have
// them. If no cluster mentions a resource, it reports a warning, or an error if the format could
// omit amounts. It skips extended resources, which are rare, and nodes, which list all their
// resources.
func (r *graphReader) amounts() {
	f := r.e.world.federation
	clusters := f.Clusters()
	var names []string
	without := map[int]bool{}
	for _, demand := range graph.Labels(graph.Job) {
		supply := demand.Host()
		if supply == nil || graph.IsExtended(demand.Name) || !slices.ContainsFunc(r.e.world.deployments, func(d format.Deployment) bool { return requests(d.Jobs(), demand) }) {
			continue
		}
		missing := 0
		for i := range clusters.Len() {
			if !clusters.Has(supply, i) && f.NodesOf(i) == nil {
				missing++
				without[i] = true
			}
		}
		if missing == clusters.Len() {
			one := diag.Diagnostic{File: r.e.document.Federation.Name, Severity: diag.Warning, Code: amountsOfNone, Args: []any{supply.Name, dot.Quote(supply.Fields[0].Attrs[0])}}
			if f.Sparse {
				one.Severity = diag.Error
			}
			r.e.diagnostics = append(r.e.diagnostics, one)
		} else if missing > 0 {
			names = append(names, supply.Name)
		}
	}
	if len(names) > 0 {
		r.note(amountsOfSome, show.Count(len(without), "cluster"), show.Verb(len(without), "does", "do"), strings.Join(names, " or "))
	}
}

// noRequests adds a note for each deployment whose jobs have no requests.
func (r *graphReader) noRequests() {
	for _, d := range r.e.world.deployments {
		if !slices.ContainsFunc(graph.Labels(graph.Job), func(l *graph.LabelType) bool { return l.Kind == graph.Demand && requests(d.Jobs(), l) }) {
			r.e.diagnostics = append(r.e.diagnostics, diag.Diagnostic{File: d.Name, Severity: diag.Note, Code: jobsOfNothing})
		}
	}
}

// requests reports whether a job requests more than 0 of a resource.
func requests(jobs *graph.Elements, demand *graph.LabelType) bool {
	return slices.ContainsFunc(jobs.Column(demand, 0), func(amount float64) bool { return amount > 0 })
}

// linkFreely adds links between clusters from manifests if no file has one. Manifests cannot
// express links, so missing links impose no constraint and cost nothing.
func (r *graphReader) linkFreely() {
	f := r.e.world.federation
	if f.Center() >= 0 || r.e.document.Center != "" || r.e.document.ShortestPaths || f.Routed || len(f.Members) > mostFree {
		return
	}
	free := []graph.Label{
		{Type: graph.Lookup(graph.Link, "latency"), Values: []float64{0, 0}},
		{Type: graph.Lookup(graph.Link, "bandwidth"), Values: []float64{graph.MaxFigure, 0}},
	}
	missing := 0
	for a := range f.Members {
		for b := range a {
			if _, linked := f.Link(a, b); !linked && f.Members[a].Manifest && f.Members[b].Manifest {
				f.AddLink(b, a, free...)
				missing++
			}
		}
	}
	if missing > 0 {
		r.note(freePairs, show.Count(missing, "pair"))
	}
}

// note adds a note about the whole federation.
func (r *graphReader) note(code *diag.Code, args ...any) {
	r.e.diagnostics = append(r.e.diagnostics, diag.Diagnostic{File: r.e.document.Federation.Name, Severity: diag.Note, Code: code, Args: args})
}
