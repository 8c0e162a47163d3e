package fragmentkind

import (
	"context"
	"fmt"
	"io"
	"slices"

	"berth/engine/cluster"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/kube/fragment"
	"berth/engine/scenario"
)

// Prepared is a document with its inputs, which have been read or generated.
type Prepared struct {
	document *Document
	env      scenario.Env
	inputs
	warnings []string
}

type inputs struct {
	nodes   []cluster.Host
	pods    []workload.Request
	digests map[string]string // by slot; none for a recipe
}

// Prepare reads or generates the inputs of a document, which must be valid. Its error is an
// [*scenario.InputError] with all errors of the inputs, or the error of the context or of a
// file.
func Prepare(ctx context.Context, d *Document, env scenario.Env) (*Prepared, error) {
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
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("cancelled while reading the inputs: %w", ctx.Err())
		}
		return nil, err
	}
	for _, s := range slices.Backward(e.document.Slots()) {
		if warning := s.Source.Identify(e.digests[s.Name]); warning != "" {
			e.warnings = append(e.warnings, warning)
		}
	}
	config := fragment.Config{Nodes: e.nodes, Pods: e.pods}
	if err := config.Check(); err != nil {
		return nil, scenario.WrongIn(Name, err)
	}
	return e, nil
}

// read reads or generates the nodes or the pods. It reads a text to its end, to compute its digest.
func (in *inputs) read(ctx context.Context, env scenario.Env, s scenario.Slot) (err error) {
	if s.Source.Recipe != nil {
		return in.generate(*s.Source.Recipe)
	}
	var reading *scenario.SourceReader // of the last opening
	open := func() (r io.Reader, err error) {
		reading, err = env.Reading(ctx, s.Name, s.Source, true)
		return reading, err
	}
	switch s.Name {
	case NodesSlot:
		var r io.Reader
		if r, err = open(); err == nil {
			in.nodes, _, err = trace.ReadHosts(s.Source.Name, r)
		}
	case PodsSlot:
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

func (in *inputs) generate(r workload.Recipe) error {
	_, v, err := values(r)
	switch {
	case err != nil:
	case r.Generator == NodesGenerator:
		in.nodes = fragment.Nodes(int(v["nodes"]), r.Seed)
	default:
		in.pods = fragment.Pods(fragment.Mix{Pods: int(v["pods"]), None: v["none"], Shared: v["shared"], Many: v["many"], Any: v["any"]}, r.Seed)
	}
	return err
}
