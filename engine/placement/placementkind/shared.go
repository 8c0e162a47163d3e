package placementkind

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/format"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// file is all that reading one text depends on.
type file struct {
	format.File
	strict  bool
	reading [sha256.Size]byte // its digest
}

func fileOf(f format.File, o format.Options) file {
	reading, _ := json.Marshal(o.Reading)
	return file{f, o.Strict, sha256.Sum256(reading)}
}

// read is what reading texts gave, and what it took of the budget.
type read[T any] struct {
	graphs      T
	diagnostics diag.List
	spent       budget.Spent
}

// once reads texts unless that was done, which takes as much of the budget. What is
// beyond a budget is not kept: with another one it may be within.
func once[T any](ctx context.Context, key any, b *budget.Budget, name string, make func() (T, diag.List)) read[T] {
	made := false
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
		return read[T]{diagnostics: diag.List{*diag.New(name, 1, 1, diag.Invalid, err)}}
	}
	return r
}

var errBeyond = errors.New("beyond the budget")

// federationOf reads a federation, unless that was done. One that is going to be
// changed, as what has nodes always is, is a copy.
func federationOf(ctx context.Context, files []format.File, o format.Options, changes bool) (*format.Federation, diag.List) {
	o.Budget = o.Budget.Or()
	var texts strings.Builder
	nodes := false
	for _, f := range files {
		nodes = nodes || format.FederationReader([]byte(f.Text[:min(len(f.Text), sniffed)])).Name != "dot"
		fmt.Fprintf(&texts, "%d %d ", len(f.Name), len(f.Text))
		texts.WriteString(f.Name)
		texts.WriteString(f.Text)
	}
	key := struct{ federation file }{fileOf(format.File{Text: texts.String()}, o)}
	r := once(ctx, key, o.Budget, files[0].Name, func() (*format.Federation, diag.List) { return format.ReadFederation(files, o) })
	if (nodes || changes) && r.graphs != nil {
		return copyOf(r.graphs), r.diagnostics
	}
	return r.graphs, r.diagnostics
}

// sniffed is how much of a text tells its format.
const sniffed = 64 << 10

// deploymentsOf reads deployments, unless that was done.
func deploymentsOf(ctx context.Context, f format.File, o format.Options) ([]format.Deployment, diag.List) {
	o.Budget = o.Budget.Or()
	r := once(ctx, struct{ deployments file }{fileOf(f, o)}, o.Budget, f.Name, func() ([]format.Deployment, diag.List) {
		return format.ReadDeployments(f.Name, []byte(f.Text), o)
	})
	return r.graphs, r.diagnostics
}

// inputs is all that reading the graphs of a document depends on.
type inputs string

func (d *Document) inputs() inputs {
	c := *d
	c.Strategies, c.Phi, c.Seed, c.Budget, c.Steps = nil, nil, 0, 0, 0
	return inputs(scenario.Content(&c))
}

// mostRuns is how many runs prepared scenarios keep for the next one on the same
// graphs.
const mostRuns = 4 * MaxSeeds

// once runs a strategy with one seed, unless that was done on the same graphs
// with the same options before: one that ended after some steps is also the one with
// so many, be it that it was stopped.
func (e *Prepared) once(ctx context.Context, s StrategyRun, seed uint64, work *progress) (run, error) {
	d := *e.document
	s.Seeds = 0
	d.Strategies, d.Federation, d.Federations, d.Deployments = []StrategyRun{s}, Source{}, nil, nil
	key := func() string { return fmt.Sprint(scenario.Content(&d), seed) }
	if r, done := e.runs[key()]; done {
		for _, d := range e.deployments {
			work.add(d.Jobs().Len())
		}
		return r, nil
	}
	if p, _ := placement.Lookup(s.Name); p.Improves && len(e.deployments) == 1 && e.before == nil && !d.Joint {
		whatever := d
		whatever.Steps = 0
		work.paused = e.paused.of(fmt.Sprint(scenario.Content(&whatever), seed))
	}
	r, err := e.runWith(ctx, s, seed, work)
	steps := r.steps()
	if err == nil && seed != e.document.Seed {
		r.capacity, r.before = nil, nil // only the first run is shown
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

// paused is a search that can go on, with all that it depends on but the steps.
type paused struct {
	key    string
	search placement.Paused
}

// of returns the search with a key, in place of one with another key.
func (p *paused) of(key string) *placement.Paused {
	if p.key != key {
		*p = paused{key: key}
	}
	return &p.search
}

// steps is how many a strategy took that improves; 0 where that does not tell what it
// did, as of several deployments.
func (r *run) steps() int64 {
	if len(r.solutions) != 1 || r.solutions[0].Certificate == nil || r.before != nil {
		return 0
	}
	return r.solutions[0].Certificate.Steps
}
