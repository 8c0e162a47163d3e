package manifest_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
	"berth/engine/must"
)

// scheduled is a cluster with workloads, and the decisions of kube-scheduler about them.
type scheduled struct {
	Case              string
	Nodes, Deployment string
	Greedy            []string // where one pass of the scheduler puts the pods, up to the first without a node
	Failed            string   // the scheduler's message about it
	Words             string   // the same message if no order and choice places all pods
}

func readScheduled(t *testing.T, path string) (all []scheduled) {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	text := must.Get(gzip.NewReader(file))(t)
	must.Do(t, json.NewDecoder(text).Decode(&all))
	return all
}

// begin returns the cluster of a case, and its pods in the order of the input.
func (c *scheduled) begin(t *testing.T) (*kube.ClusterState, []*kube.Pod) {
	t.Helper()
	deployments, found := manifest.ReadDeployment("dep.yaml", []byte(c.Deployment), format.Options{})
	if deployments == nil {
		t.Fatalf("%s: %v", c.Case, found)
	}
	state, _ := cluster(t, "nodes.yaml", c.Nodes).State(kube.Default())
	var pods []*kube.Pod
	for _, g := range deployments[0].Pods {
		for range g.Pods {
			pods = append(pods, &kube.Pod{Name: g.Name, Shape: g.Shape})
		}
	}
	return state, pods
}

// Each pod goes to the node that kube-scheduler v1.34.2 chose, if a single node has
// the best score; otherwise to one of the best. The first pod without a node keeps
// the scheduler's words.
func TestReplayChoosesAsScheduler(t *testing.T) {
	untied := 0
	for _, c := range readScheduled(t, "testdata/scheduled.json.gz") {
		s, pods := c.begin(t)
		for i, p := range pods {
			if i == len(c.Greedy) {
				if d := s.Schedule(p); d.Words != c.Failed {
					t.Errorf("%s: the replay says %q of pod %d, kube-scheduler %q", c.Case, d.Words, i+1, c.Failed)
				}
				break
			}
			d := s.Schedule(p)
			if d.Node >= 0 {
				s.Take(p)
			}
			if n := s.Node(c.Greedy[i]); d.Ties == 1 && d.Node != n || !s.Best(p, n) {
				t.Fatalf("%s: kube-scheduler puts pod %d of %s on %s; the replay on node %d with score %d and %d ties", c.Case, i+1, p.Name, c.Greedy[i], d.Node, d.Score, d.Ties)
			}
			if d.Ties == 1 {
				untied++
			}
			s.Put(p, s.Node(c.Greedy[i]))
		}
	}
	if untied < 300 {
		t.Errorf("only %d decisions have one best node", untied)
	}
}

// In each case of the reference, the replay agrees with kube-scheduler about whether the pods fit,
// and has its message about the first pod that stays pending.
func TestReplayAgreesWithScheduler(t *testing.T) {
	folder := os.Getenv("BERTH_DATA")
	if folder == "" {
		t.Skip("BERTH_DATA is unset: it names the folder with kube/cases.json.gz, the verdicts of kube-scheduler")
	}
	for _, c := range readScheduled(t, filepath.Join(folder, "kube/cases.json.gz")) {
		s, pods := c.begin(t)
		words := ""
		for _, p := range pods {
			if words == "" {
				words = s.Schedule(p).Words
			}
		}
		if words != c.Words {
			t.Errorf("%s: the replay says %q, kube-scheduler %q", c.Case, words, c.Words)
		}
	}
}
