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
	before      *world        // the world before a what-if; nil if there is none
	gap         *gap.Instance // nil if the inputs are graphs
	diagnostics diag.List
	runs        map[string]run // finished runs on these graphs, by all inputs that affect them
	paused      *paused        // the last search on these graphs that can be resumed
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
			document: d, env: env, world: &world{compiled: map[int]*placement.Problem{}}, runs: map[string]run{}, paused: &paused{},
			dumps: sync.OnceValues(func() (dumps, error) { return d.dumps(format.Options{}) }),
		}
		r := graphReader{e: e, ctx: ctx, total: 1 + len(d.Deployments)}
		return e, r.all()
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
	e           *Prepared
	ctx         context.Context
	done, total int
	found       scenario.Problems // of the document
}

func (r *graphReader) all() error {
	if r.e.document.instance() {
		r.instance()
	} else {
		r.federation()
	}
	for i := range r.e.document.Deployments {
		if err := r.ctx.Err(); err != nil {
			return fmt.Errorf("cancelled while reading the graphs: %w", err)
		}
		if r.e.env.Load().Refused() {
			break // the budget would refuse the others, too
		}
		r.deployment(i)
		if len(r.e.world.deployments) > MaxDeployments {
			r.found.Add("placement.deployments", tooManyGraphs, MaxDeployments)
			break
		}
	}
	for _, d := range r.e.world.deployments {
		if r.e.world.federation == nil {
			break
		}
		if err := r.e.env.Affords(r.e.memory(d.Deployment)); err != nil {
			r.found.Add("placement.deployments", diag.InvalidPart, show.Text(d.Name), err)
		}
	}
	if r.e.world.federation != nil && len(r.found.List)+len(r.e.diagnostics.Errors()) == 0 {
		r.chosen()
		r.joinNodes()
		r.amounts()
		r.noRequests()
		r.readRules()
		r.pareto()
		r.pools()
		r.whatIf()
	}
	all := append(r.e.diagnostics, r.found.List...)
	if len(all.Errors()) > 0 {
		return &scenario.InputError{Diagnostics: all}
	}
	return nil
}

// readRules reads the rules of the document. It reports rules, in the document or in deployments,
// and current clusters that refer to unknown jobs or clusters.
func (r *graphReader) readRules() {
	var all []*graph.Deployment
	for _, d := range r.e.world.deployments {
		all = append(all, d.Deployment)
	}
	for i, text := range r.e.document.Rules {
		rules, _ := rule.Parse(text) // the error is nil: the document is valid
		for _, one := range rules {
			if err := placement.CheckRule(one, all, r.e.world.federation.Federation); err != nil {
				r.found.Wrong(fmt.Sprintf("placement.rules[%d]", i), err)
			}
		}
		r.e.rules = append(r.e.rules, rules...)
	}
	for i, d := range r.e.world.deployments {
		for _, one := range d.Rules {
			if err := placement.CheckRule(one, all[i:i+1], r.e.world.federation.Federation); err != nil {
				r.found.Add("placement.deployments", diag.InvalidPart, show.Text(d.Name), err)
			}
		}
		for job := range d.Jobs().Len() {
			at := d.Jobs().Attribute(graph.Current, job)
			if _, ok := r.e.world.federation.Cluster(at); at != "" && !ok {
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

func (r *graphReader) federation() {
	const path = "placement.federation"
	name := r.e.document.Federation.name(dot.Federation)
	f, diagnostics := r.ofDumps()
	if f == nil {
		var err error
		f, diagnostics, err = federationOf(r.ctx, r.e.document.files(), r.options(), r.e.document.Center != "" || r.e.document.ShortestPaths)
		if err != nil {
			r.found.Wrong(path+".recipe", err)
			return
		}
	}
	r.e.diagnostics = append(r.e.diagnostics, diagnostics...)
	if len(diagnostics.Errors()) > 0 {
		return
	}
	r.e.world.federation = f
	r.advance()
	r.linkFreely()
	r.center(name)
	r.routes(name)
	r.islands(name)
}

// instance reads the graphs from an instance of the generalized assignment problem.
func (r *graphReader) instance() {
	name := r.e.document.Federation.name(dot.Federation)
	g, err := gap.Read(name, []byte(r.e.document.Federation.Text), r.e.env.Load())
	if problem, wrong := errors.AsType[*diag.Diagnostic](err); wrong {
		r.e.diagnostics = append(r.e.diagnostics, *problem)
		return
	}
	d, f, err := placement.GAP(g)
	if err != nil {
		r.found.Wrong("placement.federation", err)
		return
	}
	r.e.gap, r.e.world.federation = g, &format.Federation{Federation: f}
	r.e.world.deployments = append(r.e.world.deployments, format.Deployment{Name: path.Base(name), Deployment: d})
	r.advance()
}

// center makes the federation a star if the document requests it.
func (r *graphReader) center(name string) {
	if r.e.document.Center == "" {
		return
	}
	f := r.e.world.federation
	if c, ok := f.Cluster(r.e.document.Center); ok && c == f.Center() {
		return // the file has the same centre, and its reader has reported ignored links
	}
	ignored, err := f.SetCenter(r.e.document.Center)
	if err != nil {
		r.found.Wrong("placement.center", err)
	}
	if ignored > 0 {
		r.say(diag.Warning, name, "center", dot.IgnoredLinks(ignored), ignored, show.Quote(r.e.document.Center))
	}
}

// say adds a diagnostic about a whole graph.
func (r *graphReader) say(severity diag.Severity, name, field string, code *diag.Code, args ...any) {
	if severity == diag.Warning && r.e.document.Strict {
		severity = diag.Error
	}
	r.e.diagnostics = append(r.e.diagnostics, diag.Diagnostic{
		File: name, Line: 1, Column: 1, Severity: severity, Field: field, Code: code, Args: args,
	})
}

// routes makes dependencies follow the lowest-latency paths if the document or the federation
// requests it.
func (r *graphReader) routes(name string) {
	f := r.e.world.federation
	if !r.e.document.ShortestPaths && (!f.Routed || f.Center() >= 0 || f.Clusters().Len() > graph.MaxRouted) {
		return
	}
	unused, err := f.RouteByLatency()
	if err != nil {
		r.found.Wrong("placement.shortestPaths", err)
	}
	if unused > 0 {
		r.say(diag.Warning, name, "latency", withoutLatency, show.Count(unused, "link"))
	}
}

// islands warns about clusters that no path joins, because dependent jobs cannot be spread over
// them.
func (r *graphReader) islands(name string) {
	f := r.e.world.federation.Federation
	if n := f.Clusters().Len(); f.Center() < 0 && f.Links().Len() > (n-1)*(n-2)/2 {
		return // with this many links, the graph is connected
	}
	if islands := graph.Islands(f); len(islands) > 1 {
		r.say(diag.Warning, name, "", clustersApart, len(islands), named(f.Clusters(), islands))
	}
}

// groups adds a note about groups of jobs without dependencies between them. It ignores single
// jobs.
func (r *graphReader) groups(name string, d *graph.Deployment) {
	groups := slices.DeleteFunc(graph.Islands(d), func(group []int) bool { return len(group) == 1 })
	if len(groups) > 1 {
		r.say(diag.Note, name, "", jobsApart, len(groups), named(d.Jobs(), groups))
	}
}

func (r *graphReader) deployment(i int) {
	source := r.e.document.Deployments[i]
	name := cmp.Or(source.Name, fmt.Sprintf("deployment %d", i+1))
	read, diagnostics, err := source.deployments(r.ctx, name, r.options())
	if err != nil {
		r.found.Wrong(fmt.Sprintf("placement.deployments[%d].recipe", i), err)
		return
	}
	r.e.diagnostics = append(r.e.diagnostics, diagnostics...)
	for _, d := range read {
		if source.Recipe == nil {
			r.groups(name, d.Deployment)
		}
		r.e.world.deployments = append(r.e.world.deployments, d)
	}
	r.advance()
}

func (r *graphReader) options() format.Options {
	o := r.e.document.HowRead().options()
	o.Progress, o.Budget = r.progress, r.e.env.Load()
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
	r.e.env.Tell(scenario.Progress{
		Phase: "reading", Fraction: (float64(r.done) + fraction) / float64(r.total),
		Done: int64(r.done), Total: int64(r.total), Unit: "graphs",
	})
}

// InferredDependency is an inferred dependency of a deployment.
type InferredDependency struct {
	Deployment int // from 0
	format.Inferred
}

// inferred lists the inferred dependencies, including those that the document leaves out.
func (e *Prepared) inferred(context.Context, struct{}) ([]InferredDependency, error) {
	var all []InferredDependency
	for i, d := range e.world.deployments {
		for _, x := range d.Inferred {
			all = append(all, InferredDependency{i, x})
		}
	}
	return all, nil
}

// chosen adds notes for choices about dependencies that are no longer inferred.
func (r *graphReader) chosen() {
	for _, c := range r.e.document.Inferred {
		if !slices.ContainsFunc(r.e.world.deployments, func(d format.Deployment) bool {
			return slices.ContainsFunc(d.Inferred, func(x format.Inferred) bool {
				return x.From == c.From && x.To == c.To || x.From == c.To && x.To == c.From
			})
		}) {
			r.note(noEffect, show.Quote(c.From), show.Quote(c.To))
		}
	}
}
