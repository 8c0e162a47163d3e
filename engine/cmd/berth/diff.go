package main

import (
	"encoding/json"
	"path/filepath"

	flag "github.com/spf13/pflag"

	"berth/engine/scenario"
)

var diff = &command{
	name: "diff", group: experimentsGroup, summary: "compare two results",
	use: "BEFORE.json AFTER.json", args: []string{"BEFORE.json", "AFTER.json"},
	details: `Each file is a report, as berth run writes it, or a scenario, which Berth runs. For two
scenarios Berth also says what changed in the inputs.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		var format string
		choose(f, &format, "format", "what to print", "text", "json")
		c.writes(f, "output", insteadOfStandard)
		return func(args []string) error { return c.diff(args, format) }
	},
}

func (c *call) diff(args []string, format string) (err error) {
	var reports [2]*scenario.Report
	var scenarios [2]scenario.Scenario
	for i, file := range args {
		reports[i], scenarios[i], err = c.result(file)
		if err != nil {
			return err
		}
	}
	d, err := scenario.Compare(reports[0], reports[1])
	if err != nil {
		return badInput{err}
	}
	if scenarios[0].Body != nil && scenarios[1].Body != nil {
		d.Inputs = scenario.Changes(scenarios[0], scenarios[1])
	}
	return c.print(format, d, d.WriteText)
}

// result reads a report, or reads a scenario and runs it.
func (c *call) result(file string) (*scenario.Report, scenario.Scenario, error) {
	name, text, err := c.read(file)
	if err == nil {
		text, err = carried(name, text)
	}
	if err != nil {
		return nil, scenario.Scenario{}, err
	}
	var head struct {
		Results *string `json:"results"`
	}
	if json.Unmarshal(text, &head) == nil && head.Results != nil {
		r, err := scenario.DecodeReport(text)
		if err != nil {
			return nil, scenario.Scenario{}, inFile(name, err)
		}
		c.warnEarlier(name, r.Engine, "To run it again, give its scenario in place of the report")
		return r, scenario.Scenario{}, nil
	}
	s, err := scenario.Decode(text)
	if err != nil {
		return nil, s, inFile(name, err)
	}
	_, r, err := c.carryOut(&document{s, name, filepath.Dir(file), text}, scenario.Env{})
	return r, s, err
}
