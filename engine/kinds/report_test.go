package kinds_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/kube/fragment"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
)

const (
	federationText = `graph { eu [cpu=100, cpu_cost=1]; us [cpu=50, cpu_cost=2]; eu -- us [latency=10, latency_cost=0.5] }`
	deploymentText = `graph { api [request=40, limit=50]; db [request=70, limit=80]; api -- db [latency=20] }`
)

// small returns a scenario of each kind that takes only a moment.
func small() []scenario.Scenario {
	placed := placementkind.New("placed", placementkind.Document{
		Federation:  placementkind.GraphSource{Name: "f.dot", Text: federationText},
		Deployments: []placementkind.GraphSource{{Name: "d.dot", Text: deploymentText}},
		Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}, {Name: "random", Seeds: 2}},
	})
	return []scenario.Scenario{
		placed,
		qoskind.New("served", qoskind.Document{
			Workload: scenario.Source{Name: "w.csv", Text: "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\na,1,0,10,1,1,gold,0,\nb,2,1,5,2,1,best,0,\n"},
			Hosts:    scenario.Source{Name: "h.csv", Text: "name,cpu,memory,attributes\na,2,4,\n"},
			Classes:  []qoskind.Class{{Name: "gold", SLO: 0.9, Importance: 2}, {Name: "best", SLO: 0.5, Importance: 1}},
			Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}}, Seed: 1,
		}),
		federatekind.New("scheduled", federatekind.Document{
			Trace:   scenario.Source{Name: "jobs.tr", Text: "0 3 10 5 10 15\n1 2 1 1 1\n"},
			Workers: 4, GMs: 2, LMs: 2, Schedulers: []string{"megha", "sparrow"},
		}),
		fragment.New("filled", fragment.Document{
			Nodes:    scenario.Source{Name: "n.csv", Text: "sn,cpu_milli,memory_mib,gpu,model\na,8000,8192,2,T4\nb,8000,8192,1,P100\n"},
			Pods:     scenario.Source{Name: "p.csv", Text: "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time\nx,1000,1024,1,500,,LS,Running,0\ny,1000,1024,1,1000,T4,LS,Running,1\n"},
			Policies: []string{"fgd", "random"}, Seed: 1,
		}),
		study.New("varied", study.Document{Base: placed, Seeds: 2, Metrics: []string{"cost.total"}}),
	}
}

// reports returns the encoded reports of the small scenarios.
func reports(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, s := range small() {
		r, err := scenario.Run(t.Context(), s, scenario.Env{Now: func() float64 { return 1 }})
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		all = append(all, scenario.EncodeReport(r))
	}
	return all
}

// use does everything with a report that people do with one that they have read.
func use(r *scenario.Report) error {
	r.Text()
	r.Left()
	r.Complete()
	r.Body.Remarks()
	r.Body.Subjects()
	d, err := scenario.Compare(r, r)
	if err == nil {
		d.WriteText(new(bytes.Buffer))
	}
	return err
}

func TestReportsAreReadAsTheyAreWritten(t *testing.T) {
	for _, text := range reports(t) {
		r, err := scenario.DecodeReport(text)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		if again := scenario.EncodeReport(r); !bytes.Equal(again, text) {
			t.Errorf("the %s report becomes\n%s", r.Kind, again)
		}
	}
}

// The page gets the report that the worker has. No damage to the body in
// binary form causes a panic.
func TestReportsInBinaryFormAreRestored(t *testing.T) {
	for _, text := range reports(t) {
		r := must.Get(scenario.DecodeReport(text))(t)
		head, body := r.Detach()
		for n := 0; n < len(body); n += 1 + len(body)/400 {
			if head.Restore(body[:n]) == nil {
				t.Fatalf("%s: the first %d of %d bytes were accepted", r.Kind, n, len(body))
			}
			damaged := bytes.Clone(body)
			damaged[n] ^= 0x85
			_ = head.Restore(damaged) // may be another report
		}
		if err := head.Restore(append(bytes.Clone(body), 0)); err == nil {
			t.Errorf("%s: a byte too many was accepted", r.Kind)
		}
		must.Do(t, head.Restore(body))
		if got := scenario.EncodeReport(head); !bytes.Equal(got, text) {
			t.Errorf("the %s report came back as\n%s", r.Kind, got)
		}
	}
}

// Reports of builds whose estimates lacked their number, and whose times had fewer percentiles, can
// be read and compared.
func TestReportsOfEarlierBuildsAreRead(t *testing.T) {
	for _, text := range reports(t) {
		var tree map[string]any
		must.Do(t, json.Unmarshal(text, &tree))
		if tree["kind"] == study.Name {
			continue // always had it
		}
		forget(tree, "n")
		if tree["kind"] == federatekind.Name {
			forget(tree, "p95")
		}
		old := must.Get(json.Marshal(tree))(t)
		r, err := scenario.DecodeReport(old)
		if err != nil || use(r) != nil || r.Kind == "" || len(old) == 0 {
			t.Errorf("%v: %s", err, old)
		}
	}
}

// forget removes a field everywhere.
func forget(tree any, field string) {
	switch tree := tree.(type) {
	case []any:
		for _, below := range tree {
			forget(below, field)
		}
	case map[string]any:
		delete(tree, field)
		for _, below := range tree {
			forget(below, field)
		}
	}
}

// If any field of a report is missing, empty or of another type, the report is refused with a
// position, or can be used.
func TestDamagedReportsAreRefused(t *testing.T) {
	for _, text := range reports(t) {
		var tree any
		must.Do(t, json.Unmarshal(text, &tree))
		refused, changes, parts := 0, 0, golden.Seeds(10)
		damage(tree, func() {
			if changes++; !slices.Contains(parts, uint64(changes%10)) {
				return
			}
			changed := must.Get(json.Marshal(tree))(t)
			r, err := scenario.DecodeReport(changed)
			if err != nil {
				refused++
				if !strings.HasPrefix(err.Error(), "scenario:") && !strings.Contains(err.Error(), ":1:") {
					t.Errorf("no place: %v", err)
				}
				return
			}
			_ = use(r)
		})
		if refused < 5*len(parts) {
			t.Errorf("only %d changes of a report are refused", refused)
		}
	}
}

// damage changes a tree at one place at a time.
func damage(tree any, each func()) {
	switch t := tree.(type) {
	case map[string]any:
		for key, value := range t {
			delete(t, key)
			each()
			for _, other := range []any{nil, "NaN", []any{}, map[string]any{}, -1.0} {
				t[key] = other
				each()
			}
			t[key] = value
			damage(value, each)
		}
	case []any:
		for i, value := range t {
			for _, other := range []any{nil, "NaN", []any{}} {
				t[i] = other
				each()
			}
			t[i] = value
			if i < 3 { // the others are like these
				damage(value, each)
			}
		}
	}
}

func TestWhatIsWrongWithAReport(t *testing.T) {
	whole := string(reports(t)[0])
	for change, want := range map[[2]string]string{
		{`"deployments": [`, `"others": [`}:       "placement.deployments: missing",
		{`"node": `, `"node": null, "other": `}:   "expected node, link and total, or none of them",
		{`"clusters": 2`, `"clusters": "NaN"`}:    "placement.federation.clusters: found a string, expected a number",
		{`"clusters": 2`, `"clusters": 1e999`}:    "not a report",
		{`"kind": "placement"`, `"kind": "plan"`}: `kind: unknown kind "plan"`,
		{`"version": 1`, `"version": 9`}:          "version: found 9, expected 1",
		{`"version": 1`, `"version": "1"`}:        `version: found "1", expected 1: read it with the Berth that wrote it`,
		{`"version": 1`, `"of": 1`}:               "version: found none, expected 1",
		{`"kind": "placement"`, `"kind": 5`}:      `kind: unknown kind ""`,
		{`"links": 1`, `"links": 1, "links": 2`}:  "placement.federation.links: given twice",
		{`"api": "`, `"db": "`}:                   `the job "db" is placed twice`,
		{`{`, strings.Repeat("[", 20_000)}:        "not JSON",
	} {
		changed := strings.Replace(whole, change[0], change[1], 1)
		if changed == whole {
			t.Errorf("no %s in the report", change[0])
			continue
		}
		if _, err := scenario.DecodeReport([]byte(changed)); err == nil || !strings.Contains(err.Error(), want) && want != "not a report" {
			t.Errorf("%s for %s: %v, want %s", change[1], change[0], err, want)
		}
	}
}

// Every report that can be read can be used.
func FuzzReport(f *testing.F) {
	for _, text := range reports(f) {
		f.Add(text)
	}
	f.Add([]byte(fmt.Sprintf(`{"version": 1, "kind": "placement", "results": %q}`, "0")))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := scenario.DecodeReport(text); err == nil {
			_ = use(r)
		}
	})
}
