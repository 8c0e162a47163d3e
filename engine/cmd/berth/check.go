package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	flag "github.com/spf13/pflag"

	"berth/engine/diag"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/placement"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/engine/policy"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/workload"
	"berth/engine/written"
)

var check = &command{
	name: "check", group: experimentsGroup, summary: "check a policy that is written in Starlark",
	use: "POLICY.star", args: []string{"POLICY.star"},
	examples: `  # Every error has its line and column
  berth check mine.star`,
	details: `Berth picks the laboratory by the functions that the policy defines, and runs the
policy on small problems, each of them twice: it must not fail, must give the same
result again, and a scheduler must start every task. Status 2 says that it does not,
and standard error has the line and column.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		var most int64
		memory(f, &most)
		return func(args []string) error {
			keepWithin(most, 1)
			return c.checkPolicy(args[0])
		}
	},
}

// checkPolicy runs a policy on the small problems of its laboratory.
func (c *call) checkPolicy(file string) error {
	t, err := c.policy(file, slices.Concat(placement.Names(), qos.Names(), federate.Names()))
	if err != nil {
		return err
	}
	l, err := written.LaboratoryOf(t)
	if err != nil {
		return inPolicy(t, file, err)
	}
	problems := smallProblems[l.Kind](t)
	progress := newProgress(c, len(problems))
	defer progress.end()
	for i, s := range problems {
		if err := c.checkOn(t, s); err != nil {
			return inPolicy(t, file, err)
		}
		if c.Err() != nil {
			return fmt.Errorf("interrupted after %d of %d problems", i, len(problems))
		}
		if progress.terminal { // a problem takes seconds
			progress.add(false)
		}
	}
	_, err = fmt.Fprintf(c.out, "%s: a policy of %s, which holds on %d problems\n", t.File(), l.Kind, len(problems))
	return err
}

// inPolicy replaces the policy's name in an error by the file name that the user gave.
func inPolicy(t policy.Text, file string, err error) error {
	if input, ok := errors.AsType[*scenario.InputError](err); ok {
		for i := range input.Diagnostics {
			if d := &input.Diagnostics[i]; d.File == t.File() {
				d.File = file
			}
		}
		return err
	}
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok {
		at := *d
		at.File = file
		return badInput{&at}
	}
	return err
}

// checkOn runs a policy twice on a problem. It returns an error if the policy fails, leaves tasks
// or gives two different results.
func (c *call) checkOn(t policy.Text, s scenario.Scenario) error {
	first, err := scenario.Run(c, s, scenario.Env{})
	if err != nil {
		return err
	}
	if r := federatekind.ReportOf(first); r != nil {
		for _, left := range r.Schedulers[0].Stalled {
			return diag.New(t.File(), 1, 1, policyFails, s.Name, left)
		}
	}
	again, err := scenario.Run(c, s, scenario.Env{})
	if err == nil && !bytes.Equal(scenario.EncodeReport(first), scenario.EncodeReport(again)) {
		err = errors.New("a second run of the policy differs from the first: this is a fault in Berth")
	}
	return err
}

// checkedSeeds is the number of seeds for each sort of problem.
const checkedSeeds = 5

// smallProblems returns the problems of each laboratory on which a policy is checked.
var smallProblems = map[string]func(policy.Text) []scenario.Scenario{
	placementkind.Name: func(t policy.Text) (all []scenario.Scenario) {
		for seed := range uint64(checkedSeeds) {
			for _, clusters := range []float64{3, 20} { // the smaller one has no room for all jobs
				recipe := func(generator string, parameters map[string]float64) placementkind.Source {
					return placementkind.Source{Name: generator, Recipe: &workload.Recipe{Generator: generator, Preset: graphs.ThesisPreset, Seed: seed, Parameters: parameters}}
				}
				all = append(all, placementkind.New(fmt.Sprintf("%v clusters, seed %d", clusters, seed), placementkind.Document{
					Federation:  recipe(graphs.FederationGenerator, map[string]float64{"n_nodes": clusters}),
					Deployments: []placementkind.Source{recipe(graphs.DeploymentGenerator, map[string]float64{"n_nodes": 8, "n_edges": 10})},
					Strategies:  []placementkind.StrategyRun{{Policy: &t}}, Budget: 1000, Seed: seed,
				}))
			}
		}
		return all
	},
	qoskind.Name: func(t policy.Text) (all []scenario.Scenario) { // in its bursts gold requests preempt by class alone, too
		for seed := range uint64(checkedSeeds) {
			recipe := func(generator string, parameters map[string]float64) scenario.Source {
				return scenario.Source{Name: generator, Recipe: &workload.Recipe{Generator: generator, Preset: qoskind.FirstHour, Seed: seed, Parameters: parameters}}
			}
			all = append(all, qoskind.New(fmt.Sprintf("200 requests on too few hosts, seed %d", seed), qoskind.Document{
				Workload: recipe(qoskind.RequestsGenerator, map[string]float64{"requests": 200, "days": 0.01, "burst_class": 0}),
				Hosts:    recipe(qoskind.HostsGenerator, map[string]float64{"part": 0.3}),
				Policies: []qoskind.PolicyRun{{Policy: &t}}, Seed: seed, Horizon: 500,
			}))
		}
		return all
	},
	federatekind.Name: func(t policy.Text) (all []scenario.Scenario) {
		for seed := range uint64(checkedSeeds) {
			for _, workers := range []int{4, 40} {
				all = append(all, federatekind.New(fmt.Sprintf("%d workers, seed %d", workers, seed), federatekind.Document{
					Trace: scenario.Source{Name: "jobs", Recipe: &workload.Recipe{
						Generator: workload.JobsGenerator, Preset: workload.JobPresets()[0], Seed: seed, Parameters: map[string]float64{"jobs": 15, "max_tasks": 20, "constraints": 0},
					}},
					Workers: workers, GMs: 2, LMs: 2, Seed: seed, Schedulers: []string{t.Name}, Policies: []policy.Text{t},
				}))
			}
		}
		return all
	},
}
