package fragmentkind

import (
	"context"
	"fmt"
	"io"

	"berth/engine/cluster"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/kube/fragment"
	"berth/engine/scenario"
)

type inputs struct {
	nodes       []cluster.Host
	pods        []workload.Request
	nodesDigest string
	podsDigest  string
}

// Prepare reads or generates the inputs of a document, which must be valid. Its error is an
// [*scenario.InputError] with all errors of the inputs, or the error of the context or of a
// file.
func Prepare(ctx context.Context, d *Document, env scenario.Env) (*Prepared, error) {
	e := &Prepared{document: d.Clone().(*Document), env: env, warnings: []string{}}
	sources := &Document{Nodes: d.Nodes, Pods: d.Pods}
	holds := func(in inputs) bool {
		return env.Unchanged(ctx, NodesSlot, &d.Nodes, in.nodesDigest) && env.Unchanged(ctx, PodsSlot, &d.Pods, in.podsDigest)
	}
	var err error
	e.inputs, err = scenario.OnceIf(ctx, struct{ fragment string }{scenario.Content(sources)}, holds, func() (inputs, error) { return read(ctx, sources, env) })
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("cancelled while reading the inputs: %w", ctx.Err())
		}
		return nil, err
	}
	for _, of := range []struct {
		source *scenario.Source
		digest string
	}{{&e.document.Nodes, e.nodesDigest}, {&e.document.Pods, e.podsDigest}} {
		if warning := of.source.Identify(of.digest); warning != "" {
			e.warnings = append(e.warnings, warning)
		}
	}
	config := fragment.Config{Nodes: e.nodes, Pods: e.pods}
	if err := config.Check(); err != nil {
		return nil, scenario.WrongIn(Name, err)
	}
	return e, nil
}

func read(ctx context.Context, d *Document, env scenario.Env) (in inputs, err error) {
	in.nodesDigest, err = readInput(ctx, env, NodesSlot, &d.Nodes, func(v map[string]float64, seed uint64) {
		in.nodes = fragment.Nodes(int(v["nodes"]), seed)
	}, func(open func() (io.Reader, error)) error {
		r, err := open()
		if err == nil {
			in.nodes, _, err = trace.ReadHosts(d.Nodes.Name, r)
		}
		return err
	})
	if err != nil {
		return in, err
	}
	in.podsDigest, err = readInput(ctx, env, PodsSlot, &d.Pods, func(v map[string]float64, seed uint64) {
		in.pods = fragment.Pods(fragment.Mix{Pods: int(v["pods"]), None: v["none"], Shared: v["shared"], Many: v["many"], Any: v["any"]}, seed)
	}, func(open func() (io.Reader, error)) error {
		source, err := trace.OpenRequests(d.Pods.Name, open)
		if err == nil {
			in.pods, err = workload.ReadAll(source)
		}
		return err
	})
	return in, err
}

// readInput generates an input from its recipe, or passes its text to read and then reads the rest
// of the text to compute the digest. The digest is "" for a recipe.
func readInput(ctx context.Context, env scenario.Env, slot string, s *scenario.Source, generate func(v map[string]float64, seed uint64),
	read func(open func() (io.Reader, error)) error) (digest string, err error) {
	var reading *scenario.SourceReader // reader of the last opening: only read to the end does it have a digest
	if s.Recipe != nil {
		var v map[string]float64
		if _, v, err = values(*s.Recipe); err == nil {
			generate(v, s.Recipe.Seed)
		}
	} else if err = read(func() (r io.Reader, err error) {
		reading, err = env.Reading(ctx, slot, s, true)
		return reading, err
	}); err == nil {
		_, err = io.Copy(io.Discard, reading)
	}
	if err != nil {
		return "", scenario.Wrong(Name+"."+slot, err)
	}
	if reading != nil {
		digest, _ = reading.Digest()
	}
	return digest, nil
}
