package fragmentkind_test

import (
	"bytes"
	"strings"
	"testing"

	"berth/engine/golden"
	_ "berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/kube/fragment"
	"berth/engine/kube/fragment/fragmentkind"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

func init() { scenario.Register(fragmentkind.Kind, study.Kind) }

const (
	nodesText = "sn,cpu_milli,memory_mib,gpu,model\na,8000,8192,2,T4\nb,8000,8192,1,P100\n"
	podsText  = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time\nx,1000,1024,1,500,,LS,Running,0\ny,1000,1024,1,1000,T4,LS,Running,1\n"
)

func small() *fragmentkind.Document {
	return &fragmentkind.Document{
		Nodes: scenario.Source{Name: "n.csv", Text: nodesText}, Pods: scenario.Source{Name: "p.csv", Text: podsText}, Policies: fragment.Names(), Seed: 1,
	}
}

func like(generator string, parameters map[string]float64) scenario.Source {
	return scenario.Source{Name: generator, Recipe: &workload.Recipe{Generator: generator, Preset: fragmentkind.OpenbLike, Seed: 1, Parameters: parameters}}
}

func generated() *fragmentkind.Document {
	return &fragmentkind.Document{
		Nodes: like(fragmentkind.NodesGenerator, map[string]float64{"nodes": 40}), Pods: like(fragmentkind.PodsGenerator, map[string]float64{"pods": 300}),
		Policies: fragment.Names(), Seed: 3,
	}
}

// This is the text of a run on generated inputs, which are the same everywhere.
func TestText(t *testing.T) {
	r := must.Get(scenario.Run(t.Context(), fragmentkind.New("", *generated()), scenario.Env{}))(t)
	golden.Check(t, "testdata/report.txt", strings.Replace(string(r.Text()), scenario.Engine, golden.Engine, 1))
}

// Each figure has a value for each policy, and another seed gives another run.
func TestFigures(t *testing.T) {
	run := func(d *fragmentkind.Document) *fragmentkind.Report {
		r := must.Get(scenario.Run(t.Context(), fragmentkind.New("", *d), scenario.Env{}))(t)
		return fragmentkind.ReportOf(r)
	}
	d := generated()
	first := run(d)
	d.Seed++
	second := run(d)
	differs := false
	for i, f := range fragmentkind.Figures {
		for k := range first.Policies {
			x := f.Value(first, k)
			if !x.Defined() || x < 0 || strings.HasPrefix(f.Name, "allocated.") && x > 1 {
				t.Errorf("%s of %s is %v", f.Name, first.Policies[k].Name, x)
			}
			differs = differs || x != fragmentkind.Figures[i].Value(second, k)
		}
	}
	if !differs {
		t.Error("another seed gives the same figures")
	}
	d = small()
	d.Arrive = new(0.8)
	if r := run(d); r.Policies[0].Arrived == 0 || fragmentkind.Figures[len(fragmentkind.Figures)-2].Value(r, 0).Defined() {
		t.Error("a figure at 130 % of a run up to 80 %")
	}
}

// Errors have a position.
func TestBadInput(t *testing.T) {
	for want, change := range map[string]func(*fragmentkind.Document){
		`fragment.policies[0]: unknown policy "best"; known: fgd, best-fit, gpu-packing, gpu-clustering, dot-product, random`: func(d *fragmentkind.Document) { d.Policies = []string{"best"} },
		"fragment.policies[1]: fgd is given twice":                  func(d *fragmentkind.Document) { d.Policies = []string{"fgd", "fgd"} },
		"fragment.policies: missing: expected at least one policy":  func(d *fragmentkind.Document) { d.Policies = nil },
		"fragment.arrive: found 9, expected a number from 0.1 to 4": func(d *fragmentkind.Document) { d.Arrive = new(9.0) },
		"n.csv:2:3: cpu_milli":                                      func(d *fragmentkind.Document) { d.Nodes.Text = strings.Replace(nodesText, "8000", "many", 1) },
		"no pod asks for a GPU":                                     func(d *fragmentkind.Document) { d.Pods.Text = "name,cpu_milli,memory_mib,creation_time\nx,1,1,0\n" },
		"fragment.nodes: ":                                          func(d *fragmentkind.Document) { d.Nodes = scenario.Source{Name: "gone.csv"} },
		"none, shared and many are more than all pods together": func(d *fragmentkind.Document) {
			d.Pods = like(fragmentkind.PodsGenerator, map[string]float64{"shared": 1})
		},
		"nodes: 0 is out of range": func(d *fragmentkind.Document) {
			d.Nodes = like(fragmentkind.NodesGenerator, map[string]float64{"nodes": 0})
		},
	} {
		d := small()
		change(d)
		_, err := scenario.Run(t.Context(), fragmentkind.New("", *d), scenario.Env{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// A document and its report read back the same.
func TestRoundTrip(t *testing.T) {
	s := fragmentkind.New("filled", *small())
	again, err := scenario.Decode(scenario.Encode(s))
	if err != nil || again.Hash() != s.Hash() {
		t.Fatal(err)
	}
	r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	text := scenario.EncodeReport(r)
	read, err := scenario.DecodeReport(text)
	if err != nil || !bytes.Equal(scenario.EncodeReport(read), text) {
		t.Errorf("%v\n%s", err, text)
	}
}

// A scenario whose kind has no page is shown as an experiment of one cell.
func TestShownAsAnExperiment(t *testing.T) {
	s := fragmentkind.New("filled", *small())
	shown := study.Shown(s)
	plan, err := study.NewPlan(study.Of(shown))
	if err != nil || plan.Cells() != 1 || shown.Validate() != nil || plan.Run(0).Scenario.Kind != fragmentkind.Name {
		t.Errorf("%+v, %v", shown, err)
	}
}
