package placementkind

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"berth/engine/diag"
	"berth/engine/format"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// file is all that reading one text depends on.
type file struct {
	format.File
	options string
}

func fileOf(f format.File, o format.Options) file {
	choices, _ := json.Marshal([]any{o.InferredLatency, o.Inferred})
	return file{f, fmt.Sprintf("%v %v %v %s %s", o.Strict, o.NoInferred, o.Split, choices, o.ClusterBy)}
}

type federationRead struct {
	federation  *format.Federation
	diagnostics diag.List
}

type deploymentsRead struct {
	deployments []format.Deployment
	diagnostics diag.List
}

// federationOf reads a federation, unless that was done. One that is going to be
// changed is nobody else's: a graph is read anew, and of what has nodes, which
// always are, it is a copy.
func federationOf(ctx context.Context, files []format.File, o format.Options, changes bool) (*format.Federation, diag.List) {
	var texts strings.Builder
	nodes := false
	for _, f := range files {
		nodes = nodes || format.FederationFormat([]byte(f.Text[:min(len(f.Text), sniffed)])).Name != "dot"
		fmt.Fprintf(&texts, "%d %d ", len(f.Name), len(f.Text))
		texts.WriteString(f.Name)
		texts.WriteString(f.Text)
	}
	if changes && !nodes {
		return format.ReadFederation(files, o)
	}
	key := struct{ federation file }{fileOf(format.File{Text: texts.String()}, o)}
	r, _ := scenario.Once(ctx, key, func() (federationRead, error) {
		f, found := format.ReadFederation(files, o)
		return federationRead{f, found}, nil
	})
	if nodes && r.federation != nil {
		return copyOf(r.federation), r.diagnostics
	}
	return r.federation, r.diagnostics
}

// sniffed is how much of a text tells its format.
const sniffed = 64 << 10

// deploymentsOf reads deployments, unless that was done.
func deploymentsOf(ctx context.Context, f format.File, o format.Options) ([]format.Deployment, diag.List) {
	r, _ := scenario.Once(ctx, struct{ deployments file }{fileOf(f, o)}, func() (deploymentsRead, error) {
		d, found := format.ReadDeployments(f.Name, []byte(f.Text), o)
		return deploymentsRead{d, found}, nil
	})
	return r.deployments, r.diagnostics
}

// inputs is all that reading the graphs of a document depends on.
type inputs string

func (d *Document) inputs() inputs {
	c := *d
	c.Strategies, c.Phi, c.Seed, c.Budget, c.Steps = nil, nil, 0, 0, 0
	return inputs(scenario.Content(&c))
}

// mostRuns is how many runs an experiment keeps for the next one on the same
// graphs.
const mostRuns = 4 * MaxSeeds

// once runs a strategy with one seed, unless that was done on the same graphs
// with the same options before: one that ended after some steps is also the one with
// so many, be it that it was stopped.
func (e *Experiment) once(ctx context.Context, s StrategyRun, seed uint64, work *progress) (run, error) {
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
	r, err := e.goOn(ctx, &d, seed, work)
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

// course is where the improvement of one deployment ended, and whose it was.
type course struct {
	key string // all that it depends on but the steps
	placement.Course
}

// goOn runs the one strategy of a document, from where a run with other steps ended if
// that was the last one that can go on.
func (e *Experiment) goOn(ctx context.Context, d *Document, seed uint64, work *progress) (run, error) {
	whatever := *d
	whatever.Steps = 0
	e.going = course{key: fmt.Sprint(scenario.Content(&whatever), seed)}
	same := e.course.key == e.going.key
	if same {
		e.going = *e.course
	}
	r, err := e.runWith(ctx, d.Strategies[0], seed, work)
	if same || e.going.Begun() {
		*e.course = e.going
	}
	return r, err
}

// steps is how many a strategy took that improves; 0 where that does not tell what it
// did, as of several deployments.
func (r *run) steps() int64 {
	if len(r.solutions) != 1 || r.solutions[0].Certificate == nil || r.before != nil {
		return 0
	}
	return r.solutions[0].Certificate.Steps
}
