package placementkind

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/scenario"
)

// text is all that reading one text depends on.
type text struct {
	name, text string
	strict     bool
}

type federationRead struct {
	federation  *graph.Federation
	diagnostics diag.List
}

type deploymentsRead struct {
	deployments []dot.NamedDeployment
	diagnostics diag.List
}

// federationOf reads a federation, unless that was done.
func federationOf(ctx context.Context, t text, o dot.Options) (*graph.Federation, diag.List) {
	r, _ := scenario.Once(ctx, struct{ federation text }{t}, func() (federationRead, error) {
		f, found := dot.ReadFederation(t.name, []byte(t.text), o)
		return federationRead{f, found}, nil
	})
	return r.federation, r.diagnostics
}

// deploymentsOf reads deployments, unless that was done.
func deploymentsOf(ctx context.Context, t text, o dot.Options) ([]dot.NamedDeployment, diag.List) {
	r, _ := scenario.Once(ctx, struct{ deployments text }{t}, func() (deploymentsRead, error) {
		d, found := dot.ReadDeployments(t.name, []byte(t.text), o)
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
	d.Strategies, d.Deployments, d.Federation = []StrategyRun{s}, nil, Source{}
	key := fmt.Sprint(d.line(), seed)
	if r, done := e.runs[key]; done {
		for _, d := range e.deployments {
			work.add(d.Jobs().Len())
		}
		return r, nil
	}
	r, err := e.runOnce(ctx, s.Name, seed, work)
	if err == nil {
		if len(e.runs) >= mostRuns {
			clear(e.runs)
		}
		e.runs[key] = r
	}
	return r, err
}
