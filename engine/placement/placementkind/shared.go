package placementkind

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"berth/engine/diag"
	"berth/engine/format"
	"berth/engine/scenario"
)

// file is all that reading one text depends on.
type file struct {
	format.File
	options string
}

func fileOf(f format.File, o format.Options) file {
	latency := math.NaN()
	if o.InferredLatency != nil {
		latency = *o.InferredLatency
	}
	return file{f, fmt.Sprint(o.Strict, o.NoInferred, o.Split, latency, o.ClusterBy)}
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
// changed, as its nodes may be, is nobody else's.
func federationOf(ctx context.Context, files []format.File, o format.Options, changes bool) (*format.Federation, diag.List) {
	if changes || len(files) > 1 || format.FederationFormat([]byte(files[0].Text)).Name != "dot" {
		return format.ReadFederation(files, o)
	}
	r, _ := scenario.Once(ctx, struct{ federation file }{fileOf(files[0], o)}, func() (federationRead, error) {
		f, found := format.ReadFederation(files, o)
		return federationRead{f, found}, nil
	})
	return r.federation, r.diagnostics
}

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
	var texts strings.Builder
	for _, s := range d.Slots() {
		fmt.Fprintf(&texts, "%d %d ", len(s.Source.Name), len(s.Source.Text))
		texts.WriteString(s.Source.Name)
		texts.WriteString(s.Source.Text)
	}
	c := d.withoutTexts()
	c.Strategies, c.Phi, c.Seed, c.Budget = nil, nil, 0, 0
	return inputs(c.line() + texts.String())
}

// withoutTexts returns a copy whose sources have no text.
func (d *Document) withoutTexts() *Document {
	c := d.Clone().(*Document)
	for _, s := range c.Slots() {
		s.Source.Text = ""
	}
	return c
}

func (d *Document) line() string {
	data, _ := json.Marshal(d) // that could be read before
	return string(data)
}

// mostRuns is how many runs an experiment keeps for the next one on the same
// graphs.
const mostRuns = 4 * MaxSeeds

// once runs a strategy with one seed, unless that was done on the same graphs
// with the same options before.
func (e *Experiment) once(ctx context.Context, s StrategyRun, seed uint64, work *progress) (run, error) {
	d := e.document.withoutTexts()
	s.Seeds = 0
	d.Strategies, d.Federation, d.Federations, d.Deployments = []StrategyRun{s}, Source{}, nil, nil
	key := fmt.Sprint(d.line(), seed)
	if r, done := e.runs[key]; done {
		for _, d := range e.deployments {
			work.add(d.Jobs().Len())
		}
		return r, nil
	}
	r, err := e.runWith(ctx, s.Name, seed, work)
	if err == nil {
		if seed != e.document.Seed {
			r.capacity, r.before = nil, nil // only the first run is shown
		}
		if len(e.runs) >= mostRuns {
			clear(e.runs)
		}
		e.runs[key] = r
	}
	return r, err
}
