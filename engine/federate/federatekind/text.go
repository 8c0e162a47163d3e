package federatekind

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"berth/engine/federate"
	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/table"
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
	r.writeSchedulers(w, times)
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
	Own plugin.Own `json:"own,omitzero"`
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
		all.Schedulers = append(all.Schedulers, CommandScheduler{s.Ended, took, s.Times, s.Effort, s.Own})
	}
	return all
}

// writeSchedulers writes a table for people; times may be nil.
func (r *Report) writeSchedulers(w io.Writer, times [][]float64) {
	var shown []figure.Figure
	var names []string
	for _, f := range Figures {
		if f.Label != "" {
			shown, names = append(shown, f), append(names, f.Row())
		}
	}
	own := make([]*plugin.Own, len(r.Schedulers))
	for i := range own {
		own[i] = &r.Schedulers[i].Own
	}
	counters := plugin.Names(own)
	t := table.New("scheduler", append(append(names, counters...), "ran for, s")...)
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		var cells []string
		for _, f := range shown {
			cells = append(cells, f.Text(r, i))
		}
		for _, name := range counters {
			cells = append(cells, s.Own.Shown(name))
		}
		if times != nil && times[i][0] > 0 {
			cells = append(cells, strconv.FormatFloat(times[i][0]/1000, 'f', 3, 64))
		}
		t.Add(s.Name, cells...)
	}
	t.Write(w)
	fmt.Fprint(w, "\nThe means of queueing, processing, worker and communication add up to the mean\nallocation time. Their medians (p50) need not.\n")
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
				fmt.Fprintf(t, "%s\t", s.Of(name))
			}
			fmt.Fprintln(t)
		}
	}
	t.Flush()
	fmt.Fprint(w, "\nTimes are in seconds.\n")
}

func (s Stalled) String() string {
	return fmt.Sprintf("%s of user %d that ask for %s wait for ever: %s", show.Count(s.Tasks, "task"), s.User+1, s.Kind, s.Reason)
}

// What is said of a workload.
const sortedJobs = "the jobs are not in order of arrival: Berth sorted them"

func momentaryTasks(n int) string {
	return fmt.Sprintf("%s %s a duration of 0 and %s as %s", show.Count(n, "task"), show.Verb(n, "has", "have"), show.Verb(n, "ends", "end"),
		show.Verb(n, "it starts", "they start"))
}

func leftOut(jobs int) string {
	return fmt.Sprintf("%s left out: the log does not say how long or on how many processors %s ran", show.Count(jobs, "job"), show.Verb(jobs, "it", "they"))
}

// text says in words what happened.
func (t *teller) text(r federate.Record) string {
	worker, master := r.Worker+1, r.Master+1
	switch r.Action {
	case federate.Requested:
		return fmt.Sprintf("GM %d asks LM %d for worker %d, in a partition of its own", master, t.lm[r.Worker]+1, worker)
	case federate.Repartitioned:
		return fmt.Sprintf("GM %d asks LM %d for worker %d, in the partition of GM %d", master, t.lm[r.Worker]+1, worker, t.gm[r.Worker]+1)
	case federate.PreemptAsked:
		return fmt.Sprintf("GM %d asks LM %d to preempt tasks on worker %d", master, t.lm[r.Worker]+1, worker)
	case federate.Verified:
		return fmt.Sprintf("LM %d has capacity on worker %d and sends the task there", master, worker)
	case federate.Refused:
		return fmt.Sprintf("LM %d refuses: worker %d is full, and the GM's copy was stale", master, worker)
	case federate.Reinserted:
		return fmt.Sprintf("GM %d finds no match; the task goes to the end of its queue", master)
	case federate.Preempted:
		return fmt.Sprintf("LM %d preempts the task on worker %d for a user below its share", master, worker)
	case federate.Released:
		return fmt.Sprintf("LM %d removes the task from its state of worker %d", master, worker)
	case federate.ReservationMade:
		return fmt.Sprintf("its job has a reservation in the queue of worker %d", worker)
	}
	if r.Worker < 0 {
		return r.Action.String()
	}
	return fmt.Sprintf("%s on worker %d", r.Action, worker)
}
