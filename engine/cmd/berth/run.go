package main

import (
	"context"
	"errors"
	"path/filepath"

	flag "github.com/spf13/pflag"

	"berth/engine/bundle"
	"berth/engine/event"
	"berth/engine/input/packed"
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
of the scenario. A picture, or a report saved as a page, is read as the scenario that
it carries. If you interrupt a simulation, the report has the figures up to then.`,
	setUp: flagged[runFlags](),
}

type runFlags struct {
	format          string
	timings, verify bool
	memory          int64
	bundle          *output
}

func (p *runFlags) register(c *call, f *flag.FlagSet) {
	choose(f, &p.format, "format", "what to print: the report, or the events for Perfetto or as CSV", "json", "text", "perfetto", "csv")
	c.writes(f, "output", insteadOfStandard)
	f.BoolVar(&p.timings, "timings", false, "also say how long it took, which differs from run to run")
	memory(f, &p.memory)
	p.bundle = c.bundles(f)
	f.BoolVar(&p.verify, "verify", false, "repeat the run of a bundle, and compare the results")
}

func (p *runFlags) run(c *call, args []string) error {
	file := args[0]
	keepWithin(p.memory, 1)
	if p.verify {
		if p.bundle.name != "" || p.timings {
			return c.misuse("--verify makes no report: leave out --bundle and --timings")
		}
		return c.verify(file, scenario.Env{Memory: p.memory})
	}
	d, err := c.scenario(file)
	if err != nil {
		return err
	}
	d.Scenario = study.Expand(d.Scenario)
	env := scenario.Env{Memory: p.memory}
	if p.bundle.name != "" {
		if err := c.embed(d); err != nil {
			return err
		}
	}
	if p.timings {
		env.Now = clock()
	}
	e, report, err := c.carryOut(d, env)
	if err != nil {
		return err
	}
	data, err := p.rendered(c, e, report)
	if err != nil {
		return inFile(d.file, err)
	}
	if p.bundle.name != "" && !report.Partial {
		if err := writeBundle(p.bundle, d.Scenario, report, ""); err != nil {
			return err
		}
	}
	err = c.finish(data, report)
	if report.Partial && c.Err() != nil {
		return errInterrupted
	}
	return err
}

// rendered returns the report, or the events of its runs, in the chosen format.
func (p *runFlags) rendered(c *call, e *scenario.Prepared, report *scenario.Report) ([]byte, error) {
	var write func([]event.Run) []byte
	switch p.format {
	case "json":
		return scenario.EncodeReport(report), nil
	case "text":
		return report.Text(), nil
	case "csv":
		write = event.CSV
	default:
		write = event.Perfetto
	}
	work, err := scenario.WorkOf[interface {
		scenario.Work
		Events(context.Context) ([]event.Run, error)
	}](e)
	if err != nil {
		return nil, err
	}
	runs, err := work.Events(c)
	if err != nil {
		return nil, err
	}
	return write(runs), nil
}

// document is a scenario that was read from a file. The paths of its other files are relative to
// folder.
type document struct {
	scenario.Scenario
	file   string // name of the file, for messages
	folder string
	text   []byte
}

// carried returns the text of a document, or of the document in a picture or a report.
func carried(name string, file []byte) ([]byte, error) {
	text, err := scenario.Carried(file)
	if err != nil {
		return nil, badInputf("%s: %w", name, err)
	}
	return unpacked(name, text, scenario.MaxBytes)
}

// scenario reads a scenario from a document, a bundle, a picture or a report as a page.
func (c *call) scenario(file string) (*document, error) {
	name, text, err := c.read(file)
	if err != nil {
		return nil, err
	}
	if packed.Begins(text, packed.Zip) {
		b, err := bundle.Decode(text)
		if err != nil {
			return nil, badInputf("%s: %w", name, err)
		}
		text = b.Scenario
	} else if text, err = carried(name, text); err != nil {
		return nil, err
	}
	s, err := scenario.Decode(text)
	return &document{s, name, filepath.Dir(file), text}, inFile(name, err)
}

// carryOut prepares and runs a scenario with its files.
func (c *call) carryOut(d *document, env scenario.Env) (e *scenario.Prepared, report *scenario.Report, err error) {
	files, err := c.beside(d.Scenario, d)
	if err != nil {
		return nil, nil, err
	}
	env.Beside = files.open
	if e, err = scenario.Prepare(c, d.Scenario, env); err == nil {
		report, err = e.Run(c)
	}
	scenario.Locate(d.text, err)
	return e, report, inFile(d.file, err)
}

// inFile sets the file name in the diagnostics about a document.
func inFile(name string, err error) error {
	var input *scenario.InputError
	if errors.As(err, &input) {
		input.Diagnostics.InFile(name)
	}
	return err
}
