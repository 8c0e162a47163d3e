package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	flag "github.com/spf13/pflag"

	"berth/engine/cmd/berth/queue"
	"berth/engine/runs"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

var sweep = &command{
	name: "sweep", group: experimentsGroup, summary: "run an experiment: many runs of one scenario, on one machine or many",
	use: "EXPERIMENT.json", args: []string{"EXPERIMENT.json…"},
	examples: `  # On every processor; the same command continues after a stop
  berth sweep experiment.json --store results

  # Half of the runs on each of two machines, then one table
  berth sweep experiment.json --store a --share 0/2
  berth sweep experiment.json --store b --share 1/2
  berth sweep experiment.json --store a --merge b`,
	details: `A scenario that is not an experiment has one run, or the runs of its own seeds and
sweep. The store keeps each run, also a failed one, under a hash of its inputs: the same
command continues an interrupted experiment, and experiments share the runs that they
have in common. Without --store Berth keeps results until the command ends.

If the base has only the name of an input file, Berth reads the file from the folder
of the experiment.

--nats lets workers on other machines take runs (see berth worker), and keeps results
on that server instead of a store. --share prints all known results when the runs of
the share are done; share N/N is share 0/N. --merge adds the results of other stores.
--bundle needs all runs to be done. --kubernetes prints a Job with one pod for each
share; --workers is their number.

Status 3 says that a run failed.`,
	setUp: flagged[sweepFlags](),
}

type sweepFlags struct {
	store, nats, creds, image string
	workers                   int
	format                    string
	dryRun, kubernetes        bool
	share, shares             int // this process takes every shares-th run; shares 0: all runs
	merge                     list
	memory                    int64
	bundle                    *output
	carried                   atomic.Int64 // number of runs executed by this process
}

// Help texts about the stores of sweep and gallery.
const (
	storeUsage    = "keep results in `DIR`, and reuse those in it"
	storeOrServer = "--store and --nats exclude each other: with --nats the server keeps the results"
)

// mostWorkers limits the number of concurrent runs.
const mostWorkers = 1024

func (p *sweepFlags) register(c *call, f *flag.FlagSet) {
	f.StringVar(&p.store, "store", "", storeUsage)
	p.registerWorkers(f, 0)
	choose(f, &p.format, "format", "what to print", "text", "csv", "json")
	c.writes(f, "output", insteadOfStandard)
	p.bundle = c.bundles(f)
	f.BoolVar(&p.dryRun, "dry-run", false, "print the runs without carrying them out")
	f.Func("share", "carry out share `I/N` of the runs, from 0/N", p.parseShare)
	f.Var(&p.merge, "merge", "add the results of the store `DIR`; may be repeated, and more may follow as arguments")
	f.BoolVar(&p.kubernetes, "kubernetes", false, "print a Job for Kubernetes and the objects that it needs")
	f.StringVar(&p.image, "image", "", "the container `IMAGE` of the Job, which has berth in its path")
}

// registerWorkers adds the flags that sweep and worker share.
func (p *sweepFlags) registerWorkers(f *flag.FlagSet, least int) {
	p.workers = runtime.NumCPU()
	const usage = "`N` runs at a time (default one for each processor)"
	parsed(f, &p.workers, "workers", usage, fmt.Sprintf("a whole number from %d to %d", least, mostWorkers), whole(least, mostWorkers))
	f.StringVar(&p.nats, "nats", "", "use the NATS server at `URL`, with TLS if it begins with tls://")
	f.StringVar(&p.creds, "nats-creds", "", "NATS credentials, a `FILE`")
	memory(f, &p.memory)
}

func (p *sweepFlags) parseShare(text string) error {
	i, n, ok := strings.Cut(text, "/")
	share, err := strconv.Atoi(i)
	shares, errN := strconv.Atoi(n)
	if !ok || err != nil || errN != nil || shares < 1 || share < 0 || share > shares {
		return errors.New("expected I/N with I from 0 to N, such as 0/4")
	}
	p.share, p.shares = share%shares, shares
	return nil
}

func (p *sweepFlags) run(c *call, args []string) error {
	file, err := p.arguments(c, args)
	if err != nil {
		return err
	}
	var s *swept
	if file != "" {
		s, err = newSwept(c, p, file)
		if err != nil {
			return err
		}
	}
	switch {
	case p.kubernetes:
		return s.kubernetes()
	case p.dryRun:
		return s.dryRun()
	}
	at, err := p.open(c, len(p.merge) > 0)
	if err != nil {
		return err
	}
	defer at.close()
	for _, folder := range p.merge {
		if err := mergeStore(c, at.keep, folder); err != nil {
			return err
		}
	}
	if s == nil {
		return nil
	}
	return s.run(at)
}

// arguments finds the experiment and the stores to merge among the arguments, and checks the
// combination of flags.
func (p *sweepFlags) arguments(c *call, args []string) (file string, err error) {
	for _, a := range args {
		info, err := os.Stat(a)
		switch {
		case len(p.merge) > 0 && err == nil && info.IsDir():
			p.merge = append(p.merge, a)
		case file != "":
			return "", c.misuse("unexpected argument %q", a)
		default:
			file = a
		}
	}
	switch {
	case file == "" && (len(p.merge) == 0 || p.kubernetes || p.dryRun):
		return "", c.misuse("EXPERIMENT.json is missing")
	case file == "" && p.store == "" && p.nats == "":
		return "", c.misuse("--merge without an experiment needs a --store")
	case p.store != "" && p.nats != "":
		return "", c.misuse(storeOrServer)
	case p.workers == 0 && p.nats == "":
		return "", c.misuse("--workers 0 leaves the runs to other machines and needs --nats")
	case p.creds != "" && p.nats == "":
		return "", c.misuse("--nats-creds needs --nats")
	case p.bundle.name != "" && (file == "" || p.kubernetes || p.dryRun):
		return "", c.misuse("--bundle needs an experiment that is run")
	case p.kubernetes != (p.image != ""):
		return "", c.misuse("--kubernetes and --image go together")
	}
	return file, nil
}

// site is the place where runs are executed and results are stored: this machine, or a server that
// many machines share.
type site struct {
	store study.Store // nil if results are not kept
	keep  func(context.Context, string, *study.Result) error
	queue *queue.Queue // nil: runs are executed on this machine
	close func()
}

// open opens the store that the flags name. Without a store it keeps results in memory if again is
// true, which means that the command needs them again.
func (p *sweepFlags) open(c *call, again bool) (*site, error) {
	switch {
	case p.nats != "":
		q, err := queue.Connect(p.nats, p.creds, func(message string) { fmt.Fprintln(c.errs, message) })
		if err != nil {
			return nil, badInput{err}
		}
		p.nats = q.Place // messages must not show credentials
		if err := q.Create(c); err != nil {
			q.Close()
			return nil, err
		}
		return &site{queue.Kept{Queue: q}, q.Keep, q, q.Close}, nil
	case p.store != "":
		s, err := openStore(c, p.store)
		if err != nil {
			return nil, err
		}
		return &site{store: s, keep: s.Put, close: s.close}, nil
	case again:
		m := &study.Memory{}
		return &site{store: m, keep: m.Put, close: func() {}}, nil
	}
	return &site{close: func() {}}, nil
}

// workers returns the workers of the experiment: goroutines on this machine, or all workers of a
// server.
func (s *swept) workers(at *site) study.Workers {
	if at.queue == nil {
		return runs.AtOnce(s.flags.workers, s.carry)
	}
	return at.queue.Workers(s.flags.workers, s.flags.carry, func(ctx context.Context, j study.Job) (study.Inputs, error) { return s.inputs(ctx, at.queue, j) })
}

// swept is an experiment while the command sweep or gallery runs it.
type swept struct {
	*document
	call    *call
	flags   *sweepFlags
	plan    *study.Plan
	sheet   *study.Sheet
	jobs    int               // number of runs to execute
	digests map[string]string // SHA-256 by file name
}

func newSwept(c *call, p *sweepFlags, file string) (*swept, error) {
	d, err := c.scenario(file)
	if err == nil && p.bundle.name != "" {
		err = c.embed(d)
	}
	if err != nil {
		return nil, err
	}
	if study.Of(d.Scenario) == nil {
		d.Scenario = study.New(d.Name, study.Document{Base: d.Scenario})
	}
	return sweptOf(c, p, d)
}

func sweptOf(c *call, p *sweepFlags, d *document) (*swept, error) {
	plan, err := study.NewPlan(study.Of(d.Scenario))
	if err != nil {
		return nil, err
	}
	w := &swept{document: d, call: c, flags: p, plan: plan, sheet: plan.NewSheet(), digests: map[string]string{}}
	if err := plan.Attach(w.attach); err != nil {
		return nil, err
	}
	w.sheet.Share(p.share, p.shares)
	jobs, err := w.sheet.Jobs(c)
	w.jobs = len(jobs)
	return w, err
}

// attach sets the digests of the files of a run's scenario.
func (s *swept) attach(run scenario.Scenario) error {
	if err := s.call.Err(); err != nil {
		return err
	}
	return s.call.eachFile(run, s.document, func(slot scenario.Slot, file *input) error {
		if s.digests[file.name] == "" {
			r, err := file.open()
			if err == nil {
				s.digests[file.name], err = scenario.DigestOf(r, file.size)
			}
			if err != nil {
				return unreadable(file.name, err)
			}
		}
		slot.Source.SHA256 = s.digests[file.name]
		return nil
	})
}

// inputs returns the inputs of a run, after uploading the files of its scenario.
func (s *swept) inputs(ctx context.Context, q *queue.Queue, j study.Job) (study.Inputs, error) {
	err := s.call.eachFile(j.Scenario, s.document, func(slot scenario.Slot, file *input) error {
		r, err := file.open()
		if err != nil {
			return unreadable(file.name, err)
		}
		if err := q.Upload(ctx, slot.Source.SHA256, r.(io.ReadSeeker)); err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
		return nil
	})
	if err != nil {
		return study.Inputs{}, err
	}
	return s.plan.Inputs(j)
}

// run executes the experiment and prints the result.
func (s *swept) run(at *site) error {
	err := s.carryOut(at)
	if s.call.Err() != nil {
		return s.interrupted()
	}
	if err == nil && s.flags.shares > 0 && at.store != nil {
		err = s.sheet.Find(s.call, at.store) // results of other shares
	}
	if err != nil {
		return err
	}
	if err := s.print(); err != nil {
		return err
	}
	if err := s.flags.pack(s.Scenario, s.sheet.Report(), ""); err != nil {
		return err
	}
	if s.sheet.Report().Runs.Failed > 0 {
		return errNotPlaced
	}
	return nil
}

// carryOut executes the runs and stores the results in the sheet.
func (s *swept) carryOut(at *site) error {
	progress := newProgress(s.call, s.jobs)
	defer progress.end()
	return s.sheet.Carry(s.call, at.store, s.workers(at), progress.add)
}

// carry executes one run of this experiment on this machine.
func (s *swept) carry(ctx context.Context, j study.Job) (*study.Result, error) {
	files, err := s.call.beside(j.Scenario, s.document)
	if err != nil {
		return nil, err
	}
	defer files.close()
	return s.flags.carry(ctx, j.Scenario, files.open)
}

// interrupted prints the results so far, and returns an error that explains how to continue.
func (s *swept) interrupted() error {
	if err := s.print(); err != nil {
		return err
	}
	where := "; use --store to continue from there next time"
	if s.flags.store != "" || s.flags.nats != "" {
		where = " and kept in " + cmp.Or(s.flags.store, s.flags.nats) + ": run the same command to continue"
	}
	done, _ := s.sheet.Done()
	return fmt.Errorf("interrupted: %d of %s %s done%s", done, show.Count(s.plan.Runs(), "run"), show.Verb(s.plan.Runs(), "is", "are"), where)
}

// carry executes one run within the memory limit of the flags and counts it.
func (p *sweepFlags) carry(ctx context.Context, s scenario.Scenario, beside func(string) (io.Reader, int64, error)) (*study.Result, error) {
	p.carried.Add(1)
	keepWithin(p.memory, p.workers)
	return study.Execute(ctx, s, scenario.Env{Memory: p.memory, Beside: beside})
}

// print writes the report in the chosen format.
func (s *swept) print() error {
	r := s.sheet.Report()
	switch s.flags.format {
	case "csv":
		return s.call.write(r.CSV())
	case "json":
		return s.call.writeJSON(struct {
			Engine     string `json:"engine"`
			Experiment string `json:"experiment"` // hash of the experiment
			*study.Report
		}{scenario.Engine, s.Hash(), r})
	}
	var b strings.Builder
	if s.Name != "" {
		fmt.Fprintf(&b, "%s\n\n", s.Name)
	}
	r.WriteText(&b, nil)
	fmt.Fprintf(&b, "\nexperiment %s, engine %s\n", s.Hash(), scenario.Engine)
	return s.call.write([]byte(b.String()))
}

// dryRun prints the cells with the hashes of their runs.
func (s *swept) dryRun() error {
	type cell struct {
		Levels string   `json:"levels"`
		Runs   []string `json:"runs"` // by seed: hash of the run; "" for a run whose scenario is invalid
	}
	cells := make([]cell, s.plan.Cells())
	for i := range cells {
		cells[i].Levels = s.plan.Levels(i)
	}
	for i := range s.plan.Runs() {
		hash := ""
		if run := s.plan.Run(i); run.Err == nil {
			hash = run.Scenario.Hash()
		}
		of := &cells[s.plan.Cell(i)]
		of.Runs = append(of.Runs, hash)
	}
	if s.flags.format == "json" {
		return s.call.writeJSON(struct {
			Runs  int    `json:"runs"`
			Share int    `json:"share"` // number of runs that this process executes
			Cells []cell `json:"cells"`
		}{s.plan.Runs(), s.jobs, cells})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d to carry out\n", show.Count(len(cells), "cell"), show.Count(s.plan.Runs(), "run"), s.jobs)
	for _, c := range cells {
		fmt.Fprintf(&b, "%s\t%s\n", cmp.Or(c.Levels, "the base"), strings.Join(c.Runs, " "))
	}
	return s.call.write([]byte(b.String()))
}
