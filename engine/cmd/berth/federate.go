package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
	"berth/engine/scenario/body"
)

var federateCommand = &command{
	name: "federate", summary: "simulate schedulers that share one data centre",
	usage: "  berth federate --trace T.tr [flags]",
	details: `The trace has one job a line, "arrival_s number_of_tasks mean_duration_s d1 … dn",
and its tasks take one slot each of workers with one slot; or it is CSV with the
header arrival,job,user,duration,cpu,memory,constraints, for workers of 64 cores
and 16 GB, with constraints as numbers from 0 separated by semicolons. Which
workers satisfy them is drawn from the seed, by tables of our own. The file may be
packed with gzip.

Shares are of the users in the order in which the trace names them; job k of a
trace without users belongs to user k mod their number, from 0. Without shares
there is one queue for each user of the trace, or for each GM, and no preemption.
Times are in seconds in JSON; those that are not defined are
null. Status 3 says that a task could not run to its end.`,
	run: runFederate,
}

type federateFlags struct {
	document       federatekind.Document
	schedulers     list
	preset, output *choice
	memory         int64
}

func (p *federateFlags) register(f *flag.FlagSet) {
	d := &p.document
	d.Workers, d.GMs, d.LMs = 5000, 10, 10
	f.StringVar(&d.Trace.Name, "trace", "", "the jobs, a `FILE`")
	f.Var(&p.schedulers, "scheduler", "`"+strings.Join(federate.Names(), "|")+"`; may be repeated (default megha)")
	parsed(f, &d.Shares, "shares", "the users' shares `A,B,…`, which sum to 1; they switch preemption on", "numbers separated by commas, such as 0.25,0.75", parseShares)
	f.BoolVar(&d.IdealProcessing, "ideal-processing", false, "GMs and LMs process in no time")
	p.preset = choose(f, "preset", "costs", "default", "paper")
	parameterFlags(f, d, federatekind.SweepParameters()) // one seed: the report has no means
	seed(f, &d.Seed)
	memory(f, &p.memory)
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
	e, err := p.experiment(c)
	if err != nil {
		return c.asFlags(scenario.KindFederate, federatekind.Parameters(), err)
	}
	for _, warning := range e.Warnings() {
		fmt.Fprintf(c.errs, "warning: %s\n", warning)
	}
	report, times, err := e.Run(c)
	if err != nil {
		return c.asFlags(scenario.KindFederate, federatekind.Parameters(), err)
	}
	return p.tell(c, report, times)
}

func (p *federateFlags) check(c *call) error {
	if p.document.Trace.Name == "" {
		return c.misuse("--trace is missing")
	}
	if len(p.schedulers) == 0 {
		p.schedulers = list{"megha"}
	}
	for i, name := range p.schedulers {
		if _, ok := federate.Lookup(name); !ok {
			return c.misuse("--scheduler: %q is unknown: expected one of %s", name, strings.Join(federate.Names(), ", "))
		}
		if slices.Contains(p.schedulers[:i], name) {
			return c.misuse("--scheduler %s is given twice", name)
		}
	}
	return nil
}

// experiment makes a document of the flags, and reads its trace.
func (p *federateFlags) experiment(c *call) (*federatekind.Experiment, error) {
	d := &p.document
	d.Preset, d.Schedulers = p.preset.value, p.schedulers
	var found body.Problems
	d.Validate(scenario.KindFederate, &found)
	if err := found.Err(); err != nil {
		return nil, err
	}
	files := files{call: c}
	for _, slot := range d.Sources() {
		if err := files.add(slot); err != nil {
			return nil, err
		}
	}
	return federatekind.Prepare(c, scenario.KindFederate, d, scenario.Env{Now: clock(), Memory: p.memory, Beside: files.open})
}

// tell prints a report and what it says about tasks that are left.
func (p *federateFlags) tell(c *call, r *federatekind.Report, times [][]float64) error {
	all := commandFederation(r, times)
	for _, s := range r.Schedulers {
		for _, left := range s.Stalled {
			fmt.Fprintf(c.errs, "%s: %s\n", s.Name, left)
		}
	}
	data, err := encode(all)
	if p.output.value == "text" {
		var b bytes.Buffer
		federateText(&b, all)
		data, err = b.Bytes(), nil
	}
	if err != nil {
		return err
	}
	if err := c.write(data); err != nil {
		return err
	}
	switch {
	case r.Partial():
		return errInterrupted
	case !r.Finished():
		return errNotPlaced
	}
	return nil
}

// federateReport is the JSON that federate prints. Times are in seconds.
type federateReport struct {
	Schedulers []schedulerReport `json:"schedulers"`
}

type schedulerReport struct {
	Name          string                  `json:"name"`
	Tasks         int                     `json:"tasks"`
	Jobs          int                     `json:"jobs"`
	Events        int64                   `json:"events"`
	Seconds       float64                 `json:"seconds"` // by the clock
	Allocation    federatekind.Quantiles  `json:"allocationTime"`
	JobDelay      federatekind.Quantiles  `json:"jobDelay"`
	JobCompletion federatekind.Quantiles  `json:"jobCompletion"`
	Components    federatekind.Components `json:"components"`

	Inconsistencies    int64 `json:"inconsistencies"`
	Repartitions       int64 `json:"repartitions"`
	PreemptionAttempts int64 `json:"preemptionAttempts"`
	Preemptions        int64 `json:"preemptions"`
	Messages           int64 `json:"messages"`
}

// commandFederation is what this command prints of a report; times may be nil.
func commandFederation(r *federatekind.Report, times [][]float64) federateReport {
	all := federateReport{Schedulers: []schedulerReport{}}
	for i := range r.Schedulers {
		took := 0.0
		if times != nil {
			took = times[i][0] / 1000
		}
		all.Schedulers = append(all.Schedulers, reportOf(&r.Schedulers[i], took))
	}
	return all
}

func reportOf(s *federatekind.SchedulerReport, took float64) schedulerReport {
	return schedulerReport{
		Name: s.Name, Tasks: s.Tasks, Jobs: s.Jobs, Events: s.Events, Seconds: took,
		Allocation: s.Allocation, JobDelay: s.JobDelay, JobCompletion: s.JobCompletion, Components: s.Components,
		Inconsistencies: s.Inconsistencies, Repartitions: s.Repartitions,
		PreemptionAttempts: s.PreemptionAttempts, Preemptions: s.Preemptions, Messages: s.Messages,
	}
}

// federateText writes tables for people.
func federateText(w io.Writer, r federateReport) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
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
		took := "–" // it was not measured
		if s.Seconds > 0 {
			took = strconv.FormatFloat(s.Seconds, 'f', 3, 64) + " s"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", s.Name,
			figure(s.Components.Queueing), figure(s.Components.Processing), figure(s.Components.Worker), figure(s.Components.Communication),
			s.Messages, s.Inconsistencies, s.Repartitions, s.PreemptionAttempts, s.Preemptions, s.Events, took)
	}
	t.Flush()
	fmt.Fprint(w, "\nTimes are in seconds; the four components are means and add up to the mean allocation time.\n")
}

// sweepText writes a line for each scheduler at each point.
func sweepText(w io.Writer, r *federatekind.Report) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	shown := []string{
		"allocation.mean", "allocation.p50", "allocation.p99", "allocation.max", "jobDelay.p50",
		"inconsistencies", "repartitions", "preemptionAttempts", "preemptions",
	}
	for _, name := range slices.Concat(r.Swept, []string{"scheduler", "runs"}, shown) {
		fmt.Fprintf(t, "%s\t", name)
	}
	fmt.Fprintln(t)
	for _, p := range r.Points {
		for _, s := range p.Schedulers {
			for _, v := range p.Values {
				fmt.Fprintf(t, "%v\t", v)
			}
			fmt.Fprintf(t, "%s\t%d\t", s.Name, s.Runs)
			for _, name := range shown {
				fmt.Fprintf(t, "%s\t", metric(s.Metrics, name))
			}
			fmt.Fprintln(t)
		}
	}
	t.Flush()
	fmt.Fprint(w, "\nTimes are in seconds.\n")
}

// metric writes an estimate, a dash for one that is not defined.
func metric(metrics map[string]body.Estimate, name string) string {
	e, ok := metrics[name]
	if !ok {
		return figure(nil)
	}
	return estimate(&e)
}
