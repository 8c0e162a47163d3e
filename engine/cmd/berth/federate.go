package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"berth/engine/cluster"
	"berth/engine/megha"
	"berth/engine/workload"
)

var federate = &command{
	name: "federate", summary: "simulate schedulers that share one data centre",
	usage: "  berth federate --trace T.tr [flags]",
	details: `The trace has one job a line, "arrival_s number_of_tasks mean_duration_s d1 … dn",
and its tasks take one slot each of workers with one slot; or it is CSV with the
header arrival,job,user,duration,cpu,memory,constraints, for workers of 64 cores
and 16 GB, with constraints as numbers from 0 separated by semicolons. Which
workers satisfy them is drawn from the seed, by tables of our own.

Without shares there is one queue for each user of the trace, or for each GM,
and no preemption. Times are in seconds in JSON; those that are not defined are
null. Status 3 says that a task could not run to its end.`,
	run: runFederate,
}

type federateFlags struct {
	trace             string
	workers, gms, lms int
	schedulers        list
	shares            []float64
	heartbeat         time.Duration
	delay, launch     time.Duration
	ideal             bool
	preset, output    *choice
	seed              uint64
}

func (p *federateFlags) register(f *flag.FlagSet) {
	f.StringVar(&p.trace, "trace", "", "the jobs, a `FILE`")
	f.IntVar(&p.workers, "workers", 5000, "`NUMBER` of workers")
	f.IntVar(&p.gms, "gms", 10, "`NUMBER` of Global Masters")
	f.IntVar(&p.lms, "lms", 10, "`NUMBER` of Local Masters")
	f.Var(&p.schedulers, "scheduler", "`"+strings.Join(megha.Names(), "|")+"`; may be repeated (default megha)")
	parsed(f, &p.shares, "shares", "the users' shares `A,B,…`, which sum to 1; they switch preemption on", "numbers separated by commas, such as 0.25,0.75", parseShares)
	positive(f, &p.heartbeat, 10*time.Second, "heartbeat", "`TIME` between two heartbeats of an LM")
	positive(f, &p.delay, 500*time.Microsecond, "delay", "`TIME` that a message takes")
	positive(f, &p.launch, 0, "launch-delay", "`TIME` that the transfer of a task to its worker takes (default as any message; 20ms in the preset paper)")
	f.BoolVar(&p.ideal, "ideal-processing", false, "GMs and LMs process in no time")
	p.preset = choose(f, "preset", "costs", "default", "paper")
	seed(f, &p.seed)
	p.output = choose(f, "format", "what to print", "json", "text")
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

// positive adds a flag for a time above 0, which is 0 where none is given and
// there is no default.
func positive(f *flag.FlagSet, to *time.Duration, value time.Duration, name, usage string) {
	*to = value
	if value > 0 {
		usage += fmt.Sprintf(" (default %v)", value)
	}
	parsed(f, to, name, usage, "a time above 0 such as 500us or 10s", func(s string) (time.Duration, bool) {
		d, err := time.ParseDuration(s)
		return d, err == nil && d > 0
	})
}

func runFederate(c *call) error {
	f := c.flags()
	var p federateFlags
	p.register(f)
	if _, err := c.parse(f); err != nil {
		return err
	}
	if err := p.check(c); err != nil {
		return err
	}
	load, err := p.read(c)
	if err != nil {
		return err
	}
	config, err := p.config(c, load)
	if err != nil {
		return err
	}
	never, err := megha.FindNever(config, load)
	if err != nil {
		return c.misuse("--%v", err)
	}
	for _, n := range never {
		fmt.Fprintf(c.errs, "warning: %s\n", n.Describe(load))
	}
	return p.compare(c, config, load)
}

func (p *federateFlags) check(c *call) error {
	if p.trace == "" {
		return c.misuse("--trace is missing")
	}
	if len(p.schedulers) == 0 {
		p.schedulers = list{"megha"}
	}
	for i, name := range p.schedulers {
		if _, ok := megha.Lookup(name); !ok {
			return c.misuse("--scheduler: %q is unknown: expected one of %s", name, strings.Join(megha.Names(), ", "))
		}
		if slices.Contains(p.schedulers[:i], name) {
			return c.misuse("--scheduler %s is given twice", name)
		}
	}
	return nil
}

func (p *federateFlags) read(c *call) (load *workload.Tasks, err error) {
	err = c.stream(p.trace, func(name string, r io.Reader) (err error) {
		load, err = workload.ReadTasks(name, r)
		return err
	})
	return load, err
}

// The capacity of a worker in the paper.
const (
	paperCores  = 64 * cluster.Unit
	paperMemory = 16 * cluster.Unit
)

func (p *federateFlags) config(c *call, load *workload.Tasks) (megha.Config, error) {
	config := megha.Default(p.workers, p.gms, p.lms)
	config.Seed, config.Shares = p.seed, p.shares
	config.Heartbeat, config.Delay, config.LaunchDelay = p.heartbeat.Nanoseconds(), p.delay.Nanoseconds(), p.delay.Nanoseconds()
	switch {
	case p.launch > 0:
		config.LaunchDelay = p.launch.Nanoseconds()
	case p.preset.value == "paper":
		config.LaunchDelay = megha.PaperLaunchDelay
	}
	if p.ideal {
		config.Costs = megha.Costs{}
	}
	config.Capacity = nil
	for _, resource := range load.Resources {
		config.Capacity = append(config.Capacity, map[string]cluster.Amount{
			workload.SlotResource: cluster.Unit, "cpu": paperCores, "memory": paperMemory,
		}[resource])
	}
	if err := config.Check(load); err != nil {
		return config, c.misuse("--%v", err)
	}
	if !slices.ContainsFunc(load.Kinds, func(k workload.TaskKind) bool { return k.Constraints != 0 }) {
		return config, nil
	}
	var err error
	config.Machines, err = workload.Machines(p.seed, megha.WorkersOf(p.workers, p.lms), workload.ConstraintTables())
	return config, err
}

// compare runs one scheduler after the other.
func (p *federateFlags) compare(c *call, config megha.Config, load *workload.Tasks) error {
	report := federateReport{Schedulers: []schedulerReport{}}
	finished := true
	for _, name := range p.schedulers {
		start := time.Now()
		r, err := megha.Run(c, name, config, load, megha.Options{})
		switch {
		case errors.Is(err, c.Err()) && err != nil:
			return err
		case err != nil:
			return c.misuse("--%v", err)
		}
		report.Schedulers = append(report.Schedulers, reportOf(r, time.Since(start)))
		for _, s := range r.Stalled {
			fmt.Fprintf(c.errs, "%s: %d of user %d's tasks of %s are left: %s\n", name, s.Tasks, s.User+1, load.KindString(s.Kind), s.Reason)
		}
		finished = finished && r.Tasks == len(load.Durations)
	}
	data, err := encode(report)
	if p.output.value == "text" {
		data, err = federateText(report), nil
	}
	if err != nil {
		return err
	}
	if err := c.write("", data); err != nil {
		return err
	}
	if !finished {
		return errNotPlaced
	}
	return nil
}

// federateReport is the JSON that federate prints. Times are in seconds.
type federateReport struct {
	Schedulers []schedulerReport `json:"schedulers"`
}

type schedulerReport struct {
	Name          string           `json:"name"`
	Tasks         int              `json:"tasks"`
	Jobs          int              `json:"jobs"`
	Events        int64            `json:"events"`
	Seconds       float64          `json:"seconds"` // by the clock
	Allocation    summaryReport    `json:"allocationTime"`
	JobDelay      summaryReport    `json:"jobDelay"`
	JobCompletion summaryReport    `json:"jobCompletion"`
	Components    componentsReport `json:"components"`

	Inconsistencies    int64 `json:"inconsistencies"`
	Repartitions       int64 `json:"repartitions"`
	PreemptionAttempts int64 `json:"preemptionAttempts"`
	Preemptions        int64 `json:"preemptions"`
	Messages           int64 `json:"messages"`
}

// summaryReport has null for what is not defined.
type summaryReport struct {
	Mean  *float64 `json:"mean"`
	P50   *float64 `json:"p50"`
	P90   *float64 `json:"p90"`
	P99   *float64 `json:"p99"`
	P999  *float64 `json:"p999"`
	P9999 *float64 `json:"p9999"`
	Max   *float64 `json:"max"`
}

type componentsReport struct {
	Queueing      *float64 `json:"queueing"`
	Processing    *float64 `json:"processing"`
	Worker        *float64 `json:"worker"`
	Communication *float64 `json:"communication"`
}

func reportOf(r *megha.Result, took time.Duration) schedulerReport {
	return schedulerReport{
		Name: r.Name, Tasks: r.Tasks, Jobs: r.Jobs, Events: r.Counters.Events, Seconds: took.Seconds(),
		Allocation: summaryOf(r.Allocation), JobDelay: summaryOf(r.JobDelay), JobCompletion: summaryOf(r.JobCompletion),
		Components: componentsReport{
			Queueing: defined(r.Components[megha.Queueing]), Processing: defined(r.Components[megha.Processing]),
			Worker: defined(r.Components[megha.WorkerQueue]), Communication: defined(r.Components[megha.Communication]),
		},
		Inconsistencies: r.Counters.Inconsistencies, Repartitions: r.Counters.Repartitions,
		PreemptionAttempts: r.Counters.PreemptionAttempts, Preemptions: r.Counters.Preemptions,
		Messages: r.Counters.Messages,
	}
}

func summaryOf(s megha.Summary) summaryReport {
	return summaryReport{
		Mean: defined(s.Mean), P50: defined(s.P50), P90: defined(s.P90), P99: defined(s.P99),
		P999: defined(s.P999), P9999: defined(s.P9999), Max: defined(s.Max),
	}
}

func defined(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// federateText writes a table for people.
func federateText(r federateReport) []byte {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "scheduler\ttasks\tjobs\tallocation mean\tp50\tp90\tp99\tp99.9\tp99.99\tmax\tjob delay p50\tp99\tjob completion mean\tp50\tp99\t\n")
	for _, s := range r.Schedulers {
		fmt.Fprintf(t, "%s\t%d\t%d\t", s.Name, s.Tasks, s.Jobs)
		for _, v := range []*float64{
			s.Allocation.Mean, s.Allocation.P50, s.Allocation.P90, s.Allocation.P99, s.Allocation.P999, s.Allocation.P9999, s.Allocation.Max,
			s.JobDelay.P50, s.JobDelay.P99, s.JobCompletion.Mean, s.JobCompletion.P50, s.JobCompletion.P99,
		} {
			fmt.Fprintf(t, "%s\t", figure(v))
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t)
	fmt.Fprint(t, "scheduler\tqueueing\tprocessing\tworker\tcommunication\tmessages\tinconsistencies\trepartitions\tattempts\tpreemptions\tevents\tran for\t\n")
	for _, s := range r.Schedulers {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s s\t\n", s.Name,
			figure(s.Components.Queueing), figure(s.Components.Processing), figure(s.Components.Worker), figure(s.Components.Communication),
			s.Messages, s.Inconsistencies, s.Repartitions, s.PreemptionAttempts, s.Preemptions, s.Events,
			strconv.FormatFloat(s.Seconds, 'f', 3, 64))
	}
	t.Flush()
	b.WriteString("\nTimes are in seconds; the four components are means and add up to the mean allocation time.\n")
	return []byte(b.String())
}
