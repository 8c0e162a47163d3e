package qoskind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/packed"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/sim"
)

// Prepared is a document with its inputs and, after Run, its results. It is not safe for concurrent
// use.
type Prepared struct {
	// Requests, if not nil, receives the outcome of each request under each policy with the first
	// seed, as CSV with the header RequestsHeader.
	Requests *csv.Writer

	document *Document
	env      scenario.Env

	text   *scenario.SourceReader // latest reader of the workload's text, until its digest is known
	known  bool                   // the digest of the workload's text is known
	kept   []workload.Request     // the whole workload, if it is small or was out of order; nil: streamed
	users  []string               // users whose requests are simulated; nil: all users
	input  qos.Input
	config qos.Config
	seen   *qos.Inspection
	// instances is the maximum number of instances that the controllers submit.
	instances int
	report    Report            // the report before the first run
	result    []*qos.Result     // results of the first seed, by policy
	lines     map[int]*Timeline // by policy: timelines of the last run
}

// Prepare reads the inputs of a document, which must be valid. Its error is an
// [*scenario.InputError] with all errors of the inputs, or the error of the context or of a
// file.
func Prepare(ctx context.Context, d *Document, env scenario.Env) (*Prepared, error) {
	for i := range d.Policies {
		if _, err := d.Policies[i].policy(); err != nil {
			return nil, scenario.Wrong(fmt.Sprintf("%s.policies[%d]", Name, i), err)
		}
	}
	inputs := d.clone()
	inputs.Policies, inputs.Seed, inputs.Seeds, inputs.PointEvery, inputs.FairnessEvery = nil, 0, 0, nil, nil
	inputsRead, err := scenario.OnceIf(ctx, struct{ qos string }{scenario.Content(inputs)},
		func(e *Prepared) bool { return e.unchanged(ctx, d, env) },
		func() (*Prepared, error) { return readInputs(ctx, d, env) })
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("cancelled while reading the inputs: %w", ctx.Err())
		}
		return nil, err
	}
	e := *inputsRead
	e.document, e.env, e.lines = d.clone(), env, map[int]*Timeline{}
	e.report.Identify(e.document)
	own := d.config()
	e.config.Policy, e.config.Seed, e.config.PointEvery, e.config.FairnessEvery = own.Policy, own.Seed, own.PointEvery, own.FairnessEvery
	return &e, e.affords()
}

// readInputs reads or generates the inputs of a document. It ignores the document's policies.
func readInputs(ctx context.Context, d *Document, env scenario.Env) (*Prepared, error) {
	e := &Prepared{document: d.clone(), env: env, config: d.config()}
	e.report.Notes, e.report.Warnings, e.report.Policies = []string{}, []string{}, []PolicyReport{}
	for _, step := range []func(context.Context) error{e.readOverheads, e.drawUsers, e.readHosts, e.addControllers, e.inspect} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	e.summarise()
	return e, nil
}

// unchanged reports whether the files of the document still have the content that was read.
func (e *Prepared) unchanged(ctx context.Context, d *Document, env scenario.Env) bool {
	for _, slot := range d.Slots() {
		i := slices.IndexFunc(e.report.Inputs, func(input InputDigest) bool { return input.Slot == slot.Name })
		if slot.Source.Beside() && (i < 0 || !env.Unchanged(ctx, slot.Name, slot.Source, e.report.Inputs[i].SHA256)) {
			return false
		}
	}
	return true
}

// Document implements [scenario.Work]. The document contains the digests of the files that it
// refers to.
func (e *Prepared) Document() scenario.Document { return e.document }

// Inputs returns the report before any run, without policies.
func (e *Prepared) Inputs() *Report { return &e.report }

// Warnings returns the warnings about the inputs that are known before a run.
func (e *Prepared) Warnings() []string { return e.report.Warnings }

// problem converts an error of an input to an [*scenario.InputError] about a field of the document.
func problem(field string, err error) error { return asInput(scenario.WrongIn, field, err) }

// wrong is problem for an error whose message must start with the field.
func wrong(field string, err error) error { return asInput(scenario.Wrong, field, err) }

// asInput converts an error with wrong. It returns errors of inputs and of the context unchanged.
func asInput(wrong func(path string, err error) *scenario.InputError, field string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if found, ok := errors.AsType[*scenario.InputError](err); ok {
		return found
	}
	return wrong(Name+field, err)
}

// read passes the text of a source to a reader, and keeps the digest.
func read[T any](ctx context.Context, e *Prepared, slot, field string, s *scenario.Source, read func(name string, r io.Reader) (T, error)) (found T, err error) {
	r, err := e.env.Reading(ctx, slot, s, true)
	if err != nil {
		return found, err
	}
	if found, err = read(s.Name, r); err != nil {
		return found, problem(field, err)
	}
	e.keep(slot, s, r)
	return found, nil
}

// keep records the digest of a text that has been read to its end.
func (e *Prepared) keep(slot string, s *scenario.Source, r *scenario.SourceReader) {
	sum, size := r.Digest()
	if warning := s.Identify(sum); warning != "" {
		e.report.Warnings = append(e.report.Warnings, warning)
	}
	e.report.Inputs = append(e.report.Inputs, InputDigest{Slot: slot, Name: s.Name, SHA256: sum, Bytes: size})
}

func (e *Prepared) readOverheads(ctx context.Context) error {
	d := e.document
	set := func(slot, field string, s *scenario.Source) (set []sim.Milliseconds, err error) {
		if s.Recipe != nil {
			set, err = overheads(s.Recipe)
			err = wrong(field+".recipe", err)
		} else {
			set, err = read(ctx, e, slot, field, s, trace.Overheads)
		}
		e.report.Overheads = append(e.report.Overheads, summariseOverheads(s.Name, set))
		return set, err
	}
	var err error
	switch {
	case d.Overheads != nil:
		e.config.HotSet, err = set(OverheadsSlot, ".overheads", d.Overheads)
		e.config.ColdSet = e.config.HotSet
	case d.Hot != nil:
		e.config.HotSet, err = set(HotSlot, ".overheadsHot", d.Hot)
		if err == nil {
			e.config.ColdSet, err = set(ColdSlot, ".overheadsCold", d.Cold)
		}
	default:
		e.report.Notes = append(e.report.Notes, "without overheads an allocation takes no time")
		e.config.HotSet = []sim.Milliseconds{0}
		e.config.ColdSet = e.config.HotSet
		e.report.Overheads = []OverheadSummary{}
	}
	return err
}

// raw opens the workload from its beginning, before sampling and admission (see requests).
func (e *Prepared) raw(ctx context.Context) (source workload.Stream, err error) {
	s := &e.document.Workload
	opening := true
	defer func() { opening = false }()
	switch {
	case e.kept != nil || !e.document.hasWorkload():
		return &workload.Slice{Requests: e.kept}, nil
	case s.Recipe != nil:
		source, err = requests(s.Recipe)
		err = wrong(".workload.recipe", err)
	default:
		source, err = trace.OpenRequests(s.Name, func() (_ io.Reader, err error) {
			if !e.known {
				e.text, err = e.env.Reading(ctx, WorkloadSlot, s, false)
				return e.text, err
			}
			text, err := e.env.Open(WorkloadSlot, s)
			if err != nil {
				return nil, scenario.Unread(WorkloadSlot, s, err)
			}
			return &openingText{Text: text, ctx: ctx, env: &e.env, opening: &opening}, nil
		})
	}
	if err == nil && e.document.Window != nil {
		source = e.document.Window.Requests(source)
	}
	return source, problem(".workload", err)
}

// wasRead records the digest of the workload's text once all of it has been read.
func (e *Prepared) wasRead() {
	if e.text != nil && !e.known {
		e.keep(WorkloadSlot, &e.document.Workload, e.text)
		e.text, e.known = nil, true
	}
}

// openingText reads the text of a workload. While the workload is being opened, it stops with the
// context and reports progress, because opening a Google trace reads all of it. Afterwards the run
// does both.
type openingText struct {
	*packed.Text
	ctx     context.Context
	env     *scenario.Env
	opening *bool
}

// Read implements [io.Reader].
func (p *openingText) Read(buffer []byte) (int, error) {
	if !*p.opening {
		return p.Text.Read(buffer)
	}
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.Text.Read(buffer)
	p.env.TellRead(p.Done(), p.Size)
	return n, err
}

func (e *Prepared) readHosts(ctx context.Context) error {
	d := e.document
	var err error
	if d.Hosts.Recipe != nil {
		e.input.Hosts, err = hosts(d.Hosts.Recipe, func() (workload.Stream, error) {
			source, err := e.offered(ctx)
			return &reading{Stream: source, ctx: ctx, many: true}, err
		})
		if errors.Is(err, workload.ErrOrder) {
			e.input.Hosts, err = hosts(d.Hosts.Recipe, func() (workload.Stream, error) { return e.inOrder(ctx) })
		}
		err = wrong(".hosts.recipe", err)
	} else {
		e.input.Hosts, err = read(ctx, e, HostsSlot, ".hosts", &d.Hosts, func(name string, r io.Reader) (found []cluster.Host, err error) {
			found, e.input.HostEvents, err = trace.ReadHosts(name, r)
			return found, err
		})
	}
	var events []workload.HostEvent
	if err == nil && d.HostEventSource != nil {
		events, err = read(ctx, e, HostEventsSlot, ".hostEventSource", d.HostEventSource, trace.HostEvents)
	}
	e.input.HostEvents = workload.MergeHostEvents(workload.MergeHostEvents(e.input.HostEvents, events), d.hostEvents())
	return err
}

// inspect reads the workload once to collect the facts that are known before a run.
func (e *Prepared) inspect(ctx context.Context) error {
	raw, err := e.raw(ctx)
	if err != nil {
		return err
	}
	offered := &reading{Stream: e.ofUsers(raw), ctx: ctx, many: e.document.Workload.Recipe != nil}
	if err := e.look(offered); err != nil {
		return err
	}
	e.wasRead()
	e.kept = offered.requests
	if offered.n == 0 && e.document.hasWorkload() {
		if part, ok := raw.(*workload.Windowed); ok && part.All > 0 {
			return wrong(".window", fmt.Errorf("none of %s is within it", show.Count(part.All, "request")))
		}
		return problem(".workload", diag.New(e.document.Workload.Name, 1, 1, diag.NoneOf, "requests"))
	}
	if offered.disordered {
		if err := e.sort(ctx); err != nil {
			return err
		}
	}
	if err := e.tellAdmission(offered.n); err != nil {
		return err
	}
	if e.instances == 0 || e.document.Horizon == 0 { // otherwise instances may never arrive, and the horizon measures progress
		e.input.InAll = e.arrivals()
	}
	if e.seen.Ordered && e.affords() != nil {
		e.kept = nil // the workload is in order, so it can be streamed
	}
	if err := e.affords(); err != nil {
		return err
	}
	if part, ok := raw.(*workload.Windowed); ok {
		e.report.Notes = append(e.report.Notes, e.document.Window.Says(part.Kept, part.All, "request"))
		raw = part.Stream
	}
	if remarked, ok := raw.(workload.Remarked); ok {
		e.remarkOn(remarked.Remarks())
	}
	e.warn()
	return nil
}

// affords returns an error if the memory does not suffice for a run and the results of all
// policies.
func (e *Prepared) affords() error {
	n := e.seen.Requests
	bytes := qos.Memory(len(e.everyHost()), len(e.config.Classes), n, e.instances, e.kept != nil) +
		float64(len(e.document.Policies)-1)*qos.ResultMemory(n+e.instances)
	if err := e.env.Affords(bytes); err != nil {
		return wrong("", fmt.Errorf("%s: %w", show.Count(n+e.instances, "request"), err))
	}
	return nil
}

// look reads the requests that admission control admits, and summarises them in e.seen. It rejects
// a workload that cannot be simulated.
func (e *Prepared) look(offered workload.Stream) error {
	source, err := e.admitted(offered)
	if err != nil {
		return problem(".admission", err)
	}
	e.seen, err = qos.Inspect(source, e.input, e.config)
	if err != nil {
		return e.refused(e.document.Workload.Name, err)
	}
	return nil
}

// refused converts an error of the engine into one about the request, the host event or the option
// that caused it.
func (e *Prepared) refused(workload string, err error) error {
	if r, ok := errors.AsType[*qos.RequestError](err); ok {
		d := diag.New(workload, r.Line, r.Column, diag.Invalid, err)
		d.Field = Name + ".workload"
		return &scenario.InputError{Diagnostics: diag.List{*d}}
	}
	if r, ok := errors.AsType[*qos.EventError](err); ok {
		return problem(fmt.Sprintf(".hostEvents[%d]", r.Event-1), err)
	}
	return problem("", err)
}

// resized counts the events that bring up a host with a capacity that differs from its first one.
func (e *Prepared) resized() (resized qos.Noted) {
	given := map[string]cluster.Resources{}
	for _, h := range e.input.Hosts {
		given[h.Name] = h.Resources()
	}
	for _, event := range e.input.HostEvents {
		host := qos.HostOf(&event)
		now := host.Resources()
		before, known := given[event.Host]
		switch {
		case !event.Up || now == cluster.Resources{}:
		case !known:
			given[event.Host] = now
		case now != before:
			resized.Add(event.Host)
		}
	}
	return resized
}

// sort reads a workload that is out of order into memory and sorts it. With admission control it
// then inspects the workload again, because admission depends on the order.
func (e *Prepared) sort(ctx context.Context) error {
	sorted, err := e.inOrder(ctx)
	if err != nil {
		return problem(".workload", err)
	}
	e.kept = sorted.Requests
	if e.document.Admission != nil {
		if err := e.look(sorted); err != nil {
			return err
		}
	}
	e.seen.Ordered = false
	return nil
}

// inOrder reads the whole workload and sorts it by submission.
func (e *Prepared) inOrder(ctx context.Context) (*workload.Slice, error) {
	source, err := e.offered(ctx)
	if err != nil {
		return nil, err
	}
	all, err := workload.ReadAll(&reading{Stream: source, ctx: ctx, many: true})
	workload.SortBySubmit(all)
	return &workload.Slice{Requests: all}, err
}

// mostKept is the largest number of requests that are kept in memory, so that the text is read only
// once.
const mostKept = 1 << 17

// reading is a stream that stops with its context. It counts the requests, checks their order, and
// keeps up to mostKept of them.
type reading struct {
	workload.Stream
	ctx        context.Context
	n          int
	last       sim.Milliseconds
	disordered bool
	requests   []workload.Request
	many       bool
}

// Read implements [workload.Stream].
func (r *reading) Read(buffer []workload.Request) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.Stream.Read(buffer)
	for i := range buffer[:n] {
		r.disordered = r.disordered || buffer[i].Submit < r.last
		r.last = max(r.last, buffer[i].Submit)
	}
	r.n += n
	if r.many = r.many || r.n > mostKept; r.many {
		r.requests = nil
	} else {
		r.requests = append(r.requests, buffer[:n]...)
	}
	return n, err
}
