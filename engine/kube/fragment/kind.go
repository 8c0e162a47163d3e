package fragment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"berth/engine/cluster"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/scenario"
	"berth/engine/study"
)

// Kind is the scenario kind "fragment", which fills a cluster with pods under several policies. It
// has no page; the gallery shows it as an experiment.
var Kind = &scenario.Kind{
	Name: Name, Title: "Fragmentation", Path: study.Kind.Path, Holds: "nodes, pods and policies",
	About:    "How much of the GPUs can be allocated before what is free is in pieces too small to use?",
	Document: func() scenario.Document { return &Document{} },
	Report:   func() scenario.ReportBody { return &Report{} },
	Prepare:  scenario.PrepareBy(prepare),
	Gather:   gather.Gather,
	Subject:  "policy", Headline: []string{"allocated.100", "fragmented.100", "refused"},
	Figures: Figures, Parameters: Parameters, Recipe: values,
}

// Prepared is a document with its inputs, which have been read or generated.
type Prepared struct {
	document *Document
	env      scenario.Env
	inputs
	warnings []string
}

type inputs struct {
	hosts   []cluster.Host
	pods    []workload.Request
	digests map[string]string // by slot; none for a recipe
}

// prepare reads or generates the inputs of a document, which must be valid. Its error is an
// [*scenario.InputError] with all errors of the inputs, or the error of the context or of a
// file.
func prepare(ctx context.Context, d *Document, env scenario.Env) (*Prepared, error) {
	e := &Prepared{document: d.Clone().(*Document), env: env, warnings: []string{}}
	sources := &Document{Nodes: d.Nodes, Pods: d.Pods}
	holds := func(in inputs) bool {
		return !slices.ContainsFunc(sources.Slots(), func(s scenario.Slot) bool {
			return !env.Unchanged(ctx, s.Name, s.Source, in.digests[s.Name])
		})
	}
	var err error
	e.inputs, err = scenario.OnceIf(ctx, struct{ fragment string }{scenario.Content(sources)}, holds, func() (inputs, error) {
		in := inputs{digests: map[string]string{}}
		for _, s := range slices.Backward(sources.Slots()) {
			if err := in.read(ctx, env, s); err != nil {
				return in, scenario.Wrong(Name+"."+s.Name, err)
			}
		}
		return in, nil
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("cancelled while reading the inputs: %w", ctx.Err())
	case err != nil:
		return nil, err
	case len(e.hosts) > maxNodes:
		err = fmt.Errorf("there are %d nodes, at most %d can be packed", len(e.hosts), maxNodes)
	case !slices.ContainsFunc(e.hosts, func(h cluster.Host) bool { return h.GPUs > 0 }):
		err = errors.New("no node has a GPU")
	case !slices.ContainsFunc(e.pods, func(p workload.Request) bool { return p.Devices() > 0 }):
		err = errors.New("no pod asks for a GPU")
	case len(e.pods) > maxArrivals:
		err = fmt.Errorf("there are %d pods, at most %d can arrive", len(e.pods), maxArrivals)
	}
	if err != nil {
		return nil, scenario.WrongIn(Name, err)
	}
	for _, s := range slices.Backward(e.document.Slots()) {
		if warning := s.Source.Identify(e.digests[s.Name]); warning != "" {
			e.warnings = append(e.warnings, warning)
		}
	}
	return e, nil
}

// read reads or generates the nodes or the pods. It reads a text to its end, to compute its digest.
func (in *inputs) read(ctx context.Context, env scenario.Env, s scenario.Slot) (err error) {
	if r := s.Source.Recipe; r != nil {
		_, v, err := values(*r)
		switch {
		case err != nil:
		case r.Generator == nodesGenerator:
			in.hosts = generateNodes(int(v["nodes"]), r.Seed)
		default:
			in.pods = generatePods(v, r.Seed)
		}
		return err
	}
	var reading *scenario.SourceReader // of the last opening
	open := func() (r io.Reader, err error) {
		reading, err = env.Reading(ctx, s.Name, s.Source, true)
		return reading, err
	}
	switch s.Name {
	case "nodes":
		var r io.Reader
		if r, err = open(); err == nil {
			in.hosts, _, err = trace.ReadHosts(s.Source.Name, r)
		}
	case "pods":
		var source workload.Stream
		if source, err = trace.OpenRequests(s.Source.Name, open); err == nil {
			in.pods, err = workload.ReadAll(source)
		}
	}
	if err == nil {
		_, err = io.Copy(io.Discard, reading)
		in.digests[s.Name], _ = reading.Digest()
	}
	return err
}

// Document implements [scenario.Work].
func (e *Prepared) Document() scenario.Document { return e.document }

// Warnings returns the warnings about the inputs.
func (e *Prepared) Warnings() []string { return e.warnings }

// Run implements [scenario.Work]. It runs the policy of the row. If ctx ends, the result is
// partial.
func (e *Prepared) Run(ctx context.Context, row scenario.Row, tell func(scenario.Progress), t *scenario.Timings) (scenario.ReportBody, error) {
	report := &Report{Nodes: len(e.hosts), Pods: len(e.pods), Policies: []Result{}, Warnings: e.warnings}
	for i := range e.hosts {
		report.GPUs += e.hosts[i].GPUs
	}
	if report.cancelled = ctx.Err() != nil; report.cancelled {
		return report, nil
	}
	name := e.document.Policies[row.Subject]
	policy, err := Lookup(name)
	if err != nil {
		return nil, scenario.Wrong(fmt.Sprintf("%s.policies[%d]", Name, row.Subject), err)
	}
	var one *Result
	milliseconds := e.env.Time(ctx, name, func() {
		one, err = e.pack(ctx, policy, func(part float64) {
			tell(scenario.Progress{Phase: "running", Fraction: part, Done: int64(row.Subject), Total: int64(len(e.document.Policies)), Unit: "policies"})
		})
	}, nil)
	if err != nil {
		return nil, scenario.WrongIn(Name, err)
	}
	one.Name = name
	report.Policies, report.cancelled = append(report.Policies, *one), one.Partial
	t.Running = [][]float64{{milliseconds}}
	return report, nil
}

// gather combines the reports of single policies into one. The report is marked as cancelled if a
// policy is missing or was stopped early.
var gather = scenario.Bodies[Report, Result]{
	List: func(r *Report) *[]Result { return &r.Policies },
	Over: func(r *Report, one *Result, _ []Result, _ int) {
		r.cancelled = r.cancelled || one.Partial
	},
	Ends: func(r *Report) { r.cancelled = true },
}
