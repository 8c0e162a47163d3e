package kubernetes_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"berth/engine/format"
	"berth/engine/kubernetes"
	"berth/engine/replay"
)

// oracleCase is a cluster and workloads with the verdict of kube-scheduler.
type oracleCase struct {
	Case              string
	Placed            bool
	Words             string
	Nodes, Deployment string
}

func oracleCases(t *testing.T) (all []oracleCase) {
	t.Helper()
	folder := os.Getenv("BERTH_DATA")
	if folder == "" {
		t.Skip("BERTH_DATA is unset: it names the folder with kube/cases.json.gz, the verdicts of kube-scheduler")
	}
	file, err := os.Open(filepath.Join(folder, "kube/cases.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(text).Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// replayed runs the workloads of a case through the queue, in the order of the input.
func replayed(t *testing.T, c *oracleCase) (*replay.State, []replay.Decision) {
	t.Helper()
	cluster, found := kubernetes.ReadCluster("nodes.yaml", []byte(c.Nodes), format.Options{})
	if cluster == nil {
		t.Fatalf("%s: %v", c.Case, found)
	}
	deployments, found := kubernetes.ReadDeployment("dep.yaml", []byte(c.Deployment), format.Options{})
	if deployments == nil {
		t.Fatalf("%s: %v", c.Case, found)
	}
	state, _ := cluster.State(replay.Default())
	var pods []*replay.Pod
	for _, g := range deployments[0].Pods {
		for i := range g.Pods {
			pods = append(pods, &replay.Pod{Name: fmt.Sprintf("%s-%d", g.Name, i+1), Shape: g.Shape})
		}
	}
	return state, state.Run(pods, nil)
}

// The replay has the verdict of kube-scheduler in each case, and its words for the first
// pod that it leaves pending.
func TestReplayAgreesWithScheduler(t *testing.T) {
	for _, c := range oracleCases(t) {
		_, decisions := replayed(t, &c)
		words := ""
		for _, d := range decisions {
			if d.Node < 0 && words == "" {
				words = d.Words
			}
		}
		if words != c.Words {
			t.Errorf("%s: the replay says %q, kube-scheduler %q", c.Case, words, c.Words)
		}
	}
}
