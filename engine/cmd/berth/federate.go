package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/csv"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/format"
	"berth/engine/handover"
	"berth/engine/parameter"
	"berth/engine/scenario"
)

var federateCommand = &command{
	name: "federate", group: modelsGroup, summary: "simulate schedulers that share one data centre",
	use: "--trace T.tr",
	examples: `  # Megha and Sparrow on 5,000 workers
  berth federate --trace jobs.tr --workers 5000 --gms 10 --lms 10 --scheduler megha --scheduler sparrow --format text`,
	details: `The trace has one of several formats, and may be compressed:
- one line per job, "arrival_s number_of_tasks mean_duration_s d1 … dn"; each task
  takes one slot, and each worker has one;
- a log of the Parallel Workloads Archive in the Standard Workload Format; each
  processor of a job is a task, and easy and conservative start them together;
- CSV with the header arrival,job,user,duration,cpu,memory,constraints,priority,after, for
  workers of 64 cores and 16 GB. Constraints are numbers from 0, separated by semicolons;
  the seed draws the workers that satisfy them, by tables of our own;
- jobs of another system, such as what sacct prints or a workload of Batsim: the
  page about formats in the documentation lists them all.

With --machines the workers differ: a list of hosts with the header
name,cpu,memory,attributes,gpus,count,slots,speed (name, cpu and memory are required);
nodes of openb or Kubernetes, or machine_events of the Google trace of 2011, whose machines come and go. A
row stands for count machines, each with so many slots (1) for traces of slots; a task
runs for its duration over the speed (1). Sparrow and Pigeon want one slot a machine.

Give the shares of the users in the order in which the trace names them; in a trace
without users, job k belongs to user k mod their number, from 0. Without shares
there is one queue for each user of the trace, or for each GM, and no preemption.
The scheduler megha-1 was called centralised, and still answers to that name.
JSON has times in seconds, and null for undefined times. The files of --tasks and
--jobs have the clock of the trace, and numbers from 0 in order of arrival; a task
that was stopped has its last start. With several schedulers the last column has
their names. Status 3 says that a task could not run to its end.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		p := &federateFlags{}
		p.register(c, f)
		return func([]string) error { return p.run(c, f) }
	},
}

type federateFlags struct {
	document              federatekind.Document
	machines              string
	traces, schedulers    list
	preset, state, output *choice
	memory                int64
	tasks, jobs           *output
}

func (p *federateFlags) register(c *call, f *flag.FlagSet) {
	d := &p.document
	d.Workers, d.GMs, d.LMs = 5000, 10, 10
	f.Var(&p.traces, "trace", "the jobs, a `FILE`; may be repeated, or a folder, for tables that belong together")
	f.StringVar(&p.machines, "machines", "", "what each worker has, a `FILE`: a list of hosts, nodes of openb or Kubernetes (default: workers that are all alike)")
	f.Var(&p.schedulers, "scheduler", "the `NAME` of a scheduler, or the FILE.star of one in Starlark; may be repeated, to compare: "+strings.Join(federate.Names(), ", ")+" (default megha)")
	f.Var(&p.schedulers, "policy", "the same as --scheduler: a `NAME`, or a FILE.star; may be repeated")
	parsed(f, &d.Shares, "shares", "the users' shares `A,B,…`, which sum to 1; with shares there is preemption", "numbers separated by commas, such as 0.25,0.75", parseShares)
	f.BoolVar(&d.IdealProcessing, "ideal-processing", false, "GMs and LMs take no time")
	p.preset = choose(f, "preset", "costs", "default", "paper")
	p.state = choose(f, "state", "workers whose state an answer of an LM carries", federatekind.ChangedState, federatekind.FullState)
	parameterFlags(f, d, federatekind.SweepParameters(), (*parameter.Parameter).ParseFlag) // without the number of seeds: the report has no means
	seed(f, &d.Seed)
	memory(f, &p.memory)
	p.output = choose(f, "format", "what to print", "json", "text")
	p.tasks = c.writes(f, "tasks", "write one line per task to `FILE`, as CSV")
	p.jobs = c.writes(f, "jobs", "write one line per job to `FILE`, as CSV")
}

func parseShares(text string) ([]float64, bool) {
	var shares []float64
	for part := range strings.SplitSeq(text, ",") {
		share, ok := finite(strings.TrimSpace(part))
		if !ok {
			return nil, false
		}
		shares = append(shares, share)
	}
	return shares, true
}

func (p *federateFlags) run(c *call, f *flag.FlagSet) error {
	if err := p.check(c); err != nil {
		return err
	}
	keepWithin(p.memory, 1)
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // tasks and jobs hold no pointers, so frequent collections are cheap
	p.divide(f)
	d, fields := &p.document, fields{f, federatekind.Parameters()}
	d.Preset, d.Schedulers = p.preset.value, p.schedulers
	if err := p.readMachines(c, f); err != nil {
		return err
	}
	if p.state.value != federatekind.ChangedState {
		d.State = p.state.value
	}
	e, err := prepare[*federatekind.Prepared](c, fields, federatekind.New("", *d), p.memory)
	if err != nil {
		return err
	}
	for _, warning := range e.work.Warnings() {
		fmt.Fprintf(c.errs, "warning: %s\n", warning)
	}
	report, err := p.audited(c, e)
	if err != nil {
		return fields.errors(federatekind.Name, err)
	}
	return p.printReport(c, federatekind.ReportOf(report), report.Timings.Running)
}

// readMachines sets the machines of the document from --machines.
func (p *federateFlags) readMachines(c *call, f *flag.FlagSet) error {
	d := &p.document
	switch {
	case p.machines == "":
		return nil
	case f.Changed("workers"):
		return c.misuse("--machines says how many workers there are; leave out --workers")
	case slices.ContainsFunc([]string{"slots", "cpu", "memory", "gpus"}, func(of string) bool { return f.Changed("capacity-" + of) }):
		return c.misuse("--machines says what each worker has; leave out --capacity-slots and the like")
	}
	d.Workers, d.Machines = 0, &scenario.Source{Name: p.machines}
	if !beginsAsKubernetes(p.machines) {
		return nil
	}
	name, data, err := c.text(p.machines)
	if err != nil {
		return err
	}
	one, found := handover.Read([]format.File{{Name: name, Text: string(data)}}, nil, c.load(p.memory))
	if one == nil {
		return &scenario.InputError{Diagnostics: found}
	}
	hosts := handover.Hosts(one, name)
	d.Machines = &hosts
	return nil
}

// divide limits GMs and LMs that the user did not set to the number of workers.
func (p *federateFlags) divide(f *flag.FlagSet) {
	d := &p.document
	for name, masters := range map[string]*int{"gms": &d.GMs, "lms": &d.LMs} {
		if !f.Changed(name) {
			*masters = max(1, min(*masters, d.Workers))
		}
	}
}

// audited runs the schedulers and writes the table of tasks and of jobs, if asked for. An
// interrupted run writes neither.
func (p *federateFlags) audited(c *call, e prepared[*federatekind.Prepared]) (*scenario.Report, error) {
	tasks, jobs := csv.NewWriter(p.tasks), csv.NewWriter(p.jobs)
	if p.tasks.name+p.jobs.name != "" {
		e.work.Audit = &federatekind.Audit{}
	}
	if p.tasks.name != "" {
		e.work.Audit.Tasks = tasks
	}
	if p.jobs.name != "" {
		e.work.Audit.Jobs = jobs
	}
	report, err := e.Run(c)
	if err != nil || c.Err() != nil {
		return report, err
	}
	if err := cmp.Or(tasks.Flush(), jobs.Flush()); err != nil {
		return nil, err
	}
	return report, cmp.Or(p.tasks.complete(), p.jobs.complete())
}

func (p *federateFlags) check(c *call) error {
	var err error
	if p.document.Trace.Name, err = c.joined(p.traces); err != nil {
		return err
	}
	if p.document.Trace.Name == "" {
		return c.misuse("--trace is missing")
	}
	if len(p.schedulers) == 0 {
		p.schedulers = list{federate.Names()[0]}
	}
	for _, o := range []*output{p.tasks, p.jobs} {
		if o.mixesWith(c.out) {
			return c.misuse("--%s: standard output is for the report; expected the name of a file", o.flag)
		}
	}
	for i, name := range p.schedulers {
		if isPolicyFile(name) {
			text, err := c.policy(name, federate.Names())
			if err != nil {
				return err
			}
			p.document.Policies = append(p.document.Policies, text)
			p.schedulers[i] = text.Name
		} else if _, ok := federate.Lookup(name); !ok {
			return c.misuse("--scheduler: %q is unknown: expected one of %s, or a file whose name ends in .star", name, strings.Join(federate.Names(), ", "))
		}
		if federatekind.Has(p.schedulers[:i], p.schedulers[i]) {
			return c.misuse("--scheduler %s is given twice", name)
		}
	}
	return nil
}

// printReport prints a report, and its notes and stalled tasks to standard error.
func (p *federateFlags) printReport(c *call, r *federatekind.Report, times [][]float64) error {
	notes, _ := r.Remarks()
	for _, note := range notes {
		fmt.Fprintf(c.errs, "note: %s\n", note)
	}
	for _, s := range r.Schedulers {
		for _, left := range s.Stalled {
			fmt.Fprintf(c.errs, "%s: %s\n", s.Name, left)
		}
	}
	data, err := p.output.rendered(federatekind.CommandReport(r, times), func(w io.Writer) { r.WriteText(w, &scenario.Timings{Running: times}) })
	if err != nil {
		return err
	}
	if _, err := c.out.Write(data); err != nil {
		return err
	}
	switch {
	case r.Partial():
		return errInterrupted
	case !r.Complete():
		return errNotPlaced
	}
	return nil
}
