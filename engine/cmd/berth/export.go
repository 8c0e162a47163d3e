package main

import (
	"fmt"
	"path/filepath"

	"berth/engine/format"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

var export = &command{
	name: "export", summary: "write a placement as manifests or policies",
	usage: "  berth export --format karmada|kubectl SCENARIO.json [flags]",
	details: `The scenario is run, and the placement of its first strategy written: as the
manifests with the policies of Karmada that bring them to their clusters, or as
the manifests of each cluster, which kubectl --context eu apply -l
berth/cluster=eu -f FILE tells apart.`,
	run: runExport,
}

func runExport(c *call) error {
	f := c.flags()
	as := choose(f, "format", "what to write", append(format.Writers(), "dot")...)
	c.writes(f, "output", "write to `FILE` instead of standard output")
	args, err := c.parse(f, "SCENARIO.json")
	if err != nil {
		return err
	}
	name, document, s, err := c.scenario(args[0])
	if err != nil {
		return err
	}
	if placementkind.Of(s) == nil {
		return badInputf("%s: the scenario is of kind %q, and a placement is to be written", name, s.Kind)
	}
	files := files{call: c}
	if err := files.besideOf(s, name, filepath.Dir(args[0])); err != nil {
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
	data, err := exported(e, as.value)
	if err != nil {
		return badInput{fmt.Errorf("%s: %w", name, err)}
	}
	return c.finish(data, report)
}
