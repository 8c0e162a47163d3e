package fragment

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/golden"
	_ "berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

func init() { scenario.Register(Kind, study.Kind) }

const (
	nodesText = "sn,cpu_milli,memory_mib,gpu,model\na,8000,8192,2,T4\nb,8000,8192,1,P100\n"
	podsText  = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time\nx,1000,1024,1,500,,LS,Running,0\ny,1000,1024,1,1000,T4,LS,Running,1\n"
)

func small() *Document {
	return &Document{
		Nodes: scenario.Source{Name: "n.csv", Text: nodesText}, Pods: scenario.Source{Name: "p.csv", Text: podsText}, Policies: Names(), Seed: 1,
	}
}

func like(generator string, parameters map[string]float64) scenario.Source {
	return scenario.Source{Name: generator, Recipe: &workload.Recipe{Generator: generator, Preset: openbLike, Seed: 1, Parameters: parameters}}
}

func generated() *Document {
	return &Document{
		Nodes: like(nodesGenerator, map[string]float64{"nodes": 40}), Pods: like(podsGenerator, map[string]float64{"pods": 300}),
		Policies: Names(), Seed: 3,
	}
}

// This is the text of a run on generated inputs, which are the same everywhere.
func TestText(t *testing.T) {
	r := must.Get(scenario.Run(t.Context(), New("", *generated()), scenario.Env{}))(t)
	golden.Check(t, "testdata/report.txt", strings.Replace(string(r.Text()), scenario.Engine, golden.Engine, 1))
}

// Each figure has a value for each policy, and another seed gives another run.
func TestFigures(t *testing.T) {
	run := func(d *Document) *Report {
		r := must.Get(scenario.Run(t.Context(), New("", *d), scenario.Env{}))(t)
		return ReportOf(r)
	}
	d := generated()
	first := run(d)
	d.Seed++
	second := run(d)
	differs := false
	for i, f := range Figures {
		for k := range first.Policies {
			x := f.Value(first, k)
			if !x.Defined() || x < 0 || strings.HasPrefix(f.Name, "allocated.") && x > 1 {
				t.Errorf("%s of %s is %v", f.Name, first.Policies[k].Name, x)
			}
			differs = differs || x != Figures[i].Value(second, k)
		}
	}
	if !differs {
		t.Error("another seed gives the same figures")
	}
	d = small()
	d.Arrive = new(0.8)
	if r := run(d); r.Policies[0].Arrived == 0 || Figures[len(Figures)-2].Value(r, 0).Defined() {
		t.Error("a figure at 130 % of a run up to 80 %")
	}
}

// Errors have a position.
func TestBadInput(t *testing.T) {
	for want, change := range map[string]func(*Document){
		`fragment.policies[0]: unknown policy "best"; known: fgd, best-fit, gpu-packing, gpu-clustering, dot-product, random`: func(d *Document) { d.Policies = []string{"best"} },
		"fragment.policies[1]: fgd is given twice":                  func(d *Document) { d.Policies = []string{"fgd", "fgd"} },
		"fragment.policies: missing: expected at least one policy":  func(d *Document) { d.Policies = nil },
		"fragment.arrive: found 9, expected a number from 0.1 to 4": func(d *Document) { d.Arrive = new(9.0) },
		"n.csv:2:3: cpu_milli":                                      func(d *Document) { d.Nodes.Text = strings.Replace(nodesText, "8000", "many", 1) },
		"no node has a GPU":                                         func(d *Document) { d.Nodes.Text = "name,cpu,memory,attributes\na,2,4,\n" },
		"no pod asks for a GPU":                                     func(d *Document) { d.Pods.Text = "name,cpu_milli,memory_mib,creation_time\nx,1,1,0\n" },
		"fragment.nodes: ":                                          func(d *Document) { d.Nodes = scenario.Source{Name: "gone.csv"} },
		"none, shared and many are more than all pods together": func(d *Document) {
			d.Pods = like(podsGenerator, map[string]float64{"shared": 1})
		},
		"nodes: 0 is out of range": func(d *Document) {
			d.Nodes = like(nodesGenerator, map[string]float64{"nodes": 0})
		},
		"there are 20001 nodes, at most 20000 can be packed": func(d *Document) {
			for i := range maxNodes - 1 {
				d.Nodes.Text += fmt.Sprintf("n%d,8000,8192,0,\n", i)
			}
		},
	} {
		d := small()
		change(d)
		_, err := scenario.Run(t.Context(), New("", *d), scenario.Env{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// A scenario whose kind has no page is shown as an experiment of one cell.
func TestShownAsAnExperiment(t *testing.T) {
	s := New("filled", *small())
	shown := study.Shown(s)
	plan, err := study.NewPlan(study.Of(shown))
	if err != nil || plan.Cells() != 1 || shown.Validate() != nil || plan.Run(0).Scenario.Kind != Name {
		t.Errorf("%+v, %v", shown, err)
	}
}
