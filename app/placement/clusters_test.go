//go:build !js

package placement

import (
	"slices"
	"strings"
	"testing"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/input/format"
	_ "berth/engine/kinds"
	"berth/engine/placement/placementkind"
	"berth/examples"
)

// clusters opens the example of a shop on three clusters.
func clusters(t *testing.T) *bench {
	t.Helper()
	b := open(t)
	i := slices.IndexFunc(examples.List(), func(e examples.Example) bool { return e.Name == "clusters" })
	b.Opening.GiveWay("open", inputsOf(&examples.List()[i].Scenario))
	b.wantDone()
	return b
}

// The user can open a cluster: each node shows its free room, its taints and the pods placed there,
// and a press asks what a drain of it changes.
func TestNodesOfACluster(t *testing.T) {
	b := clusters(t)
	if got := len(b.picture.clusters); got != 3 {
		t.Fatalf("%d clusters are listed, want 3", got)
	}
	row := slices.IndexFunc(b.result.report(b.shown).Clusters, func(c placementkind.ClusterState) bool { return c.Cluster == "milan" })
	b.nodes.clusterTable().(*ui.Table).OnRow(b.Page, row)
	b.nodes.hosts()
	b.settle()
	if got := b.nodes.clusterTable().(*ui.Table).Selected; got != row+1 {
		t.Errorf("row %d is selected, want %d", got, row+1)
	}
	h := b.nodes.hosts().Answer
	if h == nil {
		t.Fatalf("no nodes: %s", b.nodes.hosts().Problem)
	}
	gpu := slices.IndexFunc(h.Hosts, func(x placementkind.Host) bool { return x.Name == "milan-gpu" })
	at := slices.Index(h.Resources, "nvidia.com/gpu")
	if gpu < 0 || at < 0 || h.Hosts[gpu].Amounts[at] != (placementkind.HostAmount{Has: 1, Free: 0}) {
		t.Fatalf("the GPU of milan is not taken: %v of %+v", h.Resources, h.Hosts)
	}
	if jobs := jobsText(h.Hosts[gpu].Jobs); !strings.Contains(jobs, "image-tagger") {
		t.Errorf("on the node with the GPU stands %q", jobs)
	}
	if state := stateText(&h.Hosts[gpu]); !strings.Contains(state, "NoSchedule") {
		t.Errorf("its state is %q", state)
	}
	b.nodes.toggleDrain(h, gpu)
	b.wantDone()
	if got := b.Inputs.options.WhatIf; !slices.Equal(got, []string{"drain milan/milan-gpu"}) {
		t.Fatalf("asked is %q", got)
	}
	if x := b.picture.change; x == nil || x.Deployments[0].Cost.After.Total.Defined() || !strings.Contains(x.Deployments[0].Refused[0].Why, "nvidia.com/gpu") {
		t.Errorf("without the GPU: %+v", x)
	}
	b.nodes.hosts()
	b.settle()
	if got := stateText(&b.nodes.hosts().Answer.Hosts[gpu]); !strings.Contains(got, "unschedulable") {
		t.Errorf("the drained node is %q", got)
	}
	b.nodes.toggleDrain(h, gpu)
	b.settle()
	if b.Inputs.options.WhatIf != nil {
		t.Errorf("taken back, but %q is asked", b.Inputs.options.WhatIf)
	}
}

// Inferred dependencies can be disabled and given bounds one by one. An empty choice is not stored.
func TestInferredDependencies(t *testing.T) {
	b := clusters(t)
	before := b.Inputs.scenario().Hash()
	if len(b.forms.guesses()) != 10 || !strings.Contains(b.forms.guesses()[0].Why, "environment") {
		t.Fatalf("inferred are %+v", b.forms.guesses())
	}
	first := &b.forms.guesses()[0]
	latency := 5.0
	b.Edit("bound", func(in *inputs) { in.choose(first, func(c *format.Choice) { c.Latency = &latency }) })
	b.Edit("off", func(in *inputs) { in.choose(first, func(c *format.Choice) { c.Off = true }) })
	b.wantDone()
	if x := b.forms.guesses()[0]; !x.Off || x.Latency == nil || *x.Latency != 5 {
		t.Errorf("the first one is %+v", x)
	}
	if got := placementkind.ReportOf(b.result.first.Report).Deployments[0].Dependencies; got != 13 {
		t.Errorf("%d dependencies count, want 13", got)
	}
	b.Edit("as before", func(in *inputs) {
		in.choose(first, func(c *format.Choice) { c.Off, c.Latency = false, nil })
	})
	if got := b.Inputs.scenario().Hash(); got != before {
		t.Error("choices of nothing make another scenario")
	}
}

// Several files of nodes are kept together, also with a graph of prices. A file with nodes and
// workloads counts as both, and a file with the same name replaces the old one.
func TestManifestsAreSortedIn(t *testing.T) {
	const nodes = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: \"4\", memory: 8Gi, pods: \"10\"}}\n"
	const workload = "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: c, resources: {requests: {cpu: \"1\", memory: 1Gi}}}]}}}\n"
	b := open(t)
	b.choose(anywhere, lab.TextSource("eu.yaml", nodes+workload))
	b.choose(anywhere, lab.TextSource("us.yaml", nodes))
	b.choose(anywhere, lab.TextSource("prices.dot", "graph { eu [cpu_cost=2]; us [cpu_cost=1] }"))
	b.choose(anywhere, lab.TextSource("us.yaml", nodes))
	b.wantDone()
	var files []string
	for _, g := range b.Inputs.files {
		files = append(files, g.Name)
	}
	if want := []string{"eu.yaml", "us.yaml", "prices.dot"}; !slices.Equal(files, want) {
		t.Errorf("the federation is of %q, want %q", files, want)
	}
	if got := names(b.Inputs); !slices.Equal(got, []string{"eu-workloads.yaml"}) {
		t.Errorf("the deployments are %q", got)
	}
	if got := b.cells(); got != "web→us" {
		t.Errorf("placed %q", got)
	}
	if in := inputsOf(new(b.Inputs.scenario())); len(in.files) != 3 || in.scenario().Hash() != b.Inputs.scenario().Hash() {
		t.Errorf("a link or a draft has %d files", len(in.files))
	}
	prices := func() (kept bool) {
		return slices.ContainsFunc(b.Inputs.files, func(g *lab.Source) bool { return g.Name == "prices.dot" })
	}
	b.choose(federation, lab.TextSource("us.json", nodes), lab.TextSource("eu.json", nodes))
	if in := b.Inputs; len(in.files) != 3 || !prices() {
		t.Errorf("%d files follow the nodes of the same clusters, with prices: %v", len(in.files), prices())
	}
	b.choose(anywhere, lab.TextSource("us.yaml", nodes))
	if in := b.Inputs; len(in.files) != 3 || in.files[0].Name != "us.yaml" {
		t.Errorf("%d files, the first is %q", len(in.files), in.files[0].Name)
	}
	b.uploads.removeSource(-1)
	if b.Inputs.files[0].Name != "eu.json" || b.Inputs.at(-2).Name != "prices.dot" {
		t.Error("the second file does not follow the first")
	}
	b.choose(federation, lab.TextSource("asia.yaml", nodes))
	if prices() {
		t.Error("prices of other clusters are kept")
	}
}
