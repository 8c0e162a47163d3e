package manifest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/show"
)

// labelsBy maps the short names that --cluster-by accepts to node labels.
var labelsBy = map[string][]string{
	"":       nil, // all nodes are in one cluster
	"region": {"topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"},
	"zone":   {"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"},
}

// ReadFederation reads the nodes of a file with their pods as one cluster named after
// the file, or as one cluster for each value of the label options.ClusterBy. It also
// reads Karmada's Clusters, for which only the total resources are known.
func ReadFederation(file string, text []byte, options format.Options) (*format.Federation, diag.List) {
	o := readObjects(file, text, options)
	if len(o.nodes)+len(o.later["Cluster"]) == 0 && o.source.count[diag.Error] == 0 {
		o.source.whole(diag.Error, noNodes)
	}
	f := &format.Federation{Federation: graph.NewFederation()}
	o.karmada(f)
	o.clustersOf(f, file, options.ClusterBy)
	if err := f.Measure(); err != nil {
		o.source.whole(diag.Error, diag.Invalid, err)
	}
	for _, u := range o.unread {
		u.File = o.source.file
		f.Unhonoured = append(f.Unhonoured, u)
	}
	found := o.source.diagnostics()
	if len(found.Errors()) > 0 {
		return nil, found
	}
	return f, found
}

// clusterName returns the cluster name for a file: NAME for NAME=FILE, otherwise the
// file name without folder and extension.
func clusterName(file string) string {
	if cluster, _, named := format.Named(file); named {
		return cluster
	}
	base := strings.TrimSuffix(baseName(file), ".gz")
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	return base
}

// clustersOf groups the nodes and their pods into clusters.
func (o *objects) clustersOf(f *format.Federation, file, by string) {
	places := map[string]*kube.Cluster{} // by node
	var unlabelled int
	keys, short := labelsBy[by]
	if !short {
		keys = []string{by}
	}
	for i := range o.nodes {
		n := &o.nodes[i]
		value := n.Label(keys)
		name := cmp.Or(value, clusterName(file))
		if by != "" && value == "" {
			unlabelled++
		}
		_, m := f.AddManifest(name)
		if m.Nodes == nil {
			m.Nodes = &kube.Cluster{Name: name, Objects: o.around}
		}
		if by != "" {
			m.Part = file
		}
		places[n.Name] = m.Nodes
		m.Nodes.Nodes = append(m.Nodes.Nodes, *n)
	}
	if unlabelled > 0 {
		o.source.whole(diag.Warning, unlabelledNodes, show.Count(unlabelled, "node"), show.Text(by), show.Verb(unlabelled, "is", "are"), show.Quote(clusterName(file)))
	}
	lost, shared := 0, shapes{}
	for i := range o.pods {
		p := &o.pods[i]
		c := places[p.node.text()]
		if c == nil {
			lost++
			continue
		}
		c.Pods = append(c.Pods, &kube.Pod{
			Name: p.name.name, Shape: o.liveShape(p, shared), On: p.node.text(), Owner: p.owner,
			Ending: p.meta.at("deletionTimestamp").there(),
		})
	}
	o.complete(shared)
	if lost > 0 && len(o.nodes) > 0 {
		o.source.whole(diag.Warning, lostPods, show.Count(lost, "pod"), show.Verb(lost, "is", "are"))
	}
	for i := range o.daemons {
		daemon := o.daemon(&o.daemons[i])
		for _, c := range f.Listed() {
			c.Daemons = append(c.Daemons, daemon)
		}
	}
}

// karmada reads Karmada's Clusters. The free capacity is allocatable minus allocated
// and allocating.
func (o *objects) karmada(f *format.Federation) {
	o.each("Cluster", func(k *object) {
		c, m := f.AddManifest(k.name.name)
		summary := k.in("status", "resourceSummary")
		if !summary.there() {
			k.wrong(noSummary)
			return
		}
		room := resourcesOf(summary.at("allocatable"))
		allocated, allocating := resourcesOf(summary.at("allocated")), resourcesOf(summary.at("allocating"))
		for resource := range room {
			room[resource] = max(0, room[resource]-allocated[resource]-allocating[resource])
		}
		m.Taints, m.Labels = o.taints(k), map[string]string{}
		maps.Copy(m.Labels, k.in("metadata", "labels").textMap())
		for _, field := range []string{"provider", "region", "zone"} {
			if value := k.in("spec", field).text(); value != "" {
				m.Labels[field] = value
			}
		}
		if notReady(k) {
			room = kube.Resources{kube.CPU: 0, kube.Memory: 0}
		}
		if err := f.SetAmounts(c, room); err != nil {
			k.wrong(diag.Invalid, err)
		}
		o.describe(f, c, k)
	})
}

// notReady warns about a member cluster that is not ready, and reports whether it is not. Such a
// cluster takes no jobs.
func notReady(k *object) bool {
	for _, condition := range k.in("status", "conditions").items() {
		if condition.at("type").text() == "Ready" && condition.at("status").text() != "True" {
			condition.report(diag.Warning, clusterNotReady)
			return true
		}
	}
	return false
}

// taints returns the taints of a member cluster and notes the first one that repels
// jobs.
func (o *objects) taints(k *object) []kube.Taint {
	at := k.in("spec", "taints")
	taints := taintsOf(at)
	if repel, _ := kube.Untolerated(taints, nil); repel != nil {
		at.report(diag.Note, clusterTaint, show.Text(repel[0].String()))
	}
	return taints
}

// describe appends the provider, region and zones to the displayed name of a cluster.
func (o *objects) describe(f *format.Federation, c int, k *object) {
	spec := k.at("spec")
	words := []string{spec.at("provider").text(), spec.at("region").text(), cmp.Or(spec.at("zone").text(), strings.Join(spec.at("zones").texts(), " "))}
	words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	if len(words) > 0 {
		f.Clusters().SetName(c, k.name.name+" ("+strings.Join(words, ", ")+")")
	}
}
