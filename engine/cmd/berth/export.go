package main

import (
	"fmt"
	"path/filepath"

	flag "github.com/spf13/pflag"

	"berth/engine/format"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

var export = &command{
	name: "export", group: filesGroup, summary: "write a placement as manifests or policies",
	use: "SCENARIO.json --format karmada|kubectl", args: []string{"SCENARIO.json"},
	details: `The scenario is run, and the placement of its first strategy written: as the
manifests with the policies of Karmada that bring them to their clusters, or as
the manifests of each cluster, which kubectl --context eu apply -l
berth/cluster=eu -f FILE tells apart.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		as := choose(f, "format", "what to write", append(format.Writers(), "dot")...)
		c.writes(f, "output", "write to `FILE` instead of standard output")
		return func(args []string) error { return c.export(args[0], as.value) }
	},
}

func (c *call) export(file, as string) error {
	name, document, s, err := c.scenario(file)
	if err != nil {
		return err
	}
	if placementkind.Of(s) == nil {
		return badInputf("%s: the scenario is of kind %q, and a placement is to be written", name, s.Kind)
	}
	files := files{call: c}
	if err := files.besideOf(s, name, filepath.Dir(file)); err != nil {
		return err
	}
	e, err := scenario.Prepare(c, s, scenario.Env{Beside: files.open})
	if err != nil {
		scenario.Locate(document, err)
		return inFile(name, err)
	}
	report, err := e.Run(c)
	if err != nil {
		return err
	}
	data, err := exported(e, as)
	if err != nil {
		return badInput{fmt.Errorf("%s: %w", name, err)}
	}
	return c.finish(data, report)
}
