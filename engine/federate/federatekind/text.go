package federatekind

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"berth/engine/scenario"
)

// WriteText implements [scenario.ReportBody].
func (r *Report) WriteText(w io.Writer, t *scenario.Timings) {
	if len(r.Points) > 0 {
		r.writeSweep(w)
		return
	}
	var times [][]float64
	if t != nil {
		times = t.Running
	}
	NewCommandReport(r, times).WriteText(w)
}

// CommandReport is the JSON that the command federate prints. Times are in seconds.
type CommandReport struct {
	Schedulers []CommandScheduler `json:"schedulers"`
}

// CommandScheduler has the figures of a scheduler.
type CommandScheduler struct {
	Ended
	Seconds float64 `json:"seconds"` // by the clock
	Times
	Effort
}

// NewCommandReport returns what the command prints of a report; times may be nil.
func NewCommandReport(r *Report, times [][]float64) CommandReport {
	all := CommandReport{Schedulers: []CommandScheduler{}}
	for i := range r.Schedulers {
		took := 0.0
		if times != nil {
			took = times[i][0] / 1000
		}
		s := &r.Schedulers[i]
		all.Schedulers = append(all.Schedulers, CommandScheduler{s.Ended, took, s.Times, s.Effort})
	}
	return all
}

// WriteText writes tables for people.
func (r CommandReport) WriteText(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "scheduler\ttasks\tjobs\tallocation mean\tp50\tp90\tp99\tp99.9\tp99.99\tmax\tjob delay p50\tp99\tjob completion mean\tp50\tp99\t\n")
	for _, s := range r.Schedulers {
		fmt.Fprintf(t, "%s\t%d\t%d\t", s.Name, s.Tasks, s.Jobs)
		for _, v := range []*float64{
			s.Allocation.Mean, s.Allocation.P50, s.Allocation.P90, s.Allocation.P99, s.Allocation.P999, s.Allocation.P9999, s.Allocation.Max,
			s.JobDelay.P50, s.JobDelay.P99, s.JobCompletion.Mean, s.JobCompletion.P50, s.JobCompletion.P99,
		} {
			fmt.Fprintf(t, "%s\t", scenario.Digits(v))
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t)
	fmt.Fprint(t, "scheduler\tqueueing\tp50\tprocessing\tp50\tworker\tp50\tcommunication\tp50\tmessages\tinconsistencies\trepartitions\tattempts\tpreemptions\tevents\tran for\t\n")
	for _, s := range r.Schedulers {
		took := "–" // it was not measured
		if s.Seconds > 0 {
			took = strconv.FormatFloat(s.Seconds, 'f', 3, 64) + " s"
		}
		c, m := &s.Components, &s.Medians
		fmt.Fprintf(t, "%s\t", s.Name)
		for _, v := range []*float64{c.Queueing, m.Queueing, c.Processing, m.Processing, c.Worker, m.Worker, c.Communication, m.Communication} {
			fmt.Fprintf(t, "%s\t", scenario.Digits(v))
		}
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n",
			s.Messages, s.Inconsistencies, s.Repartitions, s.PreemptionAttempts, s.Preemptions, s.Events, took)
	}
	t.Flush()
	fmt.Fprint(w, "\nTimes are in seconds; the means of the four components add up to the mean allocation time, their medians (p50) need not.\n")
}

// writeSweep writes a line for each scheduler at each point.
func (r *Report) writeSweep(w io.Writer) {
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
				fmt.Fprintf(t, "%s\t", shownMetric(s.Metrics, name))
			}
			fmt.Fprintln(t)
		}
	}
	t.Flush()
	fmt.Fprint(w, "\nTimes are in seconds.\n")
}

// shownMetric writes an estimate, a dash for one that is not defined.
func shownMetric(metrics map[string]scenario.Estimate, name string) string {
	e, ok := metrics[name]
	if !ok {
		return scenario.Digits(nil)
	}
	return e.String()
}
