package placementkind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/input/gap"
	"berth/engine/placement"
	"berth/engine/rule"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Prepared is a document with its graphs, and after Run with its result. It is not safe for
// concurrent use.
type Prepared struct {
	document    *Document
	env         scenario.Env
	world       *world
	rules       []rule.Rule   // of the scenario, for every deployment
	before      *world        // the world before a what-if; nil without one
	gap         *gap.Instance // nil if the inputs are graphs
	diagnostics diag.List
	runs        map[string]run                      // finished runs on these graphs, by all inputs that affect them
	whole       map[*world]*placement.Capacity      // see capacity
	compiled    map[deploymentOf]*placement.Problem // see alone
	paused      *paused                             // the last search on these graphs that can be resumed
	dumps       func() (dumps, error)
	within      float64 // time limit of each search in ms; 0 for none; see Within

	report *Report // nil before the run
	ran    []run   // by strategy, with the first seed
	asked  question
}

// Prepare reads or generates the graphs of a document, which must be valid. The error is an
// [*scenario.InputError] with all problems of all graphs, or the error of ctx.
func Prepare(ctx context.Context, d *Document, env scenario.Env) (*Prepared, error) {
	for i := range d.Strategies {
		if _, err := d.Strategies[i].Strategy(); err != nil {
			return nil, scenario.Wrong(fmt.Sprintf("%s.strategies[%d]", Name, i), err)
		}
	}
	read, err := scenario.Once(ctx, d.inputs(), func() (*Prepared, error) {
		e := &Prepared{
			document: d, env: env, world: &world{}, runs: map[string]run{}, paused: &paused{},
			whole: map[*world]*placement.Capacity{}, compiled: map[deploymentOf]*placement.Problem{}, dumps: sync.OnceValues(func() (dumps, error) { return d.dumps(format.Options{}) }),
		}
		r := graphReader{prepared: e, ctx: ctx, total: 1 + len(d.Deployments)}
		return e, r.all(d)
	})
	if err != nil {
		return nil, err
	}
	e := *read
	e.document, e.env = d, env
	return &e, nil
}

// Document implements [scenario.Work].
func (e *Prepared) Document() scenario.Document { return e.document }

// Diagnostics returns the notes and warnings of the graphs.
func (e *Prepared) Diagnostics() diag.List { return e.diagnostics }

// graphReader collects the graphs of a scenario and their diagnostics.
type graphReader struct {
	prepared    *Prepared
	ctx         context.Context
	done, total int
	found       scenario.Problems // of the document
}

func (r *graphReader) all(p *Document) error {
	e := r.prepared
	if p.instance() {
		r.instance(p)
	} else {
		r.federation(p)
	}
	for i := range p.Deployments {
		if err := r.ctx.Err(); err != nil {
			return fmt.Errorf("cancelled while reading the graphs: %w", err)
		}
		if e.env.Load().Refused() {
			break // the budget would refuse the others as well
		}
		r.deployment(p, i)
		if len(e.world.deployments) > MaxDeployments {
			r.found.Add("placement.deployments", tooManyGraphs, MaxDeployments)
			break
		}
	}
	for _, d := range e.world.deployments {
		if e.world.federation == nil {
			break
		}
		if err := e.env.Affords(e.memory(d.Deployment)); err != nil {
			r.found.Add("placement.deployments", diag.InvalidPart, show.Text(d.Name), err)
		}
	}
	if e.world.federation != nil && len(r.found.List)+len(e.diagnostics.Errors()) == 0 {
		r.chosen(p)
		r.joinNodes()
		r.amounts()
		r.noRequests()
		r.rules(p)
		r.pareto(p)
		r.pools(p)
		r.whatIf(p)
	}
	all := append(e.diagnostics, r.found.List...)
	if len(all.Errors()) > 0 {
		return &scenario.InputError{Diagnostics: all}
	}
	return nil
}

// rules reads the rules of the document. It reports rules, in the document or in deployments, and
// current clusters that name unknown jobs or clusters.
func (r *graphReader) rules(p *Document) {
	e := r.prepared
	var all []*graph.Deployment
	for _, d := range e.world.deployments {
		all = append(all, d.Deployment)
	}
	for i, text := range p.Rules {
		rules, _ := rule.Parse(text) // the error is nil: the document is valid
		for _, one := range rules {
			if err := placement.CheckRule(one, all, e.world.federation.Federation); err != nil {
				r.found.Wrong(fmt.Sprintf("placement.rules[%d]", i), err)
			}
		}
		e.rules = append(e.rules, rules...)
	}
	for i, d := range e.world.deployments {
		for _, one := range d.Rules {
			if err := placement.CheckRule(one, all[i:i+1], e.world.federation.Federation); err != nil {
				r.found.Add("placement.deployments", diag.InvalidPart, show.Text(d.Name), err)
			}
		}
		for job := range d.Jobs().Len() {
			at := d.Jobs().Attribute(graph.Current, job)
			if _, ok := e.world.federation.Cluster(at); at != "" && !ok {
				r.found.Add("placement.deployments", standsNowhere, show.Text(d.Name), show.Text(d.Jobs().ID(job)), show.Quote(at))
			}
		}
	}
}

// memory estimates the bytes that the strategies need to place a deployment.
func (e *Prepared) memory(d *graph.Deployment) float64 {
	takes := placement.Memory(d, e.world.federation.Federation)
	if slices.ContainsFunc(e.document.Strategies, func(s StrategyRun) bool {
		p, _ := placement.Lookup(s.Name)
		return p.Facts.Pairs
	}) {
		takes += placement.PairMemory(d, e.world.federation.Federation)
	}
	return takes
}

func (r *graphReader) federation(p *Document) {
	const path = "placement.federation"
	name := p.Federation.name(dot.Federation)
	f, diagnostics := r.alone(p)
	if f == nil {
		var err error
		f, diagnostics, err = federationOf(r.ctx, append([]GraphSource{p.Federation}, p.Federations...), r.options(p), p.Center != "" || p.ShortestPaths)
		if err != nil {
			r.found.Wrong(path+".recipe", err)
			return
		}
	}
	r.prepared.diagnostics = append(r.prepared.diagnostics, diagnostics...)
	if len(diagnostics.Errors()) > 0 {
		return
	}
	r.prepared.world.federation = f
	r.advance()
	r.linkFreely(p)
	r.center(p, name)
	r.routes(p, name)
	r.islands(p, name)
}

// instance reads the graphs from an instance of the generalized assignment problem.
func (r *graphReader) instance(p *Document) {
	e, name := r.prepared, p.Federation.name(dot.Federation)
	g, err := gap.Read(name, []byte(p.Federation.Text), e.env.Load())
	if problem, wrong := errors.AsType[*diag.Diagnostic](err); wrong {
		e.diagnostics = append(e.diagnostics, *problem)
		return
	}
	d, f, err := placement.GAP(g)
	if err != nil {
		r.found.Wrong("placement.federation", err)
		return
	}
	e.gap, e.world.federation = g, &format.Federation{Federation: f}
	e.world.deployments = append(e.world.deployments, format.Deployment{Name: path.Base(name), Deployment: d})
	r.advance()
}

// center makes the federation a star if the document says so.
func (r *graphReader) center(p *Document, name string) {
	if p.Center == "" {
		return
	}
	f := r.prepared.world.federation
	if c, ok := f.Cluster(p.Center); ok && c == f.Center() {
		return // the file has the same centre, and its reader has reported ignored links
	}
	ignored, err := f.SetCenter(p.Center)
	if err != nil {
		r.found.Wrong("placement.center", err)
	}
	if ignored > 0 {
		r.warn(p, name, "center", dot.IgnoredLinks(ignored), ignored, show.Quote(p.Center))
	}
}

// warn adds a warning about a whole graph.
func (r *graphReader) warn(p *Document, name, field string, code *diag.Code, args ...any) {
	severity := diag.Warning
	if p.Strict {
		severity = diag.Error
	}
	r.prepared.diagnostics = append(r.prepared.diagnostics, diag.Diagnostic{
		File: name, Line: 1, Column: 1, Severity: severity, Field: field, Code: code, Args: args,
	})
}

// routes makes dependencies follow the lowest-latency paths if the document or the federation says
// so.
func (r *graphReader) routes(p *Document, name string) {
	f := r.prepared.world.federation
	if !p.ShortestPaths && (!f.Routed || f.Center() >= 0 || f.Clusters().Len() > graph.MaxRouted) {
		return
	}
	unused, err := f.RouteByLatency()
	if err != nil {
		r.found.Wrong("placement.shortestPaths", err)
	}
	if unused > 0 {
		r.warn(p, name, "latency", withoutLatency, show.Count(unused, "link"))
	}
}

// islands warns about clusters that no path joins, because dependent jobs cannot be spread over
// them.
func (r *graphReader) islands(p *Document, name string) {
	f := r.prepared.world.federation.Federation
	if n := f.Clusters().Len(); f.Center() < 0 && f.Links().Len() > (n-1)*(n-2)/2 {
		return // with this many links, the graph is connected
	}
	if islands := graph.Islands(f); len(islands) > 1 {
		r.warn(p, name, "", clustersApart, len(islands), named(f.Clusters(), islands))
	}
}

// groups adds a note about groups of jobs without dependencies between them. It ignores single
// jobs.
func (r *graphReader) groups(name string, d *graph.Deployment) {
	groups := slices.DeleteFunc(graph.Islands(d), func(group []int) bool { return len(group) == 1 })
	if len(groups) > 1 {
		r.prepared.diagnostics = append(r.prepared.diagnostics, diag.Diagnostic{
			File: name, Line: 1, Column: 1, Severity: diag.Note,
			Code: jobsApart, Args: []any{len(groups), named(d.Jobs(), groups)},
		})
	}
}

func (r *graphReader) deployment(p *Document, i int) {
	e, source := r.prepared, p.Deployments[i]
	name := cmp.Or(source.Name, fmt.Sprintf("deployment %d", i+1))
	read, diagnostics, err := source.deployments(r.ctx, name, r.options(p))
	if err != nil {
		r.found.Wrong(fmt.Sprintf("placement.deployments[%d].recipe", i), err)
		return
	}
	e.diagnostics = append(e.diagnostics, diagnostics...)
	for _, d := range read {
		if source.Recipe == nil {
			r.groups(name, d.Deployment)
		}
		e.world.deployments = append(e.world.deployments, d)
	}
	r.advance()
}

func (r *graphReader) options(p *Document) format.Options {
	o := p.HowRead().options()
	o.Progress, o.Budget = r.progress, r.prepared.env.Load()
	return o
}

// Reading has the fields of a document that affect how its graphs are read.
type Reading struct {
	Strict bool `json:"strict,omitempty"`
	format.Reading
}

// HowRead returns how the graphs of the document are read.
func (d *Document) HowRead() Reading { return Reading{d.Strict, d.Reading} }

func (r Reading) options() format.Options {
	return format.Options{Options: dot.Options{Strict: r.Strict}, Reading: r.Reading}
}

func (r *graphReader) advance() {
	r.done++
	r.progress(0)
}

// progress reports the progress of reading, with a fraction of the current graph.
func (r *graphReader) progress(fraction float64) {
	r.prepared.env.Tell(scenario.Progress{
		Phase: "reading", Fraction: (float64(r.done) + fraction) / float64(r.total),
		Done: int64(r.done), Total: int64(r.total), Unit: "graphs",
	})
}
