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

// CommandReport returns the JSON that the command federate prints for a report: the figures of each
// scheduler at their paths, in seconds. The running times come from the wall clock, in
// milliseconds; times may be nil.
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

// decisions returns the number of finished tasks per second of wall-clock time.
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

func gangsApart(scheduler string) string {
	return fmt.Sprintf("the tasks of a rigid job start together, but %s starts them one by one", scheduler)
}

func renamed(name string) string {
	return fmt.Sprintf("the scheduler %s is now called %s, which is the same", name, federate.NameOf(name))
}

// Sentences sums up the result in words: which scheduler wins, how long tasks waited under each,
// where the slowest tasks waited, and what would help.
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
	if headline = r.verdict(); headline != "" {
		details = []string{strings.Join(parts, " · ") + "."}
	} else {
		headline, details = show.Headline(parts)
	}
	for _, more := range []string{r.slowest(), r.refusals(), r.cause()} {
		if more != "" {
			details = append(details, more+".")
		}
	}
	return headline, details
}

// slowest says where the slowest tasks waited; "" if they waited no longer than the others.
func (r *Report) slowest() string {
	var found []string
	under := map[string][]string{} // names of schedulers by place
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

// spread reports whether the slowest tasks waited longer than the median.
func (s *SchedulerReport) spread() bool {
	return s.Tasks > 0 && s.Tail.From > float64(s.Allocation.At("p50"))
}

// waits says how long the tasks of a scheduler waited. If half is true it gives the median in
// addition to the slowest tasks.
func (s *SchedulerReport) waits(tasks int, half bool) string {
	text := s.spoken() + ": "
	if s.Tasks < tasks {
		text += s.ended(tasks) + ", "
	}
	tail := &s.Tail
	switch {
	case s.Tasks == 0:
		return strings.TrimSuffix(text, ", ")
	case !s.spread():
		return text + s.worst()
	case !half || s.Tasks < tasks:
		return text + "the slowest " + show.Seconds(tail.From)
	}
	text += fmt.Sprintf("half of %s waited up to %s, the slowest ", show.Grouped(s.Tasks, "task"), show.Seconds(float64(s.Allocation.At("p50"))))
	if tail.Tasks > 1 {
		text += group(tail.Tasks) + " at least "
	}
	return text + show.Seconds(tail.From)
}

// where names the place in which the slowest tasks waited most.
func (s *SchedulerReport) where() string {
	in, most := mostly(&s.Tail)
	if most < s.Tail.Tasks {
		return fmt.Sprintf("%s (%s of %s)", places[in], group(most), group(s.Tail.Tasks))
	}
	return places[in]
}

// mostly returns the component in which most of the slowest tasks spent most of their time, and the
// number of these tasks.
func mostly(t *federate.Tail) (in federate.Component, tasks int) {
	for part := range federate.Component(federate.Parts) {
		if n := int(*t.Of(part)); n > tasks {
			in, tasks = part, n
		}
	}
	return in, tasks
}

// places names the places in which a task spends its allocation time, by component.
var places = [federate.Parts]string{"in queues", "in processing", "at workers", "on messages"}

// refusals counts the requests that LMs refused; "" if there were none.
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

// cause says what would have helped the slowest tasks under the first scheduler with bounded
// workers; "" if these tasks waited no longer than the others.
func (r *Report) cause() string {
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		if plugin, ok := federate.Lookup(s.Name); ok && plugin.Facts.Unbounded {
			continue
		}
		if !s.spread() {
			return ""
		}
		switch in, _ := mostly(&s.Tail); in {
		case federate.Communication:
			return "A shorter message delay would help"
		case federate.Processing:
			return "Faster masters would help"
		}
		return r.Workload.shortage()
	}
	return ""
}

// shortage compares the peak demand with the capacity of the workers.
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

// spoken returns the title of the scheduler for use in sentences.
func (s *SchedulerReport) spoken() string {
	plugin, _ := federate.Lookup(s.Name)
	return cmp.Or(plugin.Title, s.Name)
}

func group(n int) string { return show.Group(fmt.Sprint(n)) }

// Errors of a document and its inputs.
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
