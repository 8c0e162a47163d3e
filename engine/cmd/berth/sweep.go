package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	flag "github.com/spf13/pflag"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"berth/engine/cmd/berth/fault"
	"berth/engine/cmd/berth/queue"
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
sweep. The store keeps each run, also a failed one, under the hash of its scenario: the
same command continues an interrupted experiment, and experiments share the runs that
they have in common. Without --store Berth keeps results until the command ends.

If the base has only the name of an input file, Berth reads the file from the folder
of the experiment.

--nats lets workers on other machines take runs (see berth worker), and keeps results
on that server instead of a store. --share prints all known results when the runs of
the share are done; share N/N is share 0/N. --merge adds the results of other stores.
--bundle needs all runs to be done. --kubernetes prints a Job with one pod for each
share; --workers is their number.

Status 3 says that a run failed.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		p := &sweepFlags{}
		p.register(c, f)
		return func(args []string) error { return p.run(c, args) }
	},
}

type sweepFlags struct {
	store, nats, creds, image string
	workers                   int
	format                    *choice
	dryRun, kubernetes        bool
	share, shares             int // 0 shares: all runs
	merge                     list
	memory                    int64
	bundle                    *output
	carried                   atomic.Int64 // runs so far
}

// What sweep and gallery say of their stores.
const (
	storeUsage    = "keep results in `DIR`, and reuse those in it"
	storeOrServer = "--store and --nats exclude each other: with --nats the server keeps the results"
)

// mostWorkers bounds the runs that are under way at a time.
const mostWorkers = 1024

func (p *sweepFlags) register(c *call, f *flag.FlagSet) {
	f.StringVar(&p.store, "store", "", storeUsage)
	p.registerWorkers(f, 0)
	p.format = choose(f, "format", "what to print", "text", "csv", "json")
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
	usage := fmt.Sprintf("`N` runs at a time (default %s)", "one for each processor")
	parsed(f, &p.workers, "workers", usage, fmt.Sprintf("a whole number from %d to %d", least, mostWorkers), func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && n >= least && n <= mostWorkers
	})
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
	q, close, err := p.open(c)
	if err != nil {
		return err
	}
	defer close()
	for _, folder := range p.merge {
		n, err := mergeStore(c, q, folder)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.errs, "%s: %s\n", folder, show.Count(n, "result"))
	}
	if s == nil {
		return nil
	}
	return s.run(q)
}

// arguments tells the experiment from the stores to merge, and checks which flags
// go together.
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

// open opens the queue: on a server elsewhere, or on one in the process.
func (p *sweepFlags) open(c *call) (q *queue.Queue, closeAll func(), err error) {
	if p.nats != "" {
		return p.connect(c)
	}
	folder := p.store
	if folder == "" {
		folder, err = os.MkdirTemp("", "berth-sweep-")
		if err != nil {
			return nil, nil, err
		}
	}
	q, stop, err := openStore(c, folder)
	closeAll = func() {
		if stop != nil {
			stop()
		}
		if p.store == "" {
			os.RemoveAll(folder)
		}
	}
	if err != nil {
		closeAll()
		return nil, nil, err
	}
	return q, closeAll, nil
}

func (p *sweepFlags) connect(c *call) (*queue.Queue, func(), error) {
	nc, err := queue.Connect(p.nats, p.creds, func(message string) { fmt.Fprintln(c.errs, message) })
	p.nats = queue.Place(p.nats) // as it is said from here on
	if err != nil {
		return nil, nil, badInput{err}
	}
	q, err := queue.Open(c, nc)
	if err != nil {
		nc.Close()
		return nil, nil, p.lost(fmt.Errorf("%s: %w", p.nats, err))
	}
	return q, func() { nc.Flush(); nc.Close() }, nil
}

// lost adds to the error of a server that is gone where it was and what can be done.
func (p *sweepFlags) lost(err error) error {
	if !errors.Is(err, queue.ErrLost) {
		return err
	}
	return fmt.Errorf("%s: %w within %v. Start it and run the same command: it reuses the results on the server", p.nats, queue.ErrLost, queue.Patience)
}

// openStore opens the queue of a folder, and says if results in it are damaged.
func openStore(c *call, folder string) (*queue.Queue, func(), error) {
	server, err := queue.Embed(folder)
	if err != nil {
		return nil, nil, err
	}
	nc, err := server.Connect()
	if err != nil {
		server.Close()
		return nil, nil, err
	}
	stop := func() { nc.Close(); server.Close() }
	q, err := queue.Open(c, nc)
	damaged := 0
	if err == nil {
		damaged, err = q.Mend(c)
	}
	if err != nil {
		stop()
		return nil, nil, fmt.Errorf("%s: %w", folder, err)
	}
	if damaged > 0 {
		fmt.Fprintf(c.errs, "%s: %s damaged and left out: the sweep repeats these runs\n", folder, show.Count(damaged, "result")+show.Verb(damaged, " is", " are"))
	}
	return q, stop, nil
}

// mergeStore takes over the results of another store.
func mergeStore(c *call, q *queue.Queue, folder string) (int, error) {
	if _, err := os.Stat(filepath.Join(folder, "jetstream")); err != nil {
		return 0, badInputf("--merge %s: this folder has no store of berth sweep", folder)
	}
	from, stop, err := openStore(c, folder)
	if err != nil {
		return 0, err
	}
	defer stop()
	return q.Merge(c, from)
}

// swept is an experiment under way.
type swept struct {
	*call
	flags    *sweepFlags
	name     string // of the file, for messages
	folder   string
	scenario scenario.Scenario
	plan     *study.Plan
	sheet    *study.Sheet
	hashes   []string         // of the runs to carry out, each once
	runs     map[string][]int // by hash; those that are not to be carried out too
	digests  map[string]string

	mu          sync.Mutex
	uncollected map[string]bool // runs that workers of ours carried out, until Collect tells of them
}

func newSwept(c *call, p *sweepFlags, file string) (*swept, error) {
	name, _, s, err := c.scenario(file)
	if err != nil {
		return nil, err
	}
	if p.bundle.name != "" {
		s, err = c.selfContained(s, name, filepath.Dir(file))
		if err != nil {
			return nil, err
		}
	}
	if study.Of(s) == nil {
		s = study.New(s.Name, study.Document{Base: s})
	}
	return sweptOf(c, p, s, name, filepath.Dir(file))
}

func sweptOf(c *call, p *sweepFlags, s scenario.Scenario, name, folder string) (*swept, error) {
	plan, err := study.NewPlan(study.Of(s))
	if err != nil {
		return nil, err
	}
	w := &swept{
		call: c, flags: p, name: name, folder: folder, scenario: s, plan: plan, sheet: plan.NewSheet(),
		runs: map[string][]int{}, digests: map[string]string{}, uncollected: map[string]bool{},
	}
	return w, w.enumerate()
}

// enumerate finds the hashes of all runs, and which of them are to be carried out.
func (s *swept) enumerate() error {
	for i := range s.plan.Runs() {
		if err := s.Err(); err != nil {
			return err
		}
		run := s.plan.Run(i)
		if run.Err != nil {
			s.sheet.Add(i, "", study.Failed("", run.Err))
			continue
		}
		if _, err := s.attach(run.Scenario); err != nil {
			return err
		}
		hash := run.Scenario.Hash()
		if s.runs[hash] == nil && (s.flags.shares == 0 || len(s.runs)%s.flags.shares == s.flags.share) {
			s.hashes = append(s.hashes, hash)
		}
		s.runs[hash] = append(s.runs[hash], i)
	}
	return nil
}

// attach puts the digests of the files beside a run into its scenario, and returns
// the files by slot.
func (s *swept) attach(run scenario.Scenario) (map[string]*reopenable, error) {
	files := files{call: s.call}
	if err := files.besideOf(run, s.name, s.folder); err != nil {
		return nil, err
	}
	for _, slot := range run.Slots() {
		file := files.bySlot[slot.Name]
		if file == nil {
			continue
		}
		if s.digests[file.name] == "" {
			sum, err := digest(file)
			if err != nil {
				return nil, err
			}
			s.digests[file.name] = sum
		}
		slot.Source.SHA256 = s.digests[file.name]
	}
	return files.bySlot, nil
}

// digest is the SHA-256 of the text of a file, which may be packed.
func digest(file *reopenable) (string, error) {
	r, err := file.open()
	if err != nil {
		return "", unreadable(file.name, err)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, scenario.NewText(r, file.size)); err != nil {
		return "", unreadable(file.name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// task is a run as it travels. Its files go into the store first.
func (s *swept) task(ctx context.Context, q *queue.Queue, hash string) (queue.Task, error) {
	run := s.plan.Run(s.runs[hash][0]).Scenario
	files, err := s.attach(run)
	if err != nil {
		return queue.Task{}, err
	}
	t := queue.Task{Hash: hash, Kind: run.Kind, Files: map[string]string{}}
	for _, slot := range run.Slots() {
		file := files[slot.Name]
		if file == nil {
			continue
		}
		r, err := file.open()
		if err != nil {
			return t, unreadable(file.name, err)
		}
		t.Files[slot.Name] = slot.Source.SHA256
		if err := q.Put(ctx, slot.Source.SHA256, r.(io.ReadSeeker)); err != nil {
			return t, fmt.Errorf("%s: %w", file.name, err)
		}
	}
	t.Scenario, err = json.Marshal(run)
	return t, err
}

// run carries the experiment out and prints the result.
func (s *swept) run(q *queue.Queue) error {
	err := s.carryOut(q)
	if s.Err() != nil {
		return s.interrupted(q)
	}
	if err != nil {
		return err
	}
	if s.flags.shares > 0 || len(s.flags.merge) > 0 {
		if err := s.find(s, q, maps.Keys(s.runs)); err != nil { // of other shares, too
			return s.flags.lost(err)
		}
	}
	if err := s.print(); err != nil {
		return err
	}
	if err := s.flags.pack(s.scenario, s.sheet.Report()); err != nil {
		return err
	}
	if s.sheet.Report().Runs.Failed > 0 {
		return errNotPlaced
	}
	return nil
}

// carryOut fills the sheet.
func (s *swept) carryOut(q *queue.Queue) error {
	group, ctx := errgroup.WithContext(s)
	taking, stop := context.WithCancel(ctx)
	defer stop()
	for range s.flags.workers {
		group.Go(func() error { return fault.Guard(func() error { return q.Work(taking, ctx, s.carry) }) })
	}
	progress := newProgress(s.call, len(s.hashes))
	defer progress.end()
	collect := func() error {
		defer stop() // the workers have nothing to do any more
		return q.Collect(ctx, s.hashes, func(hash string) (queue.Task, error) { return s.task(ctx, q, hash) },
			func(hash string, r *study.Result, known bool) {
				progress.add(known)
				s.add(hash, r)
			})
	}
	group.Go(func() error { return fault.Guard(collect) })
	group.Go(func() error { return q.Watch(taking) })
	return s.flags.lost(group.Wait())
}

// add puts the result of a run on the sheet.
func (s *swept) add(hash string, r *study.Result) {
	for _, i := range s.runs[hash] {
		s.sheet.Add(i, hash, r)
	}
	s.mu.Lock()
	delete(s.uncollected, hash)
	s.mu.Unlock()
}

// carry carries out one run of this experiment, and knows of it until its result is
// on the sheet.
func (s *swept) carry(ctx context.Context, run scenario.Scenario, beside func(string) (io.Reader, int64, error)) (*study.Result, error) {
	r, err := s.flags.carry(ctx, run, beside)
	if err == nil {
		s.mu.Lock()
		s.uncollected[run.Hash()] = true
		s.mu.Unlock()
	}
	return r, err
}

// find puts on the sheet what is kept of some runs.
func (s *swept) find(ctx context.Context, q *queue.Queue, hashes iter.Seq[string]) error {
	for hash := range hashes {
		r, err := q.Result(ctx, hash)
		if err != nil {
			return err
		}
		if r != nil {
			s.add(hash, r)
		}
	}
	return nil
}

// interrupted prints what had come by then, with what was kept in the moment of the
// interruption. What waits in a store of our own is taken out of the queue, so that
// what was stopped does not count as tried.
func (s *swept) interrupted(q *queue.Queue) error {
	if s.flags.nats == "" {
		ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
		defer stop()
		if err := s.find(ctx, q, maps.Keys(maps.Clone(s.uncollected))); err != nil {
			return err
		}
		if err := q.Clear(ctx); err != nil {
			return err
		}
	}
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

// carry carries out one run.
func (p *sweepFlags) carry(ctx context.Context, s scenario.Scenario, beside func(string) (io.Reader, int64, error)) (*study.Result, error) {
	p.carried.Add(1)
	keepWithin(p.memory, p.workers)
	return study.Execute(ctx, s, scenario.Env{Memory: p.memory, Beside: beside})
}

// print writes the report as the format has it.
func (s *swept) print() error {
	r := s.sheet.Report()
	switch s.flags.format.value {
	case "csv":
		return s.write(r.CSV())
	case "json":
		data, err := encode(struct {
			Engine     string `json:"engine"`
			Experiment string `json:"experiment"` // its hash
			*study.Report
		}{scenario.Engine, s.scenario.Hash(), r})
		if err != nil {
			return err
		}
		return s.write(data)
	}
	var b strings.Builder
	if s.scenario.Name != "" {
		fmt.Fprintf(&b, "%s\n\n", s.scenario.Name)
	}
	r.WriteText(&b, nil)
	fmt.Fprintf(&b, "\nexperiment %s, engine %s\n", s.scenario.Hash(), scenario.Engine)
	return s.write([]byte(b.String()))
}

// dryRun prints the cells with the hashes of their runs.
func (s *swept) dryRun() error {
	type cell struct {
		Levels string   `json:"levels"`
		Runs   []string `json:"runs"` // hashes, by seed; "" of one that cannot be made
	}
	cells := make([]cell, s.plan.Cells())
	for i := range cells {
		cells[i].Levels = s.plan.Levels(i)
		cells[i].Runs = make([]string, s.plan.Runs()/s.plan.Cells())
	}
	for hash, runs := range s.runs {
		for _, i := range runs {
			cells[s.plan.Cell(i)].Runs[i/s.plan.Cells()] = hash
		}
	}
	if s.flags.format.value == "json" {
		data, err := encode(struct {
			Runs  int    `json:"runs"`
			Share int    `json:"share"` // of them are to be carried out
			Cells []cell `json:"cells"`
		}{s.plan.Runs(), len(s.hashes), cells})
		if err != nil {
			return err
		}
		return s.write(data)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d to carry out\n", show.Count(len(cells), "cell"), show.Count(s.plan.Runs(), "run"), len(s.hashes))
	for _, c := range cells {
		fmt.Fprintf(&b, "%s\t%s\n", cmp.Or(c.Levels, "the base"), strings.Join(c.Runs, " "))
	}
	return s.write([]byte(b.String()))
}
