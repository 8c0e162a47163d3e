package written_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	_ "berth/engine/federate/schedulers"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
	"berth/engine/policy"
	"berth/engine/qos"
	"berth/engine/qos/qostest"
)

func TestMain(m *testing.M) {
	m.Run()
}

// like calls use with the text of each template of a laboratory, and the name of the built-in
// plug-in that it equals.
func like(t *testing.T, kind string, use func(t *testing.T, name string, text policy.Text)) {
	n := 0
	for _, one := range policy.Templates {
		if one.Kind == kind && one.Like != "" {
			n++
			t.Run(one.Name, func(t *testing.T) { use(t, one.Like, one.Text("mine")) })
		}
	}
	if n == 0 {
		t.Error("there are no templates")
	}
}

func strategy(t *testing.T, text policy.Text) placement.Strategy {
	t.Helper()
	p := must.Get(placement.Language.Plugin(text))(t)
	return p.New(nil)
}

func TestPlacementTemplatesDecideAsTheBuiltIn(t *testing.T) {
	like(t, "placement", func(t *testing.T, name string, text policy.Text) {
		builtIn := must.Get(placement.Named(name, nil))(t)
		mine := strategy(t, text)
		for _, shape := range placementtest.Shapes {
			for seed := range uint64(40) {
				d, f := shape.Generate(seed)
				o := placement.Options{Seed: seed, Phi: 0.05, Budget: 20000}
				solve := func(s placement.Strategy) placement.Solution {
					return s.Place(t.Context(), placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{})), o)
				}
				want, got := solve(builtIn), solve(mine)
				want.ByPA = false // only the explanation of the heuristic itself uses it
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%v, seed %d: %+v, %s\nwant %+v, %s", shape, seed, got, got.Why(), want, want.Why())
				}
			}
		}
	})
}

func TestPlacementConforms(t *testing.T) {
	for _, one := range policy.Templates {
		if one.Kind == "placement" {
			t.Run(one.Name, func(t *testing.T) {
				placementtest.Conform(t, strategy(t, one.Text("mine")), one.Name == "heuristic")
			})
		}
	}
	t.Run("better", func(t *testing.T) {
		placementtest.Conform(t, strategy(t, policy.Text{Name: "mine", Text: "def better(placement): return placement.node_cost + placement.link_cost"}), true)
	})
}

func policyOf(t *testing.T, text policy.Text) qos.Policy {
	t.Helper()
	p := must.Get(qos.Language.Plugin(text))(t)
	return p.New(nil)
}

// decisions returns all decisions of a run, without the costs, because texts have their own.
func decisions(t *testing.T, s *qostest.Scenario, p qos.Policy) ([]string, *qos.Result) {
	t.Helper()
	config := s.Config
	var lines []string
	config.Policy, config.Literal = p, true
	config.Decided = func(d *qos.Decision) {
		lines = append(lines, fmt.Sprintf("%d: request %d to host %d of %d, victims %v", d.At, d.Request, d.Host, d.Feasible, d.Victims))
	}
	r := must.Get(qos.Run(context.Background(), s.Input(), config))(t)
	return lines, r
}

func TestQoSTemplatesDecideAsTheBuiltIn(t *testing.T) {
	like(t, "qos", func(t *testing.T, name string, text policy.Text) {
		preemptions := int64(0)
		for seed := range uint64(20) {
			for k, s := range []*qostest.Scenario{qostest.Random(seed), qostest.Random(seed).WithGPUs(), qostest.Random(seed).Odd()} {
				builtIn := must.Get(qos.Named(name, nil))(t)
				want, r := decisions(t, s, builtIn)
				got, mine := decisions(t, s, policyOf(t, text))
				preemptions += int64(r.Preemptions)
				for i := range min(len(want), len(got)) {
					if got[i] != want[i] {
						t.Fatalf("seed %d, %d, decision %d:\n%s\nwant %s", seed, k, i, got[i], want[i])
					}
				}
				if len(got) != len(want) || mine.End != r.End || mine.Passes != r.Passes || !slices.Equal(mine.Availabilities(-1), r.Availabilities(-1)) {
					t.Fatalf("seed %d, %d: the results differ: %d decisions, want %d", seed, k, len(got), len(want))
				}
			}
		}
		if preemptions < 100 {
			t.Errorf("%d preemptions tell little", preemptions)
		}
	})
}

func TestQoSConforms(t *testing.T) {
	for _, one := range policy.Templates {
		if one.Kind == "qos" {
			t.Run(one.Name, func(t *testing.T) {
				qostest.Conform(t, func() qos.Policy { return policyOf(t, one.Text("mine")) }, 8)
			})
		}
	}
}

// pluginOf returns a template of Federate by its name, as a plug-in called mine.
func pluginOf(t testing.TB, name string) federate.Plugin {
	t.Helper()
	i := slices.IndexFunc(policy.Templates, func(one policy.Template) bool { return one.Kind == "federate" && one.Name == name })
	return must.Get(federate.Language.Plugin(policy.Templates[i].Text("mine")))(t)
}

// starts returns the starts and ends of all tasks of a run.
func starts(t *testing.T, name string, c federatetest.Case) (records []federate.Record) {
	t.Helper()
	must.Get(federate.Run(t.Context(), name, c.Config, c.Load, federate.Options{Trace: func(r federate.Record) {
		if r.Action == federate.Started || r.Action == federate.Ended {
			records = append(records, r)
		}
	}}))(t)
	return records
}

func TestFederateTemplatesDecideAsTheBuiltIn(t *testing.T) {
	like(t, "federate", func(t *testing.T, name string, text policy.Text) {
		builtIn, _ := federate.Lookup(name)
		mine := must.Get(federate.Language.Plugin(text))(t)
		for seed := range uint64(3) {
			for _, c := range federatetest.Cases(t, seed) {
				if builtIn.Facts.Slots && !c.Slots || name == "megha" && (c.Config.Shares != nil || c.Config.Outages != nil) {
					continue
				}
				c.Config.Costs = federate.Costs{} // a text takes no time
				want := starts(t, name, c)
				c.Config.Written = []federate.Plugin{mine}
				got := starts(t, "mine", c)
				for i := range min(len(want), len(got)) {
					if got[i] != want[i] {
						t.Fatalf("%s, seed %d, record %d: %+v, want %+v", c.Name, seed, i, got[i], want[i])
					}
				}
				if len(got) != len(want) {
					t.Fatalf("%s, seed %d: %d records, want %d", c.Name, seed, len(got), len(want))
				}
			}
		}
	})
}

func TestFederateConforms(t *testing.T) {
	for _, one := range policy.Templates {
		if one.Kind != "federate" {
			continue
		}
		t.Run(one.Name, func(t *testing.T) {
			p := must.Get(federate.Language.Plugin(one.Text("written-" + one.Name)))(t)
			p.Facts.Slots = one.Name != "fcfs" // the others keep a worker for each task
			must.Do(t, federate.Register(p))
			federatetest.Conform(t, p)
		})
	}
}

// A run that is stopped during a decision of a text has the results up to that point, in each
// laboratory.
func TestARunIsStoppedInsideAText(t *testing.T) {
	const loop = "    for i in range(900000): pass\n    return "
	stopping := func() context.Context {
		ctx, stop := context.WithCancel(t.Context())
		pulses := 0
		return policy.Watched(ctx, &policy.Watch{Pulse: func() {
			if pulses++; pulses == 100 {
				stop()
			}
		}})
	}
	d, f := placementtest.Shapes[0].Generate(1)
	s := strategy(t, policy.Text{Name: "mine", Text: "def score(job, cluster):\n" + loop + "0\n"}).
		Place(stopping(), placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{})), placement.Options{Budget: 1000})
	if _, stopped := s.Reason.(placement.Stopped); s.Status != placement.Cancelled || !stopped {
		t.Errorf("placement: %+v", s)
	}

	q := qostest.Random(1)
	q.Config.Policy = policyOf(t, policy.Text{Name: "mine", Text: "def queue(request, now):\n" + loop + "now\n"})
	r, err := qos.Run(stopping(), q.Input(), q.Config)
	if err != nil || !r.Partial {
		t.Errorf("qos: %+v, %v", r, err)
	}

	mine := must.Get(federate.Language.Plugin(policy.Text{Name: "mine", Text: "def pick(task, workers):\n" + loop + "workers.first\n"}))(t)
	c := federatetest.Cases(t, 1)[0]
	c.Config.Written = []federate.Plugin{mine}
	if r, err := federate.Run(stopping(), "mine", c.Config, c.Load, federate.Options{}); err != context.Canceled || r == nil || !r.Partial {
		t.Errorf("federate: %+v, %v", r, err)
	}
}

// Errors in a text are found without running it, except errors that only a run can show.
func TestReadingATextDoesNotRunIt(t *testing.T) {
	for _, text := range []string{"x = 1 // 0\n", "x = [i for i in range(1 << 40)]\n"} {
		for name, read := range map[string]func(policy.Text) error{
			"def order(job): return 0":          func(t policy.Text) error { _, err := placement.Language.Plugin(t); return err },
			"def queue(request, now): return 0": func(t policy.Text) error { _, err := qos.Language.Plugin(t); return err },
			"def pick(task, workers): return 0": func(t policy.Text) error { _, err := federate.Language.Plugin(t); return err },
		} {
			if err := read(policy.Text{Name: "mine", Text: text + name}); err != nil {
				t.Errorf("%s: %v", text+name, err)
			}
		}
	}
}
