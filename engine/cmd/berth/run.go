package main

import (
	"errors"
	"path/filepath"

	"berth/engine/bundle"
	"berth/engine/diag"
	"berth/engine/scenario"
)

var run = &command{
	name: "run", summary: "run a scenario and print its report",
	usage: "  berth run SCENARIO.json [flags]\n  berth run BUNDLE.zip --verify",
	details: `A bundle is a zip with the scenario and all that it reads, the report, their hashes,
the version of the engine and the command that repeats the run. With --verify the run
is repeated, and what it gives compared byte for byte; status 3 says that something is
not the same, and the output which hash. Without it the scenario of the bundle is run.

Inputs that a scenario has as the name of a file alone are read from the folder of
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
	packed := c.bundles(f)
	verify := f.Bool("verify", false, "repeat the run of a bundle, and compare what it gives")
	args, err := c.parse(f, "SCENARIO.json")
	if err != nil {
		return err
	}
	keepWithin(most, 1)
	if *verify {
		if packed.name != "" || *timings {
			return c.misuse("--verify makes no report: leave out --bundle and --timings")
		}
		return c.verify(args[0], scenario.Env{Memory: most})
	}
	name, document, s, err := c.scenario(args[0])
	if err != nil {
		return err
	}
	env := scenario.Env{Memory: most}
	if packed.name != "" {
		s, err = c.selfContained(s, name, filepath.Dir(args[0]))
	} else {
		files := files{call: c}
		env.Beside, err = files.open, files.besideOf(s, name, filepath.Dir(args[0]))
	}
	if err != nil {
		return err
	}
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
	if packed.name != "" && !report.Partial {
		if err := writeBundle(packed, s, report); err != nil {
			return err
		}
	}
	err = c.finish(data, report)
	if report.Partial && c.Err() != nil {
		return errInterrupted
	}
	return err
}

// scenario reads a scenario, which may be that of a bundle, and returns its file's
// name for messages and its text too.
func (c *call) scenario(file string) (name string, document []byte, s scenario.Scenario, err error) {
	name, document, err = c.read(file)
	if err != nil {
		return name, nil, s, err
	}
	if bundle.Is(document) {
		b, err := bundle.Decode(document)
		if err != nil {
			return name, nil, s, badInputf("%s: %w", name, err)
		}
		document = b.Scenario
	} else {
		document, err = unpacked(name, document, scenario.MaxBytes)
		if err != nil {
			return name, nil, s, err
		}
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
