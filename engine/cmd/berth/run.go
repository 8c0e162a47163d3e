package main

import (
	"errors"
	"path/filepath"

	flag "github.com/spf13/pflag"

	"berth/engine/bundle"
	"berth/engine/packed"
	"berth/engine/scenario"
	"berth/engine/study"
)

var run = &command{
	name: "run", group: experimentsGroup, summary: "run a scenario and print its report",
	use: "SCENARIO.json", args: []string{"SCENARIO.json"},
	examples: `  # The same bytes as on the page
  berth run shop.json

  # Bundle the run, and verify the bundle on any machine
  berth run shop.json --bundle shop.zip
  berth run shop.zip --verify`,
	details: `A bundle is a zip with the scenario and all files that it reads, the report, their
hashes, the name of the engine and the command that repeats the run. --verify
repeats the run and compares the results byte for byte; if they differ, the output
names the hash and the status is 3. Without --verify Berth runs the scenario of the
bundle.

If a scenario has only the name of an input file, Berth reads the file from the folder
of the scenario. If you interrupt a simulation, the report has the figures up to then.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		p := &runFlags{}
		p.register(c, f)
		return func(args []string) error { return p.run(c, args[0]) }
	},
}

type runFlags struct {
	format          *choice
	timings, verify bool
	memory          int64
	bundle          *output
}

func (p *runFlags) register(c *call, f *flag.FlagSet) {
	p.format = choose(f, "format", "what to print", "json", "text")
	c.writes(f, "output", insteadOfStandard)
	f.BoolVar(&p.timings, "timings", false, "also say how long it took, which differs from run to run")
	memory(f, &p.memory)
	p.bundle = c.bundles(f)
	f.BoolVar(&p.verify, "verify", false, "repeat the run of a bundle, and compare the results")
}

func (p *runFlags) run(c *call, file string) error {
	keepWithin(p.memory, 1)
	if p.verify {
		if p.bundle.name != "" || p.timings {
			return c.misuse("--verify makes no report: leave out --bundle and --timings")
		}
		return c.verify(file, scenario.Env{Memory: p.memory})
	}
	name, document, s, err := c.scenario(file)
	if err != nil {
		return err
	}
	s = study.Expand(s)
	env := scenario.Env{Memory: p.memory}
	if p.bundle.name != "" {
		s, err = c.selfContained(s, name, filepath.Dir(file))
	} else {
		files := files{call: c}
		env.Beside, err = files.open, files.besideOf(s, name, filepath.Dir(file))
	}
	if err != nil {
		return err
	}
	if p.timings {
		env.Now = clock()
	}
	report, err := scenario.Run(c, s, env)
	if err != nil {
		scenario.Locate(document, err)
		return inFile(name, err)
	}
	data := scenario.EncodeReport(report)
	if p.format.value == "text" {
		data = report.Text()
	}
	if p.bundle.name != "" && !report.Partial {
		if err := writeBundle(p.bundle, s, report, ""); err != nil {
			return err
		}
	}
	err = c.finish(data, report)
	if report.Partial && c.Err() != nil {
		return errInterrupted
	}
	return err
}

// scenario reads a scenario, or the scenario of a bundle, and returns also its file name for
// messages and its text.
func (c *call) scenario(file string) (name string, document []byte, s scenario.Scenario, err error) {
	name, document, err = c.read(file)
	if err != nil {
		return name, nil, s, err
	}
	if packed.Begins(document, packed.Zip) {
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

// inFile adds the file name of a document to the errors about it.
func inFile(name string, err error) error {
	var input *scenario.InputError
	if errors.As(err, &input) {
		input.Diagnostics.InFile(name)
	}
	return err
}
