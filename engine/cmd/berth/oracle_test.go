package main

import (
	"encoding/json"
	"slices"
	"testing"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
	"berth/engine/must"
)

// decided is a dump with kube-scheduler's decisions about its pending pods in the order of its
// queue, until one of them preempts others. It chooses at random among equal nodes; the decisions
// have the first by name.
type decided struct {
	Case string
	Dump json.RawMessage
	Pods []struct {
		Pod, Would, Words string
		Ties              int // number of equal nodes
		Preempts          []string
	}
}

func (c *decided) check(t *testing.T) {
	t.Helper()
	cluster, found := manifest.ReadCluster("dump.json", c.Dump, format.Options{})
	if cluster == nil {
		t.Fatalf("%s: %v", c.Case, found)
	}
	s, waiting := cluster.State(kube.Default())
	waiting = kube.Queue(waiting)
	for i, want := range c.Pods {
		p := waiting[i]
		all := s.Run([]*kube.Pod{p}, cluster.Budgets)
		d := all[slices.IndexFunc(all, func(d kube.Decision) bool { return d.Pod == p })]
		var preempts []string
		for _, v := range d.Victims {
			preempts = append(preempts, v.Namespace()+"/"+v.Name)
		}
		if p.Namespace()+"/"+p.Name != want.Pod || s.Where(p) != want.Would || d.Words != want.Words || want.Ties != d.Ties || !slices.Equal(preempts, want.Preempts) {
			t.Errorf("%s: %s goes to %q, %d equal nodes, %q, preempts %v\nkube-scheduler %+v", c.Case, p.Name, s.Where(p), d.Ties, d.Words, preempts, want)
			return
		}
	}
}

// drained is a dump with the answers of Kubernetes' eviction handler when node n0 is drained.
type drained struct {
	Case    string
	Dump    json.RawMessage
	Rounds  int               // last round of evictions in the data
	Evicted map[string]int    // round in which each pod leaves, by namespace/name
	Refused map[string]string // messages about pods that stay after these rounds
}

func (c *drained) check(t *testing.T) {
	t.Helper()
	file := must.File(t, "dump.json", c.Dump)
	stdout, stderr, _ := exec(t, "", "drain", "n0", "--federation", file, "--format", "json")
	var got kube.DrainReport
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(c.Case, err, stderr)
	}
	evicted := map[string]int{}
	for _, e := range got.Evicted {
		evicted[e.Namespace+"/"+e.Pod] = e.Round
	}
	for _, b := range got.Blocked {
		if words := c.Refused[b.Namespace+"/"+b.Pod]; b.Words != words {
			t.Errorf("%s: %s stays: %q, the API says %q", c.Case, b.Pod, b.Words, words)
		}
	}
	for pod, round := range c.Evicted {
		if evicted[pod] != round {
			t.Errorf("%s: %s leaves in round %d, the API evicts it in %d", c.Case, pod, evicted[pod], round)
		}
	}
	for pod, words := range c.Refused {
		if round, leaves := evicted[pod]; leaves && round <= max(1, c.Rounds) {
			t.Errorf("%s: %s leaves in round %d, the API says %s", c.Case, pod, round, words)
		}
	}
	if len(got.Evicted)+len(got.Blocked) != len(c.Evicted)+len(c.Refused) {
		t.Errorf("%s: %d pods, the API has been asked about %d", c.Case, len(got.Evicted)+len(got.Blocked), len(c.Evicted)+len(c.Refused))
	}
}
