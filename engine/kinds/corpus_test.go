package kinds_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/input/format/sniff"
)

// corpus has the format of each file in the collection, by a pattern of its name. The first match
// counts. A comma at the end means that the format may also be unknown.
var corpus = []struct{ pattern, name string }{
	{"*.dot", "dot"},
	{"*.gml", "gml"}, {"*.graphml", "graphml"},
	{"*.md", "markdown,"},
	{"*.star", ""}, {"*.link", ""}, // policies are programs
	{"nats-poison.go.txt", "markdown"}, {"pair.zip", "zip"},
	{"noapiversion.yaml", "kubernetes-part"},
	{"yaml-bomb-link.txt", ""},
	{"*.yaml", "kubernetes"},
	{"kubernetes2/*.json", "kubernetes"},
	{"diff-panic.json", "report"}, {"meshx.json", "scenario"},
	{"g.gexf", "gexf"}, {"nl.json", "node-link"}, {"jaegerdeps.json", "jaeger"}, {"matrix.csv", "matrix"}, {"rtt.csv", "edges"},
	{"*.swf", "swf"}, {"*.swf.gz", "swf"},
	{"*.tr", "tr"}, {"tr40.gz", "tr"},
	{"zero-request.csv", "tasks"}, {"after-missing.csv", "tasks"}, {"after-missing.m.csv", "hosts"},
	{"batch_task.csv", "batch-task"},
	{"gpu-hosts.csv", "openb-nodes"}, {"gpu-pods.csv", "openb-pods"}, {"openb-*.csv", "openb-pods"},
	{"openb_node_list_*.csv.gz", "openb-nodes"}, {"openb_pod_list_*.csv.gz", "openb-pods"},
	{"sacct.txt", "sacct"}, {"lifecycle-sacct-*.txt", "sacct"}, {"sacct2.txt", "sacct"}, {"squeue.txt", "squeue"}, {"supercloud.csv", "slurm-db"},
	{"pbs.log", "pbs"}, {"sge.acct", "sge"}, {"lifecycle-helios.csv", "helios"},
	{"lifecycle-google2019.json", "google2019"}, {"g19.csv", "google2019-table"}, {"task_usage.csv", "task-usage"}, {"fta_event_trace.tab", "fta"},
	{"azure-llm-conv.csv.gz", "azure-llm"}, {"azure-vmtable.csv.gz", "azure-vms"},
	{"batsim-jobs.csv.gz", "batsim-jobs"}, {"batsim.json.gz", "batsim"},
	{"machine-events-sample-1.csv", "machine-events"}, {"task-events-sample-1.csv", "task-events"},
	{"opendc-wfformat.json", "wfformat"},
	{"spot-gpu-nodes.csv.gz", "spot-gpu"},
	{"hosts*.erl*", "erlang-hosts"}, {"*_overheads.txt", "erlang-overheads"}, {"*.erl.gz", "erlang-requests"}, {"*.erl.txt", "erlang-requests"},
	{"*.broker.csv", "broker"}, {"overheads_validation1.csv", "overheads"},
	{"availability_validation1.csv", ""}, {"decisions_validation1.csv", ""}, // tables of results
	{"best.json", ""}, {"expected.json", ""}, {"figure-6.3.json", ""}, {"fgd-expected.json", ""}, {"cases.json.gz", ""}, // facts for tests
	{"[cde][0-9]*", "gap"}, {"gap1-0", "gap"},
}

// Every file of the collection is recognised by its beginning, whatever its name, and a file that
// no laboratory reads has a specific refusal.
func TestCorpus(t *testing.T) {
	root := os.Getenv("BERTH_DATA")
	if root == "" {
		t.Skip("BERTH_DATA is unset: the collection of real inputs is not looked at")
	}
	seen := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		seen++
		want, known := expected(path)
		head := beginning(t, path)
		found := sniff.Look(head, 0)
		got := ""
		if found.Format != nil {
			got = found.Name
		}
		rest, either := strings.CutSuffix(want, ",")
		switch {
		case !known:
			t.Errorf("%s is new: say in the table what it is; it looks like %q", path, got)
		case got != rest && !(either && got == ""):
			t.Errorf("%s is taken for %q, want %q", path, got, rest)
		}
		if refusal := sniff.Refusal(head, sniff.QoS|sniff.Placement|sniff.Federate|sniff.Assignments|sniff.Documents); (refusal == "") != (got != "" && found.For != 0) {
			t.Errorf("%s, of format %q: the refusal is %q", path, got, refusal)
		}
		if folder := filepath.Base(filepath.Dir(path)); folder == "topologies" || folder == "formats" {
			graphs(t, path, head, found)
		}
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatal(err, seen)
	}
}

// graphs checks that a graph can be read in each of its roles, and that every attribute of the
// Topology Zoo is known.
func graphs(t *testing.T, path, text string, found sniff.Found) {
	var said diag.List
	if found.Is(sniff.Deployments) {
		all, list := format.ReadDeployments(path, []byte(text), format.Options{})
		if said = list; all == nil {
			t.Errorf("%s is no deployment: %v", path, list)
		}
	}
	if found.Is(sniff.Federations) && found.Name != "dot" {
		f, list := format.FederationReader([]byte(text)).Federation(path, []byte(text), format.Options{})
		if said = list; f == nil {
			t.Errorf("%s is no federation: %v", path, list)
		}
	}
	for i := range said {
		if strings.Contains(path, "topologies") && strings.Contains(said[i].Error(), "does not use") {
			t.Errorf("%s", said[i].Error())
		}
	}
}

func expected(path string) (want string, known bool) {
	folder, name := filepath.Split(path)
	for _, c := range corpus {
		ok, _ := filepath.Match(c.pattern, name)
		below, _ := filepath.Match(c.pattern, filepath.Base(folder)+"/"+name)
		if ok || below {
			return c.name, true
		}
	}
	return "", false
}

// beginning returns the unpacked first bytes of a file.
func beginning(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r io.Reader = bytes.NewReader(data)
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(path, err)
		}
	}
	head, err := io.ReadAll(io.LimitReader(r, sniff.Most))
	if err != nil {
		t.Fatal(path, err)
	}
	return string(head)
}
