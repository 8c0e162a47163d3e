package main

import (
	"errors"
	"fmt"

	flag "github.com/spf13/pflag"

	"berth/engine/input/format"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

var export = &command{
	name: "export", group: filesGroup, summary: "write a placement as manifests or policies",
	use: "SCENARIO.json --format karmada|kubectl", args: []string{"SCENARIO.json"},
	details: `Berth runs the scenario and writes the placement of its first strategy: as manifests
with the policies of Karmada that place them, or as the manifests of each cluster.
Apply those of one cluster with kubectl --context eu apply -l berth/cluster=eu -f FILE.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		var as string
		choose(f, &as, "format", "what to write", append(format.Writers.Names(), "dot")...)
		c.writes(f, "output", insteadOfStandard)
		return func(args []string) error { return c.export(args[0], as) }
	},
}

func (c *call) export(file, as string) error {
	d, err := c.scenario(file)
	if err != nil {
		return err
	}
	if placementkind.Of(d.Scenario) == nil {
		return badInputf("%s: the scenario is of kind %q and has no placement. Give a scenario of kind placement", d.file, d.Kind)
	}
	e, report, err := c.carryOut(d, scenario.Env{})
	if err != nil {
		return err
	}
	work, err := scenario.WorkOf[*placementkind.Prepared](e)
	if err != nil {
		return err
	}
	data, err := c.exported(work, as)
	if err != nil {
		return badInputf("%s: %w", d.file, err)
	}
	return c.finish(data, report)
}

// exported returns a placement in a format of graphs or placements; nil if nothing was placed.
func (c *call) exported(work *placementkind.Prepared, as string) ([]byte, error) {
	if as == "dot" {
		as = placementkind.DOTPlain
	}
	file, err := work.Export(placementkind.ExportQuery{Deployment: placementkind.AllDeployments, Format: as})
	if errors.Is(err, placementkind.ErrNothingPlaced) {
		return nil, nil
	}
	for _, remark := range file.Remarks {
		fmt.Fprintln(c.errs, "note: "+remark)
	}
	return file.Data, err
}
