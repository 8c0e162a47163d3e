//go:build !js

package placement

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement/placementkind"
)

// The cluster answers questions about its own pods: which are pending, where the pods of a drained
// node go by name, and which nodes can be emptied. A question that cannot be asked says why.
func TestAskTheCluster(t *testing.T) {
	b := clusters(t)
	if lines := b.whatIf.shownReport().Deployments[0].WouldLines(); len(lines) != 3 || !strings.Contains(lines[0], "kube-scheduler leaves 1 of 24 pods pending") || !strings.HasPrefix(lines[2], "they fit if ") {
		t.Errorf("what the scheduler would do: %q", lines)
	}
	answer := func(action, node string) string {
		b.clusterAsk.node = node
		b.clusterAsk.askAbout(action)
		b.settle()
		if b.clusterAsk.problem != "" {
			return b.clusterAsk.problem
		}
		text := b.clusterAsk.answer.Headline
		for _, row := range b.clusterAsk.rows {
			text += "\n"
			for _, cell := range row.Cells {
				text += cell.Text + "|"
			}
		}
		return text
	}
	if got := answer(placementkind.AskPending, ""); got != "No pod is pending." {
		t.Errorf("pending: %s", got)
	}
	got := answer(placementkind.AskDrain, "frankfurt/frankfurt-1")
	if !strings.Contains(got, "1|") || !strings.Contains(got, "|frankfurt-1|frankfurt-") {
		t.Errorf("drain: %s", got)
	}
	if got := answer(placementkind.AskConsolidate, ""); !strings.Contains(got, "node") {
		t.Errorf("consolidate: %s", got)
	}
	for node, want := range map[string]string{"": "Enter the name of a node.", "nowhere": "there is no node"} {
		if got := answer(placementkind.AskDrain, node); !strings.Contains(got, want) {
			t.Errorf("drain of %q: %s, want %s", node, got, want)
		}
	}
}

// The answer says what a dump lacks.
func TestWhatADumpLacks(t *testing.T) {
	b := open(t)
	b.choose(federation, lab.TextSource("eu.yaml", `
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "1", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: a, ownerReferences: [{kind: ReplicaSet, name: a, controller: true}]}
spec: {nodeName: n1, containers: [], affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: {}, namespaceSelector: {matchLabels: {team: a}}}]}}}
status: {phase: Running}
`))
	b.choose(deployments, lab.TextSource("app.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: c, resources: {requests: {cpu: 100m, memory: 1Gi}}}]}}}\n"))
	b.settle()
	b.clusterAsk.node = "n1"
	for action, words := range map[string][]string{placementkind.AskPending: {"get namespaces, too"}, placementkind.AskDrain: {"get poddisruptionbudgets, too", "get namespaces, too"}} {
		b.clusterAsk.askAbout(action)
		b.settle()
		details := strings.Join(b.clusterAsk.answer.Details, "\n")
		for _, word := range words {
			if !strings.Contains(details, word) {
				t.Errorf("%s: no %q in %q", action, word, details)
			}
		}
	}
}

// The pools of the page are part of the scenario. The cheapest nodes are found in them, pod by pod,
// and a what-if adds nodes of a pool.
func TestPools(t *testing.T) {
	b := open(t)
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: \"1\", memory: 8Gi, pods: \"10\"}}\n"
	const waits = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: large}\nspec: {containers: [{name: c, resources: {requests: {cpu: \"3\", memory: 1Gi}}}]}\n"
	b.choose(federation, lab.TextSource("eu.yaml", node+waits))
	b.choose(deployments, lab.TextSource("app.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: c, resources: {requests: {cpu: \"4\", memory: 1Gi}}}]}}}\n"))
	b.settle()
	b.forms.addPool()
	b.forms.addPool()
	b.settle()
	rows := func() int { return strings.Count(app.HTMLString(b.forms.poolsTable()), `data-testid="pool-row"`) }
	if got := b.Inputs.options.Pools; rows() != 2 || got[0].Type != "pool-1" || got[1].Type != "pool-2" {
		t.Fatalf("%d rows of %+v", rows(), got)
	}
	set := func(column, text string) {
		for k := range poolRows().Columns {
			if c := &poolRows().Columns[k]; c.Key == column {
				b.Form.SetOption(poolRows().ID(1, column), column, text, poolRows().Setter(1, c))
			}
		}
		b.settle()
	}
	for column, text := range map[string]string{"type": "cheap", "cpu": "3", "memory": "4Gi", "price": "0.1", "maximum": "2"} {
		set(column, text)
	}
	set("maximum", "none")
	if got := b.Inputs.options.Pools[1]; b.Form.Wrong(poolRows().ID(1, "maximum")) == "" || got.Type != "cheap" || got.Price != 0.1 || got.Maximum != 2 {
		t.Errorf("%+v, wrong is %q", got, b.Form.Wrong(poolRows().ID(1, "maximum")))
	}
	if p := b.Inputs.options.Pools[0]; p.Type != "pool-1" || p.Allocatable["cpu"] != "4" {
		t.Errorf("the other pool is %+v now", p)
	}
	b.clusterAsk.askAbout(placementkind.AskProvision)
	b.settle()
	x := &b.clusterAsk
	if x.problem != "" || !strings.Contains(x.answer.Headline, "0.1 more an hour: 1 × cheap") || len(x.answer.Steps) != 1 || x.answer.Steps[0].Sentence() != "large goes to cheap-1." {
		t.Fatalf("%s %+v", x.problem, x.answer)
	}
	b.whatIf.asking = asking{name: "pool", of: "pool-1", n: "2"}
	if _, _, names := b.whatIf.asked(); !slices.Equal(names, []string{"pool-1", "cheap"}) {
		t.Errorf("the pools to choose from are %q", names)
	}
	b.whatIf.addWhatIf()
	b.wantDone()
	if got := b.cells(); got != "web→eu" || !slices.Equal(b.Inputs.options.WhatIf, []string{"add pool pool-1 ×2"}) {
		t.Errorf("with %q it is placed %q", b.Inputs.options.WhatIf, got)
	}
	set("cpu", "much")
	if got := b.Form.Wrong(poolsID); !strings.Contains(got, "much") {
		t.Errorf("an amount that is none is called %q", got)
	}
	set("cpu", "3")
	poolRows().Remove(b.Lab, 1)
	b.settle()
	if rows() != 1 {
		t.Errorf("%d rows are left", rows())
	}
}

// The decisions of an answer are played one by one: pods leave their nodes and arrive on others.
func TestDecisionsArePlayed(t *testing.T) {
	b := clusters(t)
	b.clusterAsk.node = "frankfurt/frankfurt-1"
	b.clusterAsk.askAbout(placementkind.AskDrain)
	b.settle()
	x := &b.clusterAsk
	n := len(x.answer.Steps)
	if n == 0 {
		t.Fatal("no decision")
	}
	page := func() string { return app.HTMLString(b.clusterAsk.decisionsPlayer()) }
	first := &x.answer.Steps[0]
	if got := page(); !strings.Contains(got, "Before the first decision.") || !strings.Contains(got, first.Pod) {
		t.Errorf("at first: %s", got)
	}
	b.clusterAsk.decide(1)
	if got := page(); !strings.Contains(got, "Decision 1 of") || !strings.Contains(got, first.Sentence()) {
		t.Errorf("after one: %s", got)
	}
	b.clusterAsk.decide(-3)
	if x.film.fallen != 0 {
		t.Errorf("before all of them: %d", x.film.fallen)
	}
	b.clusterAsk.playDecisions()
	if !x.film.Playing() {
		t.Error("the film does not run")
	}
	b.clusterAsk.playDecisions()
	b.clusterAsk.decide(n + 5)
	if x.film.Playing() || x.film.fallen != n || !strings.Contains(page(), "Decision "+ui.Count(int64(n))+" of") {
		t.Errorf("at the end: %+v", x.film)
	}
	board := app.HTMLString(decisionsBoard(x.answer.Steps, n))
	if !strings.Contains(board, first.To) || strings.Count(board, "job-chip") != min(n, mostChips) {
		t.Errorf("the board: %s", board)
	}
}
