package federatekind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"berth/engine/diag"
	"berth/engine/federate"
	input "berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/policy"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Prepared is a document with its trace and machines read. It is not safe for concurrent use.
type Prepared struct {
	document *Document
	env      scenario.Env

	trace    // as read or generated
	machines machines
	load     *workload.Tasks // workload of loadOf, the row that was used last
	loadOf   *Document
	warnings []string
	played   *Playback // the last playback that was requested

	// Audit, if not nil, receives the rows of the audit during each run.
	Audit *Audit
}

// Prepare reads or generates the trace of a document. The document must be valid. The error is an
// [*scenario.InputError] with all errors of the trace, or the error of the context or of a file.
func Prepare(ctx context.Context, d *Document, env scenario.Env) (*Prepared, error) {
	if len(d.Sweep) > 0 {
		return nil, scenario.Wrong(Name+".sweep", errSwept)
	}
	e := &Prepared{document: d.Clone().(*Document), env: env, warnings: []string{}}
	if err := e.readTrace(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("cancelled while reading the trace: %w", ctx.Err())
		}
		return nil, err
	}
	if err := e.readMachines(ctx); err != nil {
		return nil, err
	}
	if err := e.inspect(); err != nil {
		return nil, err
	}
	return e, nil
}

// Document returns the document. If the trace is a file next to the document, its digest is filled
// in.
func (e *Prepared) Document() scenario.Document { return e.document }

// Warnings returns remarks about the workload, such as tasks that can never run, or a trace that
// has changed since the scenario was written.
func (e *Prepared) Warnings() []string { return e.warnings }

// trace is the trace of a document after reading.
type trace struct {
	tasks  *workload.Tasks
	digest string // of its text; "" if reading stopped before the end
}

// readTrace reads or generates the trace, or takes it from the cache.
func (e *Prepared) readTrace(ctx context.Context) error {
	s := &e.document.Trace
	var err error
	holds := func(t trace) bool { return !t.tasks.Cut && e.env.Unchanged(ctx, TraceSlot, s, t.digest) }
	e.trace, err = scenario.OnceIf(ctx, struct{ trace string }{scenario.Content(&Document{Trace: *s, Window: e.document.Window})}, holds, func() (t trace, err error) {
		if s.Recipe == nil {
			return e.read(ctx, s)
		}
		t.tasks, err = workload.Jobs(*s.Recipe, e.env.Load())
		if err != nil {
			err = scenario.Wrong(Name+".trace.recipe", err)
		}
		return t, err
	})
	if err != nil {
		return err
	}
	if warning := s.Identify(e.digest); warning != "" {
		e.warnings = append(e.warnings, warning)
	}
	return nil
}

func (e *Prepared) read(ctx context.Context, s *scenario.Source) (t trace, err error) {
	var reading *scenario.SourceReader // the last one opened; it has read to the end
	t.tasks, err = input.OpenTasks(s.Name, e.document.window(), func() (r io.Reader, err error) {
		reading, err = e.env.Reading(ctx, TraceSlot, s, false)
		return reading, err
	})
	if err != nil {
		return t, scenario.Wrong(Name+".trace", err)
	}
	if !t.tasks.Cut {
		t.digest, _ = reading.Digest()
	}
	return t, nil
}

// wrong turns an error of the configuration, which contains its field, into an
// [*scenario.InputError].
func (e *Prepared) wrong(err error) error {
	if errors.Is(err, policy.ErrNoLanguage) {
		return scenario.Wrong(Name+".policies", err)
	}
	return scenario.Wrong(Name, placed(err, Name+"."))
}

// placed returns an error of the configuration with its path in the document. An error within the
// text of a policy keeps its own position.
func placed(err error, prefix string) *diag.Diagnostic {
	at := diag.At("", diag.Invalid, err)
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok && d.File != "" {
		*at = *d
		if d.Line > 0 { // in the text of a policy
			return at
		}
	}
	at.Path = prefix + at.Path
	return at
}

// inspect checks that every scheduler can run the workload before the first one starts. It adds
// warnings about the workload and about tasks that can never run.
func (e *Prepared) inspect() error {
	s, err := e.simulation(0, 0)
	if err != nil {
		return err
	}
	config, load := s.config, s.load
	for i, name := range e.document.Schedulers {
		if err := federate.Suits(name, config, load); err != nil {
			at := placed(err, "")
			at.Path = fmt.Sprintf("%s.schedulers[%d]", Name, i)
			return scenario.Wrong(Name, at)
		}
		if err := e.env.Affords(federate.Memory(name, config, load)); err != nil {
			return scenario.Wrong(Name, fmt.Errorf("%s with %s: %w", name, show.Count(len(load.Durations), "task"), err))
		}
	}
	e.warn(load)
	never, err := federate.FindNever(config, load)
	if err != nil {
		return e.wrong(err)
	}
	for _, n := range never[:min(len(never), mostNever)] {
		e.warnings = append(e.warnings, n.String())
	}
	if more := never[min(len(never), mostNever):]; len(more) > 0 {
		e.warnings = append(e.warnings, federate.DescribeMore(more))
	}
	return nil
}

// mostNever is the largest number of groups of impossible tasks that are described one by one.
const mostNever = 10

// warn adds the warnings about the workload that the result of a run does not show.
func (e *Prepared) warn(load *workload.Tasks) {
	kept, all := len(load.Jobs), len(e.tasks.Jobs)
	switch {
	case e.tasks.Cut:
		e.warnings = append(e.warnings, e.document.Window.SaysCut(kept, "job"))
	case kept < all:
		e.warnings = append(e.warnings, e.document.Window.Says(kept, all, "job"))
		if e.tasks.After != nil {
			e.warnings = append(e.warnings, "jobs within the window wait for none outside it")
		}
	}
	momentary := 0
	for _, d := range load.Durations {
		if d == 0 {
			momentary++
		}
	}
	if momentary > 0 {
		e.warnings = append(e.warnings, momentaryTasks(momentary))
	}
	e.warnings = append(append(e.warnings, load.Remarks.Warnings()...), load.Remarks.Notes()...)
	if e.tasks.Conditions != nil && load.Conditions == nil {
		e.warnings = append(e.warnings, unmet(e.tasks))
	}
	if load.Unordered {
		e.warnings = append(e.warnings, sortedJobs)
	}
	if e.machines.outages != nil {
		e.warnings = append(e.warnings, FailuresAssumed)
	}
	for _, name := range e.document.apart(load) {
		e.warnings = append(e.warnings, gangsApart(name))
	}
}

// apart returns the schedulers that start the tasks of a gang one by one, or nil if the workload
// has no gangs.
func (d *Document) apart(load *workload.Tasks) (names []string) {
	if !slices.ContainsFunc(load.Jobs, func(j workload.TaskJob) bool { return j.Gang && j.Count > 1 }) {
		return nil
	}
	for _, name := range d.Schedulers {
		if p, _ := federate.Lookup(name); !p.Facts.Gangs && !p.Facts.Rigid && !p.Facts.Unbounded {
			names = append(names, name)
		}
	}
	return names
}

// loadFor returns the workload of a row. It keeps the last one, because successive rows mostly
// share it.
func (e *Prepared) loadFor(d *Document) (*workload.Tasks, error) {
	recipe := d.Trace.Recipe
	if e.loadOf != nil && (recipe == nil || recipe.Seed == e.loadOf.Trace.Recipe.Seed) {
		return e.load, nil
	}
	load := e.tasks
	if recipe != nil && recipe.Seed != e.document.Trace.Recipe.Seed {
		var err error
		load, err = workload.Jobs(*recipe, scenario.NewLoad(e.env.Memory))
		if err != nil {
			return nil, scenario.Wrong(Name+".trace.recipe", err)
		}
	}
	window := d.window()
	part := window.Of(load)
	if len(part.Jobs) == 0 {
		return nil, e.wrong(diag.At("window", windowEmpty, show.Count(len(load.Jobs), "job")))
	}
	if e.machines.list == nil {
		part = part.Without()
	}
	e.load, e.loadOf = faster(part, d.Load), d
	return e.load, nil
}

// faster returns the workload with its arrival rate multiplied by a factor; nil means 1.
func faster(load *workload.Tasks, times *float64) *workload.Tasks {
	if times == nil {
		return load
	}
	x := *load
	x.Jobs = slices.Clone(load.Jobs)
	for i := range x.Jobs {
		x.Jobs[i].Arrival = federate.Time(math.Round(float64(x.Jobs[i].Arrival) / *times))
	}
	return &x
}
