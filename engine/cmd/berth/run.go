package main

import (
	"errors"
	"path/filepath"

	"berth/engine/diag"
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
	c.writes(f, "output", "write to `FILE` instead of standard output")
	timings := f.Bool("timings", false, "say how long it took, too, which differs from run to run")
	var most int64
	memory(f, &most)
	args, err := c.parse(f, "SCENARIO.json")
	if err != nil {
		return err
	}
	name, document, s, err := c.scenario(args[0])
	if err != nil {
		return err
	}
	files := files{call: c}
	if err := files.besideOf(s, name, filepath.Dir(args[0])); err != nil {
		return err
	}
	env := scenario.Env{Memory: most, Beside: files.open}
	if *timings {
		env.Now = clock()
	}
	report, err := scenario.Run(c, s, env)
	if err != nil {
		scenario.Locate(document, err)
		return inFile(name, err)
	}
	data := scenario.EncodeReport(report)
	if format.value == "text" {
		data = report.Text()
	}
	err = c.finish(data, report)
	if report.Partial && c.Err() != nil {
		return errInterrupted
	}
	return err
}

// scenario reads a scenario, and returns its file's name for messages and its
// text too.
func (c *call) scenario(file string) (name string, document []byte, s scenario.Scenario, err error) {
	if name, document, err = c.text(file); err != nil {
		return name, nil, s, err
	}
	s, err = scenario.Decode(document)
	return name, document, s, inFile(name, err)
}

// inFile puts the name of the file that a document came from into what is
// wrong with it.
func inFile(name string, err error) error {
	var input *scenario.InputError
	if errors.As(err, &input) {
		for i := range input.Diagnostics {
			if d := &input.Diagnostics[i]; d.File == diag.Document {
				d.File = name
			}
		}
	}
	return err
}
