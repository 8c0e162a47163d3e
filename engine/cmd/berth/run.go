package main

import (
	"errors"
	"path/filepath"

	"berth/engine/scenario"
)

var run = &command{
	name: "run", summary: "run a scenario and print its report",
	usage: "  berth run SCENARIO.json [flags]",
	details: `Inputs that a scenario has as the name of a file alone are read from the folder of
the scenario. When a simulation is interrupted, the report has the figures of what
had been simulated by then.`,
	run: runScenario,
}

func runScenario(c *call) error {
	f := c.flags()
	format := choose(f, "format", "what to print", "json", "text")
	output := f.String("output", "", "write to `FILE` instead of standard output")
	args, err := c.parse(f, "SCENARIO.json")
	if err != nil {
		return err
	}
	name, document, err := c.read(args[0])
	if err != nil {
		return err
	}
	s, err := scenario.Decode(document)
	if err != nil {
		return inFile(name, err)
	}
	files := files{call: c}
	if err := files.besideOf(s, filepath.Dir(args[0])); err != nil {
		return err
	}
	report, err := scenario.Run(c, s, scenario.Env{Now: clock(), Beside: files.open})
	if err != nil {
		scenario.Locate(document, err)
		return inFile(name, err)
	}
	data := scenario.EncodeReport(report)
	if format.value == "text" {
		data = report.Text()
	}
	err = c.finish(*output, data, report)
	if report.Partial && c.Err() != nil {
		return c.Err()
	}
	return err
}

// inFile puts the name of the file that a document came from into what is
// wrong with it.
func inFile(name string, err error) error {
	var input *scenario.InputError
	if errors.As(err, &input) {
		for i := range input.Diagnostics {
			if d := &input.Diagnostics[i]; d.File == scenario.DocumentName {
				d.File = name
			}
		}
	}
	return err
}
