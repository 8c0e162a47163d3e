package federatekind

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"berth/engine/diag"
	"berth/engine/federate"
	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/table"
)

// WriteText implements [scenario.ReportBody].
func (r *Report) WriteText(w io.Writer, t *scenario.Timings) {
	var names []string
	figures := shown()
	for _, f := range figures {
		names = append(names, f.Row())
	}
	own := make([]*plugin.Own, len(r.Schedulers))
	for i := range own {
		own[i] = &r.Schedulers[i].Own
	}
	counters := plugin.Names(own)
	rows := table.New("scheduler", append(append(names, counters...), "ran for, s", "decisions/s")...)
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		var cells []string
		for _, f := range figures {
			cells = append(cells, f.Text(s))
		}
		for _, name := range counters {
			cells = append(cells, s.Own.Shown(name))
		}
		if t != nil && t.Running != nil && t.Running[i][0] > 0 {
			took := t.Running[i][0] / 1000
			cells = append(cells, strconv.FormatFloat(took, 'f', 3, 64), strconv.FormatFloat(float64(s.decisions(took)), 'f', 0, 64))
		}
		rows.Add(s.Name, cells...)
	}
	rows.Write(w)
	fmt.Fprint(w, "\nThe means of queueing, processing, worker and communication add up to the mean\nallocation time. Their medians (p50) need not.\n")
}

// CommandReport is the JSON that the command federate prints of a report: the figures of
// each scheduler at their paths, in seconds. Times are by the clock; they may be nil.
func CommandReport(r *Report, times [][]float64) figure.Object {
	all := []figure.Object{}
	for i := range r.Schedulers {
		took := 0.0
		if times != nil {
			took = times[i][0] / 1000
		}
		s := &r.Schedulers[i]
		o := figure.NewObject("name", s.Name, "seconds", took, "decisionsPerSecond", s.decisions(took), "utilisation", s.Utilisation)
		o.Add(Figures, s)
		o.PutSome("own", s.Own)
		all = append(all, o)
	}
	return figure.NewObject("schedulers", all)
}

// decisions is the number of started tasks per second of the clock.
func (s *SchedulerReport) decisions(took float64) figure.Number {
	if took <= 0 {
		return figure.Undefined
	}
	return figure.Number(float64(s.Tasks) / took)
}

var errSwept = errors.New("many runs, and expected one: run it as the experiment that it stands for")

// Remarks about a workload.
const sortedJobs = "the jobs are not in order of arrival: Berth sorted them"

func momentaryTasks(n int) string {
	return fmt.Sprintf("%s %s a duration of 0 and %s as %s", show.Count(n, "task"), show.Verb(n, "has", "have"), show.Verb(n, "ends", "end"),
		show.Verb(n, "it starts", "they start"))
}

func gangsApart(schedulers []string) string {
	return fmt.Sprintf("the tasks of a rigid job start together, but %s %s them one by one", strings.Join(schedulers, ", "), show.Verb(len(schedulers), "starts", "start"))
}

func renamed(name string) string {
	return fmt.Sprintf("the scheduler %s is now called %s, which is the same", name, federate.NameOf(name))
}

// The events of a task in words: %[1]d is the master, %[2]d the worker, %[3]d and %[4]d its LM
// and GM. Some words differ in a film, and without a master.
var (
	told = map[federate.Action]string{
		federate.Requested:          "GM %[1]d asks LM %[3]d for worker %[2]d, in a partition of its own",
		federate.Repartitioned:      "GM %[1]d asks LM %[3]d for worker %[2]d, in the partition of GM %[4]d",
		federate.PreemptAsked:       "GM %[1]d asks LM %[3]d to preempt tasks on worker %[2]d",
		federate.Verified:           "LM %[1]d has capacity on worker %[2]d and sends the task there",
		federate.Refused:            "LM %[1]d refuses: worker %[2]d is full, and the GM's copy was stale",
		federate.Reinserted:         "GM %[1]d finds no match; the task goes to the end of its queue",
		federate.Preempted:          "LM %[1]d preempts the task on worker %[2]d for a user below its share",
		federate.Released:           "LM %[1]d removes the task from its state of worker %[2]d",
		federate.ReservationMade:    "its job has a reservation in the queue of worker %[2]d",
		federate.ReservationRefused: "worker %[2]d has a long task and refuses a reservation of its job",
		federate.ReservationStolen:  "worker %[2]d steals a reservation of its job from the queue of another worker",
		federate.Claimed:            "scheduler %[1]d claims worker %[2]d",
		federate.Conflicted:         "the claim of scheduler %[1]d conflicts with another one on worker %[2]d",
		federate.Declined:           "framework %[1]d refuses an offer without room for it",
		federate.Unschedulable:      "no worker has room for it; it waits until one may have",
		federate.Routed:             "it goes to the sub-cluster of LM %[1]d",
		federate.Queued:             "it waits in the queue of worker %[2]d",
		federate.SentBack:           "worker %[2]d sends it back: its queue is too long",
	}
	masterless = map[federate.Action]string{
		federate.Preempted: "preempted on worker %[2]d, for a more important task",
		federate.Claimed:   "the flow of the round leads to worker %[2]d",
	}
	filmed = map[federate.Action]string{
		federate.Requested:         "GM %[1]d matches worker %[2]d and asks LM %[3]d",
		federate.Repartitioned:     "GM %[1]d asks LM %[3]d to move worker %[2]d out of the partition of GM %[4]d",
		federate.PreemptAsked:      "GM %[1]d asks LM %[3]d to preempt what runs on worker %[2]d",
		federate.Verified:          "LM %[1]d verifies it on worker %[2]d",
		federate.Refused:           "LM %[1]d refuses, because the GM's copy of worker %[2]d was stale",
		federate.Reinserted:        "GM %[1]d finds no match and returns the task to its queue",
		federate.Preempted:         "LM %[1]d preempts it on worker %[2]d",
		federate.Released:          "",
		federate.ReservationMade:   "its job has a reservation at worker %[2]d",
		federate.ReservationStolen: "worker %[2]d steals a reservation of its job",
		federate.Unschedulable:     "no worker has room for it",
		federate.SentBack:          "worker %[2]d sends it back, because its queue is too long",
	}
)

// worded fills in such a sentence, "" for an action without one.
func worded(r federate.Record, film bool, lm, gm []int32) string {
	text := told[r.Action]
	if other, differs := filmed[r.Action]; film && differs {
		text = other
	}
	if other, differs := masterless[r.Action]; r.Master < 0 && differs {
		text = other
	}
	if !strings.Contains(text, "%") {
		return text
	}
	var ofLM, ofGM int32
	if r.Worker >= 0 {
		ofLM, ofGM = lm[r.Worker]+1, gm[r.Worker]+1
	}
	return fmt.Sprintf(text, r.Master+1, r.Worker+1, ofLM, ofGM)
}

// ended words an action that there is no sentence for.
func ended(r federate.Record) string {
	if r.Worker < 0 {
		return r.Action.String()
	}
	return fmt.Sprintf("%s on worker %d", r.Action, r.Worker+1)
}

// Words words an event of a task, "" for one that is no step of a film.
func (p *Playback) Words(r federate.Record) string {
	if text := worded(r, true, p.LMOfWorker, p.GMOfWorker); text != "" {
		return fmt.Sprintf("task %d: %s", r.Task+1, text)
	}
	switch r.Action {
	case federate.Started, federate.Stopped, federate.Ended:
		return fmt.Sprintf("task %d %s", r.Task+1, ended(r))
	}
	return ""
}

// Sentences sums the result up in words: how long tasks waited under each scheduler,
// where the slowest waited, and what would help.
func (r *Report) Sentences() (headline string, details []string) {
	if len(r.Schedulers) == 0 {
		return "", nil
	}
	parts := make([]string, len(r.Schedulers))
	for i := range r.Schedulers {
		parts[i] = r.Schedulers[i].waits(r.Workload.Tasks, i == 0 && !r.Cancelled)
	}
	if r.Cancelled {
		parts[0] = "Stopped early: " + parts[0]
	}
	headline, details = show.Headline(parts)
	for _, more := range []string{r.slowest(), r.refusals(), r.cause()} {
		if more != "" {
			details = append(details, more+".")
		}
	}
	return headline, details
}

// slowest says where the slowest tasks waited, "" if they waited no longer than others.
func (r *Report) slowest() string {
	var found []string
	under := map[string][]string{} // the schedulers by place
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		if !s.spread() {
			continue
		}
		place := s.where()
		if under[place] == nil {
			found = append(found, place)
		}
		under[place] = append(under[place], s.spoken())
	}
	if found == nil {
		return ""
	}
	if len(r.Schedulers) > 1 {
		for i, place := range found {
			found[i] = place + " under " + strings.Join(under[place], ", ")
		}
	}
	return "The slowest tasks waited mostly " + strings.Join(found, "; ")
}

// spread reports whether the slowest tasks waited longer than half of them.
func (s *SchedulerReport) spread() bool {
	return s.Tasks > 0 && s.Tail.From > float64(s.Allocation.At("p50"))
}

// waits says how long the tasks of a scheduler waited: half of them and the slowest, or
// the slowest alone.
func (s *SchedulerReport) waits(tasks int, half bool) string {
	text := s.spoken() + ": "
	if s.Tasks < tasks {
		text += group(s.Tasks) + " of " + group(tasks) + " tasks ended, "
	}
	q, tail := s.Allocation, &s.Tail
	switch {
	case s.Tasks == 0:
		return strings.TrimSuffix(text, ", ")
	case q.At("max") == 0:
		return text + "no task waited"
	case !s.spread():
		return text + "no task waited longer than " + span(float64(q.At("max")))
	case !half || s.Tasks < tasks:
		return text + "the slowest " + span(tail.From)
	case tail.Tasks == 1:
		return text + fmt.Sprintf("half of %s waited up to %s, the slowest %s", show.Grouped(s.Tasks, "task"), span(float64(q.At("p50"))), span(tail.From))
	}
	return text + fmt.Sprintf("half of %s waited up to %s, the slowest %s at least %s",
		show.Grouped(s.Tasks, "task"), span(float64(q.At("p50"))), group(tail.Tasks), span(tail.From))
}

// where words the main wait of the slowest tasks.
func (s *SchedulerReport) where() string {
	where, most := mostly(&s.Tail)
	if most < s.Tail.Tasks {
		return fmt.Sprintf("%s (%s of %s)", where, group(most), group(s.Tail.Tasks))
	}
	return where
}

// mostly is where most of the slowest tasks spent the most of their time, and how
// many of them did.
func mostly(t *federate.Tail) (where string, tasks int) {
	for part, place := range places {
		if n := int(*t.Of(federate.Component(part))); n > tasks {
			where, tasks = place, n
		}
	}
	return where, tasks
}

// Where a task spends its allocation time.
const (
	inProcessing = "in processing"
	inMessages   = "on messages"
)

var places = [federate.Parts]string{"in queues", inProcessing, "at workers", inMessages}

// refusals counts what LMs refused, "" if they refused nothing.
func (r *Report) refusals() string {
	var parts []string
	for i := range r.Schedulers {
		if s := &r.Schedulers[i]; s.Inconsistencies > 0 {
			parts = append(parts, show.Grouped(s.Inconsistencies, "request")+" of "+s.spoken())
		}
	}
	if parts == nil {
		return ""
	}
	return "LMs refused " + strings.Join(parts, " and ") + ", because the copies of the GMs were stale"
}

// cause says what made the slowest tasks wait under the first scheduler whose
// workers are bounded, and what would help; "" if none waited longer than others.
func (r *Report) cause() string {
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		if plugin, ok := federate.Lookup(s.Name); ok && plugin.Facts.Unbounded {
			continue
		}
		if !s.spread() {
			return ""
		}
		switch where, _ := mostly(&s.Tail); where {
		case inMessages:
			return "A shorter message delay would help"
		case inProcessing:
			return "Faster masters would help"
		}
		return r.Workload.shortage()
	}
	return ""
}

// shortage compares the peak demand with the workers.
func (w *Workload) shortage() string {
	scarcest, part := 0, 0.0
	for i, has := range w.Capacity {
		if of := w.Demand.Peak[i] / has; has > 0 && of > part {
			scarcest, part = i, of
		}
	}
	if part == 0 {
		return ""
	}
	peak, has := show.Figure(w.Demand.Peak[scarcest]), show.Figure(w.Capacity[scarcest])
	units := w.Resources[scarcest]
	if units != "slots" {
		units = "units of " + units
	}
	if part > 1 {
		return fmt.Sprintf("The peak needs %.0f\u202f%% more capacity: tasks ask for %s %s at once, and the workers have %s", max(1, 100*(part-1)), peak, units, has)
	}
	return fmt.Sprintf("The workers have enough capacity even at the peak (%s of %s %s): tasks waited for certain workers, or for news of free ones", peak, has, units)
}

// spoken is what people call the scheduler.
func (s *SchedulerReport) spoken() string {
	plugin, _ := federate.Lookup(s.Name)
	return cmp.Or(plugin.Title, s.Name)
}

func group(n int) string { return show.Group(fmt.Sprint(n)) }

// span writes a time in seconds in the unit that suits it.
func span(seconds float64) string {
	switch {
	case seconds < 0.9995e-3:
		return show.Figure(1e6*seconds) + "\u202fµs"
	case seconds < 0.9995:
		return show.Figure(1e3*seconds) + "\u202fms"
	}
	return show.Figure(seconds) + "\u202fs"
}

// What can be wrong with an input.
var (
	classesAndMachines = &diag.Code{Name: diag.IsConflict, Words: "the document has a list of machines as well: leave out one of the two"}
	tooManyMachines    = &diag.Code{Name: diag.IsTooMany, Words: "there are %d machines in all, at most %d"}
	tooManyKinds       = &diag.Code{Name: diag.IsTooMany, Words: "there are more than %d kinds of machines"}
	windowEmpty        = &diag.Code{Name: "empty-window", Words: "none of %s is within it: expected a larger one"}
	noRackOf           = &diag.Code{Name: diag.IsMisplaced, Words: "a %s has none: expected the subject rack"}
	missingRack        = &diag.Code{Name: diag.IsMissing, Words: "missing: expected the name of a rack"}
	unknownRack        = &diag.Code{Name: diag.IsUnknown, Words: "no machine is in the rack %s: expected a rack of the list of machines"}
	unknownParameter   = &diag.Code{Name: diag.IsUnknown, Words: "unknown; known: %s"}
	tooManySwept       = &diag.Code{Name: diag.IsTooMany, Words: "has %d parameters, at most 2"}
	tooManyRuns        = &diag.Code{Name: diag.IsTooMany, Words: "the schedulers, seeds and values make %d runs, at most %d"}
	sweptValue         = &diag.Code{Name: diag.IsInvalid, Words: "with %v: %s"}
	sweptMachines      = &diag.Code{Name: diag.IsConflict, Words: "the machines say what there is: expected another parameter than %s"}
	sweptTwice         = &diag.Code{Name: diag.IsTwice, Words: "%s is swept twice"}
)
