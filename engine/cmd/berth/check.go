package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/diag"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/placement"
	"berth/engine/policy"
	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/study"
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
	problems, err := smallProblems(l.Kind, t)
	if err != nil {
		return inPolicy(t, file, err)
	}
	progress := newProgress(c, len(problems))
	defer progress.end()
	for i, s := range problems {
		if err := c.checkOn(t, s); err != nil {
			return inPolicy(t, file, err)
		}
		if c.Err() != nil {
			return fmt.Errorf("interrupted after %d of %d problems", i, len(problems))
		}
		if progress.terminal { // show progress, because a problem takes seconds
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

// problems has an experiment for each laboratory. Its runs are small problems on which a policy is
// tried; the words POLICY and NAME stand for the policy and its name. The smaller problems do not
// have room for all jobs and tasks. The requests of bursts are gold (burst_class is 0), so that
// some of them preempt because of their class alone.
//
//go:embed problems/*.json
var problems embed.FS

// smallProblems returns the problems of a laboratory on which a policy is checked.
func smallProblems(kind string, t policy.Text) (all []scenario.Scenario, err error) {
	document, err := problems.ReadFile("problems/" + kind + ".json")
	if err != nil {
		return nil, err
	}
	text, _ := json.Marshal(t) // strings always encode
	name, _ := json.Marshal(t.Name)
	s, err := scenario.Decode([]byte(strings.NewReplacer("POLICY", string(text), "NAME", string(name)).Replace(string(document))))
	if err != nil {
		return nil, err
	}
	experiment := study.Of(s)
	plan, err := study.NewPlan(experiment)
	for i := 0; err == nil && i < plan.Runs(); i++ {
		run := plan.Run(i)
		run.Scenario.Name = fmt.Sprintf("%s, seed %d", experiment.Factors[0].Levels[plan.Cell(i)].Label, run.Seed)
		all, err = append(all, run.Scenario), run.Err
	}
	return all, err
}
