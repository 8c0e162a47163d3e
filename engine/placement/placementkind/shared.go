package placementkind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/placement"
	"berth/engine/placement/graphs"
	"berth/engine/scenario"
	"berth/engine/show"
)

// content identifies everything on which reading files to a value of type T depends.
type content[T any] struct{ names, texts, options string }

// read is the result of reading texts, with its charge to the budget.
type read[T any] struct {
	graphs      T
	diagnostics diag.List
	spent       budget.Spent
}

// once reads files, or returns the cached result and charges the budget the same amount. It does
// not cache a result that exceeds the budget, because another budget may allow it.
func once[T any](ctx context.Context, files []format.File, o format.Options, make func() (T, diag.List)) read[T] {
	reading, _ := json.Marshal(o.Reading)
	key := content[T]{
		names:   show.Joined(files, "", func(f format.File) string { return fmt.Sprintf("%d %d %s", len(f.Name), len(f.Text), f.Name) }),
		texts:   show.Joined(files, "", func(f format.File) string { return f.Text }),
		options: fmt.Sprint(o.Strict, string(reading)),
	}
	made, b := false, o.Budget
	r, _ := scenario.Once(ctx, key, func() (read[T], error) {
		made = true
		before := *b
		graphs, found := make()
		r := read[T]{graphs, found, b.Since(before)}
		if b.Refused() {
			return r, errBeyond
		}
		return r, nil
	})
	if made {
		return r
	}
	if err := b.Add(r.spent); err != nil {
		return read[T]{diagnostics: diag.List{*diag.New(files[0].Name, 1, 1, diag.Invalid, err)}}
	}
	return r
}

var errBeyond = errors.New("beyond the budget")

// federationOf reads or generates a federation, or returns a cached one; err is about the recipe.
// If the caller will change the federation, or if it has nodes, the result is a copy.
func federationOf(ctx context.Context, sources []GraphSource, o format.Options, changes bool) (f *format.Federation, found diag.List, err error) {
	o.Budget = o.Budget.Or()
	if recipe := sources[0].Recipe; recipe != nil {
		made, err := generate(*recipe, o.Budget, graphs.Federation)
		if err != nil {
			return nil, nil, err
		}
		return &format.Federation{Federation: made}, nil, nil
	}
	var files []format.File
	nodes := false
	for _, s := range sources {
		files = append(files, format.File{Name: s.name(dot.Federation), Text: s.Text})
		nodes = nodes || format.FederationReader([]byte(s.Text[:min(len(s.Text), sniffed)])).Name != "dot"
	}
	r := once(ctx, files, o, func() (*format.Federation, diag.List) { return format.ReadFederation(files, o) })
	if (nodes || changes) && r.graphs != nil {
		return copyOf(r.graphs), r.diagnostics, nil
	}
	return r.graphs, r.diagnostics, nil
}

// sniffed is the number of bytes that are examined to recognize a format.
const sniffed = 64 << 10

// deployments reads or generates deployments, or returns cached ones; err is about the recipe.
func (s GraphSource) deployments(ctx context.Context, name string, o format.Options) ([]format.Deployment, diag.List, error) {
	o.Budget = o.Budget.Or()
	if s.Recipe != nil {
		d, err := generate(*s.Recipe, o.Budget, graphs.Deployment)
		if err != nil {
			return nil, nil, err
		}
		return []format.Deployment{{Name: path.Base(name), Deployment: d}}, nil, nil
	}
	r := once(ctx, []format.File{{Name: name, Text: s.Text}}, o, func() ([]format.Deployment, diag.List) {
		return format.ReadDeployments(name, []byte(s.Text), o)
	})
	return r.graphs, r.diagnostics, nil
}

// inputs identifies everything on which reading the graphs of a document depends.
type inputs string

func (d *Document) inputs() inputs {
	c := *d
	c.Strategies, c.Phi, c.Seed, c.Budget, c.Steps = nil, nil, 0, 0, 0
	return inputs(scenario.Content(&c))
}

// mostRuns is the number of runs kept for later scenarios with the same graphs.
const mostRuns = 4 * MaxSeeds

// once runs a strategy with one seed, or returns a cached run on the same graphs with the same
// options. A run that ended or was stopped after some steps is also cached under that limit of
// steps.
func (e *Prepared) once(ctx context.Context, s StrategyRun, seed uint64, work *jobCounter) (run, error) {
	d := *e.document
	s.Seeds = 0
	d.Strategies, d.Federation, d.Federations, d.Deployments = []StrategyRun{s}, GraphSource{}, nil, nil
	key := func() string { return fmt.Sprint(scenario.Content(&d), seed) }
	if r, done := e.runs[key()]; done {
		for _, d := range e.world.deployments {
			work.add(d.Jobs().Len())
		}
		return r, nil
	}
	if p, _ := placement.Lookup(s.Name); p.Facts.Improves && len(e.world.deployments) == 1 && e.before == nil && !d.Joint {
		whatever := d
		whatever.Steps = 0
		work.paused = e.paused.of(fmt.Sprint(scenario.Content(&whatever), seed))
	}
	r, err := e.runWith(ctx, s, seed, work)
	steps := r.steps()
	if err == nil && seed != e.document.Seed {
		r.forget()
	}
	if len(e.runs) >= mostRuns {
		clear(e.runs)
	}
	if err == nil {
		e.runs[key()] = r
	}
	d.Steps = steps
	if steps > 0 && (err == nil || r.stopped) {
		whole := r
		whole.stopped = false
		e.runs[key()] = whole
	}
	return r, err
}

// paused is a search that can be resumed, with a key for everything on which it depends except the
// steps.
type paused struct {
	key    string
	search placement.Paused
}

// of returns the search with a key. It drops a search with another key.
func (p *paused) of(key string) *placement.Paused {
	if p.key != key {
		*p = paused{key: key}
	}
	return &p.search
}

// steps returns the number of steps of an improving strategy; 0 if they do not determine the run,
// as with several deployments.
func (r *run) steps() int64 {
	if len(r.solutions) != 1 || r.solutions[0].Certificate == nil || r.before != nil {
		return 0
	}
	return r.solutions[0].Certificate.Steps
}
