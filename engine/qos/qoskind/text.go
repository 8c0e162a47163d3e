package qoskind

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"berth/engine/diag"
	"berth/engine/figure"
	"berth/engine/input/workload"
	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/sim"
)

// WriteText implements [scenario.ReportBody].
func (r *Report) WriteText(w io.Writer, t *scenario.Timings) {
	for i := range r.Policies {
		var took float64
		if t != nil {
			took = t.Running[i][0] / 1000
		}
		r.Policies[i].write(w, r.Policies[i].Title, took)
	}
	if r.paired != nil {
		r.paired.writeText(w, r)
	}
}

// write writes the figures of one policy as a table of its classes. took is the measured time in
// seconds; 0 means not measured.
func (p *PolicyReport) write(w io.Writer, title string, took float64) {
	r := &p.Run
	fmt.Fprintf(w, "%s: %s, %s, %s, %s", show.Text(title), show.Count(r.Requests, "request"), show.Count(r.Preemptions, "preemption"),
		show.Count(r.Passes, "pass"), show.Count(r.Operations, "operation"))
	if took > 0 {
		fmt.Fprintf(w, ", %.3f s", took)
	}
	fmt.Fprintln(w)
	fmt.Fprintf(w, "  %-12s %9s %9s %8s %8s %8s %8s %12s\n", "class", "requests", "fulfilled", "mean", "p5", "p50", "min", "penalty")
	for _, f := range append(slices.Clone(r.Classes), r.All) {
		a, part := &f.Availability, figure.Part.Text
		fmt.Fprintf(w, "  %-12s %9d %9d %8s %8s %8s %8s %12.4f\n",
			show.Text(f.Name), f.Requests, f.Fulfilled, part(a.Mean), part(a.At("p5")), part(a.At("p50")), part(a.At("min")), f.Penalty)
	}
	r.Own.WriteText(w, "  ")
	controllersText(w, r.Controllers)
}

// WriteCommand writes the report in the form of the command simulate. times are wall-clock times in
// milliseconds, by policy and seed.
func (r *Report) WriteCommand(w io.Writer, times [][]float64) {
	headline, details := r.Sentences()
	scenario.WriteSentences(w, headline, details)
	for i := range r.Policies {
		r.Policies[i].write(w, r.Policies[i].Name, times[i][0]/1000)
	}
	notes, warnings := r.Remarks()
	for _, note := range notes {
		fmt.Fprintf(w, "note: %s\n", show.Lines(note))
	}
	for _, warning := range warnings {
		fmt.Fprintf(w, "warning: %s\n", show.Lines(warning))
	}
}

// CommandReport returns the JSON that the command simulate prints: the figures of each policy and
// class at their paths. times are wall-clock times in milliseconds, by policy and seed.
func CommandReport(r *Report, times [][]float64) figure.Object {
	var o figure.Object
	headline, details := r.Sentences()
	o.PutSome("headline", headline)
	o.PutSome("details", details)
	policies := []figure.Object{}
	for i := range r.Policies {
		p := &r.Policies[i]
		one := figure.NewObject("name", p.Name, "requests", p.Run.Requests)
		one.Add(ofRun, p)
		classes := []figure.Object{}
		for k := range p.Run.Classes {
			class := figure.NewObject("name", p.Run.Classes[k].Name, "slo", p.Run.Classes[k].SLO)
			class.Add(ClassFigures, &p.Run.Classes[k])
			classes = append(classes, class)
		}
		all := figure.NewObject("name", p.Run.All.Name)
		all.Add(ClassFigures, &p.Run.All)
		one = append(one, figure.NewObject("seconds", times[i][0]/1000, "classes", classes, "all", all)...)
		one.PutSome("controllers", p.Run.Controllers)
		one.PutSome("own", p.Run.Own)
		policies = append(policies, one)
	}
	o.Put("policies", policies)
	notes, warnings := r.Remarks()
	o.Put("notes", notes)
	o.Put("warnings", warnings)
	return o
}

// controllersText writes a table of the controllers, if there are any.
func controllersText(w io.Writer, all []qos.ControllerReport) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(w, "  %-20s %-12s %-12s %-12s %9s %8s %12s %5s\n", "controller", "kind", "class", "measure", "instances", "SLO", "availability", "met")
	met := 0
	for _, c := range all {
		word := "no"
		if c.Met {
			word = "yes"
			met++
		}
		fmt.Fprintf(w, "  %-20s %-12s %-12s %-12s %9d %8s %12s %5s\n", show.Text(c.Name), c.Kind, show.Text(c.Class), c.Measure, c.Instances, show.Percent(c.SLO), show.Percent(c.Availability), word)
	}
	mean, _ := OfControllers(all)
	fmt.Fprintf(w, "  %s, %d of them with the SLO met, mean availability %s\n", show.Count(len(all), "controller"), met, figure.Part.Text(mean))
}

// Sentences implements [scenario.ReportBody]: which policy wins, how many requests met their SLO
// under each policy, the largest miss, its cause, and a remedy.
func (r *Report) Sentences() (headline string, details []string) {
	if len(r.Policies) == 0 {
		return "", nil
	}
	counts, worst := r.counts(), r.worst()
	if len(r.Policies) > 1 && !r.Partial() && r.Policies[0].Run.All.Requests > 0 {
		headline, details = r.verdict(), []string{strings.Join(counts, " · ") + "."}
		if len(r.Policies) == 2 && strings.Contains(headline, "worst case") {
			worst = ""
		}
	} else {
		headline, details = show.Headline(counts)
	}
	for _, more := range []string{worst, r.cause()} {
		if more != "" {
			details = append(details, more+".")
		}
	}
	return headline, details
}

// counts has the number of requests that met their SLO under each policy.
func (r *Report) counts() []string {
	stopped := ""
	if r.Partial() {
		stopped = "Stopped early: "
	}
	parts := []string{stopped + r.Policies[0].Spoken() + ": " + r.Policies[0].met()}
	if utf8.RuneCountInString(parts[0]) > show.MostHeadline { // the tables also name the policies
		parts[0] = show.Capital(stopped + r.Policies[0].met())
	}
	for i := range r.Policies[1:] {
		p := &r.Policies[i+1]
		parts = append(parts, p.Spoken()+": "+p.count())
	}
	return parts
}

// Met reports whether every request met its SLO under every policy.
func (r *Report) Met() bool {
	return !slices.ContainsFunc(r.Policies, func(p PolicyReport) bool { return p.Run.All.Fulfilled < p.Run.All.Requests })
}

// count describes how many requests met their SLO, without a noun.
func (p *PolicyReport) count() string {
	all := &p.Run.All
	switch {
	case all.Requests == 0:
		return "no requests"
	case all.Fulfilled == all.Requests:
		return "all " + show.Group(fmt.Sprint(all.Requests))
	}
	return show.Group(fmt.Sprint(all.Fulfilled)) + " of " + show.Group(fmt.Sprint(all.Requests))
}

// met is count with a noun and verb.
func (p *PolicyReport) met() string {
	if p.Run.All.Requests == 0 {
		return p.count()
	}
	return p.count() + " " + show.Noun(p.Run.All.Requests, "request") + " met their SLO"
}

// worst describes the largest miss of an SLO under each policy; "" if none was missed.
func (r *Report) worst() string {
	var parts []string
	for i := range r.Policies {
		p := &r.Policies[i]
		if p.missed() > 0 {
			text := fmt.Sprintf("%.3g", p.worstCase())
			if parts == nil {
				text = "Worst case " + text + " percentage points below the SLO"
			}
			if len(r.Policies) > 1 {
				text += " under " + p.Spoken()
			}
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// Spoken returns the policy's common name or, for a variant, its title.
func (p *PolicyReport) Spoken() string {
	if plug, ok := qos.Lookup(p.Name); ok && plug.Title != "" && p.Title == p.Name {
		return plug.Title
	}
	return p.Title
}

// cause explains why requests missed their SLO and what would help; "" if none did or the reason is
// unknown.
func (r *Report) cause() string {
	w := &r.Workload
	switch {
	case r.Met() && w.AllCanRun():
		return ""
	case w.Hopeless > 0:
		return show.Group(fmt.Sprint(w.Hopeless)) + " " + show.Verb(w.Hopeless, "fits", "fit") + " no host: " + w.Misfit.text()
	case w.HopelessControllers > 0:
		return "The instances of " + show.Grouped(w.HopelessControllers, "controller") + " fit no host: larger hosts would help"
	}
	return r.shortage()
}

// shortage lists the causes of missed SLOs under the first policy with misses, and compares the
// peak demand with the capacity of the hosts.
func (r *Report) shortage() string {
	p := &r.Policies[max(0, slices.IndexFunc(r.Policies, func(p PolicyReport) bool { return p.Run.Missed != qos.Missed{} }))]
	run := &p.Run
	text := "SLO misses under " + p.Spoken() + ": " + run.Missed.String() + ". " + run.Missed.Counterfactual()
	switch scarce := scarcity(&run.Peak, &r.Hosts.Units); {
	case scarce != "":
		return text + scarce
	case r.Hosts.Events > 0:
		return text + "Hosts failed or left: spare hosts would help"
	}
	return text + fmt.Sprintf("The hosts have enough capacity in total, but an allocation takes %s\u202fs on average, and some requests need a large or a certain host; faster allocations or more hosts would help", show.Figure(r.Alpha))
}

// warn adds warnings about the workload that a run does not reveal.
func (e *Prepared) warn() {
	add := func(format string, args ...any) {
		e.report.Warnings = append(e.report.Warnings, fmt.Sprintf(format, args...))
	}
	if n, first := e.seen.Hopeless.N, e.seen.Hopeless.First; n > 0 {
		add("%d of %s %s no host, even an empty one, and will wait for ever; the first is %.40s", n, show.Count(e.seen.Requests, "request"), show.Verb(n, "fits", "fit"), first)
	}
	if n, first := e.seen.HopelessControllers.N, e.seen.HopelessControllers.First; n > 0 {
		add("the instances of %d of %s fit no host, even an empty one; the first is %.40s", n, show.Count(len(e.input.Controllers), "controller"), first)
	}
	if n, first := e.seen.OtherSLO.N, e.seen.OtherSLO.First; n > 0 {
		add("%s %s with an SLO other than that of its class; the SLO of the class counts; the first is %.40s", show.Count(n, "request"), show.Verb(n, "comes", "come"), first)
	}
	if resized := e.resized(); resized.N > 0 {
		add("%s %s a new capacity to a host, which keeps its own; the first is of %.40s", show.Count(resized.N, "host event"), show.Verb(resized.N, "gives", "give"), resized.First)
	}
	if n, first := e.seen.Repeated.N, e.seen.Repeated.First; n > 0 {
		add("%s %s the id of an earlier one; the first is %.40s", show.Count(n, "request"), show.Verb(n, "has", "have"), first)
	}
	if n, first := e.seen.Momentary.N, e.seen.Momentary.First; n > 0 {
		add("%s %s a duration of 0 and %s as %s: the availability is 1 without waiting, and 0 otherwise; the first is %.40s", show.Count(n, "request"),
			show.Verb(n, "has", "have"), show.Verb(n, "ends", "end"), show.Verb(n, "it starts", "they start"), first)
	}
	if !e.seen.Ordered {
		add("the requests are not in order of submission: Berth sorted them, which needs all of them in memory")
	}
}

// remarkOn adds the remarks of the reader of the workload.
func (e *Prepared) remarkOn(r *workload.Remarks) {
	e.report.Notes = append(e.report.Notes, r.Notes()...)
	e.report.Warnings = append(e.report.Warnings, r.Warnings()...)
	for _, n := range r.LeftOut {
		e.report.Workload.LeftOut += n
	}
	if r.Again {
		e.seen.Repeated = qos.Noted{}
	}
	if r.Endless > 0 && e.document.Horizon == 0 {
		e.report.Warnings = append(e.report.Warnings, fmt.Sprintf("without a horizon rows without an end run for %d days: set a horizon", workload.MaxTime/sim.Hour/24))
	}
}

// remark adds notes and warnings that qualify the figures of a policy.
func (e *Prepared) remark(p *PolicyReport) {
	for _, text := range p.Run.Own.Notes {
		p.Notes = append(p.Notes, p.Name+": "+text)
	}
	requests := p.Run.Requests
	for i := range p.Run.Controllers {
		requests -= p.Run.Controllers[i].Instances
	}
	if left := e.seen.Requests - requests; left > 0 && !p.Run.Partial {
		p.Notes = append(p.Notes, fmt.Sprintf("%s: %d of %s %s after the horizon and %s left out", p.Name,
			left, show.Count(e.seen.Requests, "request"), show.Verb(left, "comes", "come"), show.Verb(left, "is", "are")))
	}
	if silent := e.silent(&p.Run); silent.N > 0 && !p.Run.Partial {
		p.Notes = append(p.Notes, fmt.Sprintf("%s: %d of %s %s nothing before the end; the first is %.40s", p.Name,
			silent.N, show.Count(len(e.input.Controllers), "controller"), show.Verb(silent.N, "submits", "submit"), silent.First))
	}
	if p.Run.Partial {
		end := strconv.FormatFloat(p.Run.End, 'f', -1, 64)
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s: stopped at %s s: the figures cover only the time until then", p.Name, end))
	}
}

func (s *SampleSummary) String() string {
	return fmt.Sprintf("the sample has %d of %s, with %d of %s",
		s.Users, show.Count(s.UsersInAll, "user"), s.Requests, show.Count(s.RequestsInAll, "request"))
}

func (s *AdmissionSummary) String() string {
	return fmt.Sprintf("admission control admits %d of %s and rejects %d", s.Admitted, show.Count(s.Offered, "request"), s.Offered-s.Admitted)
}

// The errors in inputs.
var (
	noClasses         = &diag.Code{Name: diag.IsEmpty, Words: "there are no service classes; expected %s"}
	unknownClass      = &diag.Code{Name: diag.IsUnknown, Words: "found %q, expected one of %q"}
	otherControllers  = &diag.Code{Name: diag.IsMisplaced, Words: "is not for a %s, only for a %v"}
	lastCopy          = &diag.Code{Name: diag.IsOutOfRange, Words: "the last copy comes at %v s, expected at most %v"}
	endlessCronjob    = &diag.Code{Name: diag.IsMissing, Words: "missing: without a horizon a cronjob would submit jobs for ever"}
	noDuration        = &diag.Code{Name: diag.IsMissing, Words: "missing: the instances of a %s run until they have completed"}
	endlessController = &diag.Code{Name: diag.IsMissing, Words: "missing: without a horizon a %s would run for ever"}
	aggregated        = &diag.Code{Name: diag.IsUnexpected, Words: "found %q: a %s is aggregated (thesis, 7.2.5)"}
	noControllers     = &diag.Code{Name: diag.IsEmpty, Words: "there are no controllers; expected %s"}
	tooManyOverheads  = &diag.Code{Name: diag.IsTooMany, Words: "has %d entries, at most 2"}
	negativeRuns      = &diag.Code{Name: diag.IsOutOfRange, Words: "found %d, expected a number from 0"}
	noStart           = &diag.Code{Name: diag.IsMissing, Words: "missing: by default it is %v less than the limit, which is not above 0 here; expected a part of the hosts"}
	startRange        = &diag.Code{Name: diag.IsOutOfRange, Words: "found %v, expected a part of the hosts above 0 and up to the limit, %v"}
	noWorkload        = &diag.Code{Name: diag.IsMissing, Words: "missing: sampling and admission control, and a window, are of its requests"}
	overheadsTwice    = &diag.Code{Name: diag.IsConflict, Words: "is for hot and cold alike; give either it or overheadsHot and overheadsCold"}
	overheadsHalf     = &diag.Code{Name: diag.IsMissing, Words: "overheadsHot and overheadsCold go together"}
	classTwice        = &diag.Code{Name: diag.IsTwice, Words: "the class %q is defined twice"}
	priorityCount     = &diag.Code{Name: diag.IsCounts, Words: "has %s, expected the lowest and the highest, such as [9, 11]"}
	priorityOrder     = &diag.Code{Name: diag.IsUnordered, Words: "%v has the highest first; expected the lowest and the highest, such as [9, 11]"}
	bonusOrder        = &diag.Code{Name: diag.IsUnordered, Words: "found %v, expected more than the bound before it, %v"}
	hybridRange       = &diag.Code{Name: diag.IsOutOfRange, Words: "found %d, expected a length of the queue from 1 to 1e9"}
	noValidity        = &diag.Code{Name: diag.IsMissing, Words: "score caching needs one with the policy %s, whose verdicts change with time"}
)
