//go:build !js

package placement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/kube"
	"berth/engine/placement/placementkind"
)

// dumpOf is a dump of two zones with a running pod and a pending pod.
const dumpOf = `
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {topology.kubernetes.io/zone: a}}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2, labels: {topology.kubernetes.io/zone: b}}
spec: {unschedulable: true}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: n3, labels: {topology.kubernetes.io/zone: b}}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: small, labels: {pod-template-hash: abc}, ownerReferences: [{kind: ReplicaSet, name: small-abc, controller: true}]}
spec: {nodeName: n1, containers: [{name: c, resources: {requests: {cpu: "1", memory: 1Gi}}}]}
status: {phase: Running}
---
apiVersion: v1
kind: Pod
metadata: {name: large}
spec: {containers: [{name: c, resources: {requests: {cpu: "6", memory: 1Gi}}}]}
`

// A dump without a deployment opens with its nodes and the reason of the pending pod. A press
// drains a node, and the next one reverts that.
func TestADumpOpensOnItsNodes(t *testing.T) {
	b := open(t)
	b.choose(anywhere, lab.TextSource("eu.yaml", dumpOf))
	b.wantDone()
	if len(b.Inputs.deployments) != 0 || b.picture.pictureView() != nodesView {
		t.Fatalf("%d deployments, view %q", len(b.Inputs.deployments), b.picture.pictureView())
	}
	page := func() string { return app.HTMLString(b.picture.resultPane()) }
	html := page()
	if got := b.sentence(); !strings.HasPrefix(got, "1 pod stays pending: ") || b.Status().Message != got || !strings.Contains(html, got) {
		t.Errorf("the headline is %q, the foot says %q", got, b.Status().Message)
	}
	for word, want := range map[string]int{`data-testid="cluster-node"`: 3, `data-testid="pending-workload"`: 1, "cordoned": 1, "a · 1 node": 1, "b · 2 nodes": 1, "Would help: ": 1} {
		if got := strings.Count(html, word); got != want {
			t.Errorf("%q is there %d times, want %d", word, got, want)
		}
	}
	b.nodes.pressNode("n1")
	b.settle()
	html = page()
	if !b.clusterAsk.drains("n1") || !strings.Contains(html, "drained") || !strings.Contains(html, "+1 pod") || !strings.Contains(b.sentence(), "finds a node") {
		t.Errorf("%q after a drain: %s", b.sentence(), html)
	}
	if card := app.HTMLString(b.why.whyCard()); !strings.Contains(card, "Where do the pods go?") || !strings.Contains(card, "n3") {
		t.Errorf("the card: %s", card)
	}
	b.nodes.pressNode("n1")
	b.settle()
	if html = page(); strings.Contains(html, "+1 pod") || !strings.HasPrefix(b.sentence(), "1 pod stays pending: ") {
		t.Errorf("%q after the drain was taken back", b.sentence())
	}
	again := inputsOf(new(b.Inputs.scenario()))
	if !again.alone() || again.scenario().Hash() != b.Inputs.scenario().Hash() {
		t.Error("a link to the dump opens something else")
	}
	b.choose(anywhere, lab.TextSource("app.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: c, resources: {requests: {cpu: 100m, memory: 1Gi}}}]}}}\n"))
	b.wantDone()
	if got := b.cells(); got != "web→eu" || b.picture.pictureView() == nodesView {
		t.Errorf("with a deployment: placed %q, view %q", got, b.picture.pictureView())
	}
}

// Panes about placements are empty for a dump alone, and do not fail.
func TestADumpAloneInTheWorkbench(t *testing.T) {
	b := open(t)
	b.choose(anywhere, lab.TextSource("eu.yaml", dumpOf))
	b.Stage.Work("result")
	b.settle()
	for name, do := range map[string]func(){
		"compare": b.comparison.compareOnStage, "another strategy": func() { b.picture.show(1) }, "step": func() { b.why.stepWhy(1) }, "draw": b.picture.draw,
		"another view": func() { b.picture.selectView(b.Page, "result") }, "improve": b.searches.improve, "why": func() { b.why.openWhy(0, 0) }, "pin": b.Pins.Toggle,
		"drain by name": func() { b.clusterAsk.node = "n3"; b.clusterAsk.askAbout(placementkind.AskDrain) },
	} {
		do()
		b.settle()
		if html := app.HTMLString(b.Render()); !strings.Contains(html, "cluster-node") || b.picture.problem+b.why.problem+b.Complaint != "" {
			t.Errorf("%s: %s %s %s", name, b.picture.problem, b.why.problem, b.Complaint)
		}
	}
}

// A dump with workloads also opens with its nodes on the stage; the workbench places the workloads.
func TestADumpWithWorkloads(t *testing.T) {
	b := open(t)
	b.choose(anywhere, lab.TextSource("eu.yaml", dumpOf+"---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: small}\nspec: {template: {spec: {containers: [{name: c, resources: {requests: {cpu: 100m, memory: 1Gi}}}]}}}\n"))
	b.wantDone()
	if !b.Stage.OnStage() || b.picture.pictureView() != nodesView || b.nodes.said() == nil {
		t.Errorf("on the stage %v, view %q, answer %v", b.Stage.OnStage(), b.picture.pictureView(), b.nodes.said())
	}
	b.clusterAsk.askAbout(placementkind.AskRollout)
	b.settle()
	if got := b.sentence(); got != "The rollout of small ends in 2 rounds: all new pods run." || b.clusterAsk.supposed() != "rollout" {
		t.Errorf("a rollout: %q", got)
	}
	b.Stage.Work("result")
	if b.picture.pictureView() == nodesView || !strings.Contains(b.sentence(), "placed") {
		t.Errorf("view %q on the workbench: %s", b.picture.pictureView(), b.sentence())
	}
}

// If there are many nodes, a few have bars, and each has a cell.
func TestManyNodesAreCells(t *testing.T) {
	all := make([]kube.NodeUse, 5000)
	for i := range all {
		all[i] = kube.NodeUse{Cluster: "eu", Name: fmt.Sprintf("n%04d", i), Group: string('a' + rune(i%3)), Resource: "cpu", Used: i % kube.Full, Pods: []int{i % kube.Full}}
	}
	all[4998].Arrived, all[4995].Closed = []int{5}, "cordoned"
	groups := nodeGroups(all)
	bars, left, cells := 0, 0, 0
	for _, g := range groups {
		bars, left, cells = bars+len(g.nodes), left+g.left, cells+strings.Count(string(g.cells), "h8v8")
	}
	if len(groups) != 3 || bars != mostBars || bars+left != 5000 || cells != 5000 {
		t.Errorf("%d groups, %d bars, %d nodes left, %d cells", len(groups), bars, left, cells)
	}
	if n := groups[0].nodes; n[0].Name != "n4998" || n[1].Name != "n4995" || n[2].Name != "n0000" {
		t.Errorf("the first nodes are %s, %s and %s", n[0].Name, n[1].Name, n[2].Name)
	}
	if few := nodeGroups(all[:30]); few[0].cells != "" || few[0].left != 0 {
		t.Error("few nodes have cells")
	}
}

// The number of texts about pending pods is limited; the table has the others.
func TestMuchWaits(t *testing.T) {
	b := open(t)
	html := app.HTMLString(b.nodes.waitingList(make([]placementkind.Waiting, mostWaiting+3)))
	if strings.Count(html, "pending-workload\"") != 2*mostWaiting || !strings.Contains(html, "3 more workloads") {
		t.Errorf("the list: %s", html)
	}
}
