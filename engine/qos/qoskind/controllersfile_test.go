package qoskind_test

import (
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
)

func init() { scenario.Register(qoskind.Kind, study.Kind) }

const webController = `{"name": "web", "kind": "deployment", "class": "gold", "replicas": 2, "cpu": 1, "memory": 0.5, "antiAffinity": true, "constraints": ["disk=ssd"]}`

func TestReadControllers(t *testing.T) {
	for _, text := range []string{"[" + webController + "]", `{"controllers": [` + webController + "]}"} {
		d := qoskind.Document{Horizon: 60, Controllers: make([]qoskind.Controller, 3)}
		must.Do(t, qoskind.ReadControllers([]byte(text), &d))
		if len(d.Controllers) != 1 || d.Controllers[0].Replicas != 2 || !d.Controllers[0].AntiAffinity || d.Controllers[0].Constraints[0] != "disk=ssd" {
			t.Errorf("%s: got %+v", text, d.Controllers)
		}
	}
	for text, want := range map[string]string{
		`[]`:                  "scenario:1:1: there are no controllers; expected [",
		`{"controllers": []}`: "scenario:1:17: controllers: there are no controllers",
		`3`:                   "scenario:1:1: found the number 3, expected an object",
		`[3]`:                 "scenario:1:2: [0]: found the number 3, expected an object",
		`{"pods": []}`:        "scenario:1:10: pods: unknown field; known: controllers",
		"[" + webController + ",\n{\"cpu\": \"much\"}]":    `scenario:2:9: [1].cpu: found the string "much", expected a number`,
		"[" + webController + ",\n " + webController + "]": `scenario:2:11: [1].name: there are two controllers "web"`,
		`[{"cpu":1,"cpu":2}]`:                              "scenario:1:17: [0].cpu: given twice",
		`{"controllers": [], "controllers": []}`:           "scenario:1:36: controllers: given twice",
		`[{"pods": 1}]`:                                    "scenario:1:11: [0].pods: unknown field; known: name, kind,",
		`[{`:                                               "scenario:1:2: not JSON",
	} {
		if err := qoskind.ReadControllers([]byte(text), &qoskind.Document{Horizon: 60}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got\n%v\nwant\n%s", text, err, want)
		}
	}
}

// A document may have controllers instead of a workload, and can be a link.
func TestControllersWithoutAWorkload(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(`{"version": 1, "kind": "qos", "qos": {"hosts": {"name": "h.csv", "text": "name,cpu,memory,attributes\nh,2,2,disk=ssd\n"},
		"policies": [{"name": "qos"}], "horizon": 60, "controllers": [` + webController + `]}}`)))(t)
	link := must.Get(scenario.EncodeLink(s))(t)
	again, err := scenario.DecodeLink(link)
	if err != nil || again.Hash() != s.Hash() {
		t.Fatalf("%v: the link holds %s", err, scenario.Encode(again))
	}
	r := must.Get(scenario.Run(t.Context(), again, scenario.Env{}))(t)
	if c := qoskind.ReportOf(r).Policies[0].Run.Controllers; len(c) != 1 || c[0].Availability != 0 || c[0].Instances != 2 {
		t.Errorf("got %+v: only one of the two instances may be on the only host", c)
	}
}

func FuzzReadControllers(f *testing.F) {
	f.Add([]byte("[" + webController + "]"))
	f.Add([]byte(`{"controllers": [{"name": "b", "kind": "cronjob", "class": "bronze", "completions": 2, "parallelism": 1, "period": 0.5, "runs": 3, "copies": 2, "interval": 1e7, "cpu": 1e-9, "memory": 1e9, "duration": 2, "submit": 1}]}`))
	f.Add([]byte(`[{"name": "a", "kind": "daemonset", "class": "gold", "cpu": 1, "memory": 1, "constraints": ["a≠b", "c<3", "=", ""]}]`))
	f.Add([]byte(`[{"kind": "job", "kind": 1}, null]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := qoskind.Document{Horizon: 60, Policies: []qoskind.PolicyRun{{Name: "qos"}}}
		if qoskind.ReadControllers(data, &d) != nil {
			return
		}
		d.Hosts.Name, d.Hosts.Text = "h.csv", "name,cpu,memory,attributes\nh,2,2,\n"
		s, err := scenario.Decode(scenario.Encode(qoskind.New("", d)))
		if err != nil {
			t.Fatalf("what was read from %s is refused in a document: %v", data, err)
		}
		if _, err := scenario.Prepare(t.Context(), s, scenario.Env{}); err != nil && !strings.Contains(err.Error(), "at most") {
			t.Fatalf("%s: %v", data, err)
		}
	})
}
