package scenario

import (
	"context"
	"fmt"
	"path"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/federate/federatekind"
	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario/body"
	"berth/engine/show"
	"berth/engine/workload"
)

// MaxElements bounds jobs and dependencies of all deployments together.
const MaxElements = 3_000_000

// Env is what an experiment gets from the world, and Progress how far it is.
type (
	Env      = body.Env
	Progress = body.Progress
)

// Experiment is a scenario with its graphs, and after Run with its result. It
// is not safe for concurrent use.
type Experiment struct {
	scenario    Scenario
	env         Env
	federation  *graph.Federation
	deployments []dot.NamedDeployment
	diagnostics diag.List
	timings     Timings

	report    *Report
	qos       *qoskind.Experiment      // of kind "qos", which has nothing of the graphs
	federate  *federatekind.Experiment // of kind "federate", likewise
	solutions [][]placement.Solution   // by strategy and deployment, with the first seed
	asked     question
}

// Prepare reads or generates the inputs of a scenario. Its error is an
// *[InputError] with every problem of every graph, or that of ctx.
func Prepare(ctx context.Context, s Scenario, env Env) (*Experiment, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	e := &Experiment{scenario: s, env: env}
	start := e.now()
	if err := e.read(ctx); err != nil {
		return nil, err
	}
	e.timings.Reading = e.now() - start
	return e, nil
}

func (e *Experiment) read(ctx context.Context) (err error) {
	if e.scenario.Kind == KindQoS {
		if e.qos, err = qoskind.Prepare(ctx, KindQoS, e.scenario.QoS, e.env); err == nil {
			e.scenario.QoS = e.qos.Document()
		}
		return err
	}
	if e.scenario.Kind == KindFederate {
		if e.federate, err = federatekind.Prepare(ctx, KindFederate, e.scenario.Federate, e.env); err == nil {
			e.scenario.Federate = e.federate.Document()
		}
		return err
	}
	p := e.scenario.Placement
	r := reader{experiment: e, ctx: ctx, total: 1 + len(p.Deployments)}
	return r.all(p)
}

// Hash is that of the scenario, with the digests of texts that stood beside it.
func (e *Experiment) Hash() string { return e.scenario.Hash() }

// QoS returns the body of an experiment of kind "qos".
func (e *Experiment) QoS() (*qoskind.Experiment, error) {
	if e.qos == nil {
		return nil, fmt.Errorf("a scenario of kind %q simulates no requests under policies", e.scenario.Kind)
	}
	return e.qos, nil
}

// Federate returns the body of an experiment of kind "federate".
func (e *Experiment) Federate() (*federatekind.Experiment, error) {
	if e.federate == nil {
		return nil, fmt.Errorf("a scenario of kind %q simulates no data centre under schedulers", e.scenario.Kind)
	}
	return e.federate, nil
}

// reader collects the graphs of a scenario and what is wrong with them.
type reader struct {
	experiment  *Experiment
	ctx         context.Context
	done, total int
	elements    int
	found       problems // of the document
}

func (r *reader) all(p *Placement) error {
	e := r.experiment
	r.federation(p)
	for i := range p.Deployments {
		if err := r.ctx.Err(); err != nil {
			return fmt.Errorf("cancelled while reading the graphs: %w", err)
		}
		r.deployment(p, i)
		if r.elements > MaxElements {
			r.found.Add("placement.deployments", "more than %d jobs and dependencies in all", MaxElements)
			break
		}
		if len(e.deployments) > MaxDeployments {
			r.found.Add("placement.deployments", "more than %d graphs in all", MaxDeployments)
			break
		}
	}
	for _, d := range e.deployments {
		if e.federation == nil {
			break
		}
		if err := e.env.Affords(placement.Memory(d.Deployment, e.federation)); err != nil {
			r.found.Add("placement.deployments", "%s: %v", show.Text(d.Name), err)
		}
	}
	all := append(e.diagnostics, r.found.List...)
	if len(all.Errors()) > 0 {
		return &InputError{Diagnostics: all}
	}
	return nil
}

func (r *reader) federation(p *Placement) {
	const path = "placement.federation"
	var f *graph.Federation
	name := p.Federation.name(dot.Federation)
	if p.Federation.Recipe != nil {
		var err error
		if f, err = workload.Federation(*p.Federation.Recipe); err != nil {
			r.found.Add(path+".recipe", "%v", err)
			return
		}
	} else {
		var diagnostics diag.List
		f, diagnostics = dot.ReadFederation(name, []byte(p.Federation.DOT), r.options(p))
		r.experiment.diagnostics = append(r.experiment.diagnostics, diagnostics...)
		if len(diagnostics.Errors()) > 0 {
			return
		}
	}
	r.experiment.federation = f
	r.advance()
	r.center(p, name)
}

// center makes the federation a star if the scenario says so.
func (r *reader) center(p *Placement, name string) {
	if p.Center == "" {
		return
	}
	f := r.experiment.federation
	if c, ok := f.Cluster(p.Center); ok && c == f.Center() {
		return // the file says so too, and what that means has been told
	}
	ignored, err := f.SetCenter(p.Center)
	if err != nil {
		r.found.Add("placement.center", "%v", err)
	}
	if ignored > 0 {
		severity := diag.Warning
		if p.Strict {
			severity = diag.Error
		}
		r.experiment.diagnostics = append(r.experiment.diagnostics, diag.Diagnostic{
			File: name, Line: 1, Column: 1, Severity: severity, Field: "center", Message: dot.IgnoredLinks(ignored, p.Center),
		})
	}
}

func (r *reader) deployment(p *Placement, i int) {
	e, source := r.experiment, p.Deployments[i]
	name := source.Name
	if name == "" {
		name = fmt.Sprintf("deployment %d", i+1)
	}
	if source.Recipe != nil {
		d, err := workload.Deployment(*source.Recipe)
		if err != nil {
			r.found.Add(fmt.Sprintf("placement.deployments[%d].recipe", i), "%v", err)
			return
		}
		r.add(dot.NamedDeployment{Name: path.Base(name), Deployment: d})
	} else {
		read, diagnostics := dot.ReadDeployments(name, []byte(source.DOT), r.options(p))
		e.diagnostics = append(e.diagnostics, diagnostics...)
		for _, d := range read {
			r.add(d)
		}
	}
	r.advance()
}

func (r *reader) add(d dot.NamedDeployment) {
	r.experiment.deployments = append(r.experiment.deployments, d)
	r.elements += d.Jobs().Len() + d.Dependencies().Len()
}

func (r *reader) options(p *Placement) dot.Options {
	return dot.Options{Strict: p.Strict, Progress: r.progress}
}

func (r *reader) advance() {
	r.done++
	r.progress(0)
}

// progress tells how far the reading is, with a fraction of the current graph.
func (r *reader) progress(fraction float64) {
	r.experiment.tell(Progress{
		Phase: "reading", Fraction: (float64(r.done) + fraction) / float64(r.total),
		Done: int64(r.done), Total: int64(r.total), Unit: "graphs",
	})
}

func (e *Experiment) tell(p Progress) { e.env.Tell(p) }

func (e *Experiment) now() float64 { return e.env.Clock() }
