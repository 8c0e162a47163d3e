package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	flag "github.com/spf13/pflag"

	"berth/engine/input/format"
	"berth/engine/input/gap"
	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
)

var place = &command{
	name: "place", group: modelsGroup, summary: "place deployments on a federation",
	use: "--federation F.dot --deployment D.dot",
	examples: `  # Two strategies in one table
  berth place --federation federation.dot --deployment shop.dot --strategy heuristic --strategy exact --format text

  # Nodes and manifests of Kubernetes; what happens if a node is drained
  berth place --federation eu=eu.yaml --federation us=us.yaml --deployment app.yaml --what-if "drain node-1"

  # A file of the OR-Library
  berth place --gap d20400 --steps 100000000`,
	details: `Berth places the deployments in the given order, each on the capacity that those
before it left. JSON has null for undefined costs and times, and for all costs if a
cluster has no prices. Give prices with a further --federation prices.dot, such as
graph { eu [cpu_cost=0.4]; }. With several strategies, text has one table and JSON an
array in the given order.`,
	setUp: flagged[placeFlags](),
}

func (p *placeFlags) run(c *call, _ []string) error {
	keepWithin(p.memory, 1)
	if err := p.fill(c); err != nil {
		return err
	}
	if p.time < 0 {
		return c.misuse("--time %v is below 0: give a time such as 5s", p.time)
	}
	s := placementkind.New("", p.document)
	if p.output == "scenario" {
		if err := s.Validate(); err != nil {
			return p.errors(s.Kind, err)
		}
		return c.write(scenario.Encode(s))
	}
	work, report, err := conduct(c, &p.laboratory, s, func(w *placementkind.Prepared) { w.Within(float64(p.time.Milliseconds())) })
	if err != nil {
		return err
	}
	if p.time > 0 {
		report.Notes = append(report.Notes, placementkind.ReportOf(report).Reproduced()...)
	}
	data, err := p.format(c, work, report)
	if err != nil {
		return err
	}
	if !p.printsReport() {
		for _, warning := range report.Warnings {
			fmt.Fprintln(c.errs, warning)
		}
	}
	return c.finish(data, report)
}

// printsReport reports whether the command prints the report rather than a placement or the
// scenario.
func (p *placeFlags) printsReport() bool { return p.output == "json" || p.output == "text" }

// defaultStrategy is the strategy of the command line without --strategy. A document without
// strategies uses the first registered one.
const defaultStrategy = "best"

type placeFlags struct {
	laboratory
	federations list
	deployments list
	read        readFlags
	pools       string
	prices      list
	contexts    list // contexts of kubectl; plug-in only
	gap         string
	strategies  choices
	policies    list                        // files of policies in source text
	parameters  map[string]parameter.Values // by strategy: parameters that the user has set
	document    placementkind.Document
	explain     string
	time        time.Duration
}

func (p *placeFlags) register(c *call, f *flag.FlagSet) {
	d := &p.document
	f.Var(&p.federations, "federation", "the federation, a `FILE` of any format; may be repeated: Berth joins the files by the ids of clusters; NAME=FILE names the cluster of a file of nodes")
	f.Var(&p.prices, "price", "what a cluster costs, `CLUSTER=CORE,GIB`: a core and a GiB of memory an hour, such as eu=0.04,0.005; may be repeated")
	f.Var(&p.deployments, "deployment", "a deployment, a `FILE` of any format; may be repeated")
	f.StringVar(&p.gap, "gap", "", "a generalized assignment problem in the OR-Library's format, a `FILE` to use instead of graphs")
	f.StringVar(&p.gap, "instance", "", "the same, of any sort that the literature has: GAP, with several resources, quadratic (GQAP), task assignment")
	p.read.register(f, &d.Reading)
	f.Var((*list)(&d.Rules), "rule", "a `RULE` for all deployments, such as \"apart web-1 web-2 by region\" or \"only region=eu\"; may be repeated")
	parsed(f, &d.MaxMoves, "max-moves", "most `JOBS` that move from their current cluster (default: any number)", "a whole number from 0 on", func(s string) (*int, bool) {
		n, err := strconv.Atoi(s)
		return &n, err == nil && n >= 0
	})
	parsed(f, &d.Pareto, "pareto", "print the front of two `MEASURES`: cost and one of carbon, latency, moves, resilience, balance, such as cost,carbon", "two measures, separated by a comma", func(s string) ([]placement.Measure, bool) {
		var all []placement.Measure
		for m := range strings.SplitSeq(s, ",") {
			all = append(all, placement.Measure(strings.TrimSpace(m)))
		}
		return all, len(all) == 2
	})
	poolsFlag(f, &p.pools)
	f.Var((*list)(&d.WhatIf), "what-if", "a `CHANGE` to try: drain NODE…, fail CLUSTER…, add NODE ×3 like NODE, add pool TYPE ×3, price CLUSTER ×1.2, room CLUSTER ×0.8, latency ×1.1, scale JOB 10; may be repeated")
	f.BoolVar(&d.Keep, "keep", false, "after the changes, move the fewest requests first, and then minimise the cost")
	p.strategies.known, p.strategies.current = placement.Names(), placement.NameOf
	p.parameters = map[string]parameter.Values{}
	for _, name := range p.strategies.known {
		strategy, _ := placement.Lookup(name)
		p.parameters[name] = plugInFlags(f, name, strategy.Parameters)
	}
	f.Var(&p.strategies, "strategy", "how to search; may be repeated, to compare: "+strings.Join(p.strategies.known, ", ")+" (default "+defaultStrategy+")")
	f.Var(&p.policies, "policy", "a strategy that is written in Starlark, a `FILE`; may be repeated, and beside --strategy, to compare")
	parameterFlags(f, d, placementkind.Parameters(), (*parameter.Parameter).ParseBounded)
	f.DurationVar(&p.time, "time", 0, "most `TIME` of each search of a strategy that improves, such as 5s, instead of --steps; the result says the steps that give the same again")
	seed(f, &d.Seed)
	f.StringVar(&p.explain, "explain", "", "say why the `JOB` with this id is on its cluster; \"all\" explains each job")
	f.StringVar(&d.Center, "center", "", "`ID` of the centre of a star: the other links follow from those to the centre")
	p.laboratory.register(f, placementkind.Parameters(), append([]string{"json", "dot", "text", "scenario"}, format.Writers.Names()...)...)
	c.contextsFlag(f, &p.contexts)
}

// fill completes the document from the flags.
func (p *placeFlags) fill(c *call) error {
	if p.gap == "" {
		p.federations = c.asked(p.federations, p.contexts)
	}
	inputs := slices.Concat(p.federations, p.deployments)
	switch {
	case p.gap != "" && len(inputs) > 0:
		return c.misuse("--gap and --instance replace --federation and --deployment: leave them out")
	case p.gap != "":
		inputs = []string{p.gap}
	case len(p.federations) == 0:
		return c.misuse("--federation is missing")
	case len(p.deployments) == 0:
		return c.misuse("--deployment is missing")
	}
	if err := p.chooseStrategies(c); err != nil {
		return err
	}
	x := &p.document
	sources := make([]placementkind.GraphSource, 0, len(inputs))
	for _, name := range inputs {
		file, err := c.named(name)
		if err != nil {
			return err
		}
		if p.gap != "" && !gap.Detect([]byte(file.Text)) {
			_, err := gap.Read(file.Name, []byte(file.Text), c.load(p.memory))
			return badInput{err}
		}
		sources = append(sources, placementkind.GraphSource{Name: file.Name, Text: file.Text})
	}
	n := max(1, len(p.federations)) // an instance of --gap is both federation and deployment
	x.Federation, x.Federations, x.Deployments = sources[0], sources[1:n:n], sources[n:]
	if len(p.prices) > 0 {
		prices, err := c.pricesOf(p.prices)
		if err != nil {
			return err
		}
		x.Federations = append(x.Federations, prices)
	}
	pools, err := c.pools(p.pools, x.Strict)
	for i := range pools {
		x.Pools = append(x.Pools, placementkind.NewPool(&pools[i]))
	}
	p.read.finish()
	return err
}

// chooseStrategies sets the strategies of the document.
func (p *placeFlags) chooseStrategies(c *call) error {
	if len(p.strategies.list)+len(p.policies) == 0 {
		p.strategies.list = []string{defaultStrategy}
	}
	if len(p.strategies.list)+len(p.policies) > 1 && !p.printsReport() {
		return c.misuse("--format %s writes one result; expected one --strategy", p.output)
	}
	all := &p.document.Strategies
	for _, name := range p.strategies.list {
		*all = append(*all, placementkind.StrategyRun{Name: name, Parameters: p.parameters[name]})
	}
	for _, file := range p.policies {
		text, err := c.policy(file, placement.Names())
		if err != nil {
			return err
		}
		*all = append(*all, placementkind.StrategyRun{Policy: &text})
	}
	return c.distinct("policy", p.policies)
}

func (p *placeFlags) format(c *call, work *placementkind.Prepared, r *scenario.Report) ([]byte, error) {
	why, err := p.standings(c, work)
	if err != nil {
		return nil, err
	}
	switch p.output {
	case "json":
		all := placed(r, why)
		if len(all) == 1 {
			return scenario.JSON(all[0])
		}
		return scenario.JSON(all)
	case "text":
		text := r.Text()
		if len(p.document.Strategies) > 1 {
			var b bytes.Buffer
			placementkind.ReportOf(r).WriteComparison(&b, r.Timings)
			text = b.Bytes()
		}
		return append(text, standingsText(why)...), nil
	}
	return c.exported(work, p.output)
}

// standings explains the job of --explain, or all jobs, by strategy and deployment.
func (p *placeFlags) standings(c *call, run *placementkind.Prepared) ([][]*placementkind.Standings, error) {
	if p.explain == "" {
		return nil, nil
	}
	job := p.explain
	if job == "all" {
		job = ""
	}
	all, found, err := run.Standings(c, job)
	if err == nil && !found {
		err = c.misuse("--explain: no deployment has a job %s; \"all\" explains each", show.Quote(p.explain))
	}
	return all, err
}

func standingsText(why [][]*placementkind.Standings) []byte {
	var b bytes.Buffer
	for _, strategy := range why {
		for _, s := range strategy {
			s.WriteText(&b)
		}
	}
	return b.Bytes()
}

type placedReport struct {
	*placementkind.StrategyReport
	Deployments []placedDeployment `json:"deployments"`
	Notes       []string           `json:"notes"`
	Warnings    []string           `json:"warnings"`
}

type placedDeployment struct {
	*placementkind.DeploymentReport
	Milliseconds float64 `json:"milliseconds"`
	*placementkind.Standings
	Unhonoured []format.Unhonoured `json:"unhonoured,omitempty"`
}

func placed(r *scenario.Report, why [][]*placementkind.Standings) []placedReport {
	var all []placedReport
	body := placementkind.ReportOf(r)
	for k := range body.Strategies {
		out := placedReport{StrategyReport: &body.Strategies[k], Notes: r.Notes, Warnings: r.Warnings}
		for i := range out.StrategyReport.Deployments {
			one := placedDeployment{DeploymentReport: &out.StrategyReport.Deployments[i], Milliseconds: r.Timings.Placing[k][i]}
			if i < len(body.Deployments) {
				one.Unhonoured = body.Deployments[i].Unhonoured
			}
			if why != nil {
				one.Standings = why[k][i]
			}
			out.Deployments = append(out.Deployments, one)
		}
		all = append(all, out)
	}
	return all
}
