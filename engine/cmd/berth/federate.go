package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/input/csv"
	"berth/engine/input/format"
	"berth/engine/input/format/sniff"
	"berth/engine/kube/handover"
	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/show"
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
nodes of openb or Kubernetes, or machine_events of the Google trace of 2011, whose machines come and go; or
a table of the Failure Trace Archive, whose nodes are the first workers in the order in which they fail. A
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
	setUp: flagged[federateFlags](),
}

type federateFlags struct {
	laboratory
	document    federatekind.Document
	traces      list
	tasks, jobs *output
}

func (p *federateFlags) register(c *call, f *flag.FlagSet) {
	d := &p.document
	d.Workers, d.GMs, d.LMs = 5000, 10, 10
	f.Var(&p.traces, "trace", "the jobs, a `FILE`; may be repeated, or a folder, for tables that belong together")
	source(f, &d.Machines, "machines", "what each worker has, a `FILE`: a list of hosts, nodes of openb or Kubernetes (default: workers that are all alike)")
	f.Var((*list)(&d.Schedulers), "scheduler", "the `NAME` of a scheduler, or the FILE.star of one in Starlark; may be repeated, to compare: "+strings.Join(federate.Names(), ", ")+" (default megha, or one that suits the trace)")
	f.Var((*list)(&d.Schedulers), "policy", "the same as --scheduler: a `NAME`, or a FILE.star; may be repeated")
	parsed(f, &d.Shares, "shares", "the users' shares `A,B,…`, which sum to 1; with shares there is preemption", "numbers separated by commas, such as 0.25,0.75", parseShares)
	parameterFlags(f, d, federatekind.Parameters(), (*parameter.Parameter).ParseFlag)
	seed(f, &d.Seed)
	p.laboratory.register(f, federatekind.Parameters(), "json", "text")
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

func (p *federateFlags) run(c *call, _ []string) error {
	if err := p.check(c); err != nil {
		return err
	}
	keepWithin(p.memory, 1)
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // tasks and jobs hold no pointers, so frequent collections are cheap
	p.divide()
	if err := p.readMachines(c); err != nil {
		return err
	}
	report, err := p.audited(c)
	if err != nil {
		return err
	}
	return p.printReport(c, federatekind.ReportOf(report), report.Timings.Running)
}

func (p *federateFlags) readMachines(c *call) error {
	d := &p.document
	switch {
	case d.Machines == nil, sniff.Look(headOf(d.Machines.Name), sniff.Failures).Is(sniff.Failures): // the machines have the capacities that the flags describe
		return nil
	case p.Changed("workers"):
		return c.misuse("--machines says how many workers there are; leave out --workers")
	case slices.ContainsFunc([]string{"slots", "cpu", "memory", "gpus"}, func(of string) bool { return p.Changed("capacity-" + of) }):
		return c.misuse("--machines says what each worker has; leave out --capacity-slots and the like")
	}
	d.Workers = 0
	if !beginsAsKubernetes(d.Machines.Name) {
		return nil
	}
	name, data, err := c.text(d.Machines.Name, scenario.MaxBytes)
	if err != nil {
		return err
	}
	one, found := handover.Read([]format.File{{Name: name, Text: string(data)}}, nil, c.load(p.memory))
	if one == nil {
		return &scenario.InputError{Diagnostics: found}
	}
	*d.Machines = handover.Hosts(one, name)
	return nil
}

// divide limits the numbers of GMs and LMs to the number of workers, unless the user has set them.
func (p *federateFlags) divide() {
	d := &p.document
	for name, masters := range map[string]*int{"gms": &d.GMs, "lms": &d.LMs} {
		if !p.Changed(name) {
			*masters = max(1, min(*masters, d.Workers))
		}
	}
}

// audited runs the schedulers and, on request, writes the tables of tasks and of jobs. An
// interrupted run writes neither.
func (p *federateFlags) audited(c *call) (*scenario.Report, error) {
	tasks, jobs := csv.NewWriter(p.tasks), csv.NewWriter(p.jobs)
	_, report, err := conduct(c, &p.laboratory, federatekind.New("", p.document), func(w *federatekind.Prepared) {
		if p.tasks.name+p.jobs.name != "" {
			w.Audit = &federatekind.Audit{}
		}
		if p.tasks.name != "" {
			w.Audit.Tasks = tasks
		}
		if p.jobs.name != "" {
			w.Audit.Jobs = jobs
		}
	})
	if err != nil || c.Err() != nil {
		return report, err
	}
	if err := cmp.Or(tasks.Flush(), jobs.Flush()); err != nil {
		return nil, err
	}
	return report, cmp.Or(p.tasks.complete(), p.jobs.complete())
}

// check reads the policies and checks the combinations of flags that the document cannot check.
func (p *federateFlags) check(c *call) (err error) {
	d := &p.document
	if d.Trace.Name, err = c.joined(p.traces); err != nil {
		return err
	}
	if err := c.required("trace", d.Trace.Name); err != nil {
		return err
	}
	p.suit(c)
	for i, name := range d.Schedulers {
		if isPolicyFile(name) {
			text, err := c.policy(name, federate.Names())
			if err != nil {
				return err
			}
			d.Policies = append(d.Policies, text)
			d.Schedulers[i] = text.Name
		} else if _, ok := federate.Lookup(name); !ok {
			return c.misuse("--scheduler: %q is unknown: expected one of %s, or a file whose name ends in .star", name, strings.Join(federate.Names(), ", "))
		}
		if federatekind.Has(d.Schedulers[:i], d.Schedulers[i]) {
			return c.misuse("--scheduler %s is given twice", name)
		}
	}
	return nil
}

// suit sets defaults that fit the trace: as many workers as the machine of the log has processors,
// and a scheduler that can run its jobs. It reports them on standard error. Flags take precedence.
func (p *federateFlags) suit(c *call) {
	d := &p.document
	s := federatekind.Suggest(headOf(d.Trace.Name))
	if s.Workers > 0 && !p.Changed("workers") && d.Machines == nil {
		d.Workers = s.Workers
		fmt.Fprintf(c.errs, "note: %s, as many as the machine of the log has processors; --workers sets another number\n", show.Count(s.Workers, "worker"))
	}
	switch {
	case len(d.Schedulers) > 0:
	case s.Schedulers == nil:
		d.Schedulers = federate.Names()[:1]
	default:
		d.Schedulers = s.Schedulers[:1]
		fmt.Fprintf(c.errs, "note: %s, so the scheduler is %s; --scheduler chooses others, such as %s\n", s.Why, s.Schedulers[0], strings.Join(s.Schedulers[1:], ", "))
	}
}

// printReport prints a report. Notes and stalled tasks go to standard error.
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
	return c.conclude(p.output, federatekind.CommandReport(r, times), func(w io.Writer) { r.WriteText(w, &scenario.Timings{Running: times}) }, r.Partial(), r.Complete())
}
