package main

import (
	"errors"

	"berth/engine/scenario"
)

var run = &command{
	name: "run", summary: "run a scenario and print its report",
	usage: "  berth run SCENARIO.json [flags]",
	run:   runScenario,
}

func runScenario(c *call) error {
	f := c.flags()
	format := choose(f, "format", "what to print", "json", "text")
	output := f.String("output", "", "write to `FILE` instead of standard output")
	args, err := c.parse(f, "SCENARIO.json")
	if err != nil {
		return err
	}
	s, err := c.document(args[0])
	if err != nil {
		return err
	}
	report, err := scenario.Run(c, s, scenario.Env{Now: clock()})
	if err != nil {
		return inFile(args[0], err)
	}
	data := scenario.EncodeReport(report)
	if format.value == "text" {
		data = text(report)
	}
	return c.finish(*output, data, report, format.value == "text")
}

// document reads a scenario from a file.
func (c *call) document(file string) (scenario.Scenario, error) {
	name, data, err := c.read(file)
	if err != nil {
		return scenario.Scenario{}, err
	}
	s, err := scenario.Decode(data)
	return s, inFile(name, err)
}

// inFile puts the name of the file that the document came from into what is
// wrong with the document.
func inFile(name string, err error) error {
	var input *scenario.InputError
	if !errors.As(err, &input) {
		return err
	}
	if name == "-" {
		name = stdin
	}
	for i := range input.Diagnostics {
		d := &input.Diagnostics[i]
		if d.File == scenario.DocumentName {
			d.File, d.Line, d.Column = name, max(1, d.Line), max(1, d.Column)
		}
	}
	return input
}
