package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"berth/engine/format"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
)

var place = &command{
	name: "place", summary: "place deployments on a federation",
	usage: "  berth place --federation F.dot --deployment D.dot [--deployment D2.dot …] [flags]\n  berth place --federation NAME=NODES.yaml … --deployment MANIFESTS.yaml [flags]",
	details: `The deployments are placed in the order given, each on what the ones before it
left. Costs and times that are not defined are null in JSON.`,
	run: runPlace,
}

func runPlace(c *call) error {
	f := c.flags()
	var p placeFlags
	p.register(f)
	if _, err := c.parse(f); err != nil {
		return err
	}
	s, err := p.scenario(c)
	if err != nil {
		return err
	}
	e, err := scenario.Prepare(c, s, scenario.Env{Now: clock(), Memory: p.memory})
	if err != nil {
		return flagErrors(err)
	}
	report, err := e.Run(c)
	if err != nil {
		return err
	}
	data, err := p.format(e, report)
	if err != nil {
		return err
	}
	if p.output.value != "json" && p.output.value != "text" {
		for _, warning := range report.Warnings {
			fmt.Fprintln(c.errs, warning)
		}
	}
	return c.finish(data, report)
}

type placeFlags struct {
	memory      int64
	federations list
	deployments list
	read        readFlags
	whatIf      list
	keep        bool
	strategy    *choice
	phi         float64
	seed        uint64
	budget      int64
	center      string
	strict      bool
	routed      bool
	output      *choice
}

func (p *placeFlags) register(f *flag.FlagSet) {
	f.Var(&p.federations, "federation", "the federation, a `FILE` of any format; may be repeated: files are put together by the ids of the clusters, and NAME=FILE names the cluster of a file of nodes")
	f.Var(&p.deployments, "deployment", "a deployment, a `FILE` of any format; may be repeated")
	p.read.register(f)
	f.Var(&p.whatIf, "what-if", "a `CHANGE` of which to tell the difference: drain NODE…, fail CLUSTER…, add NODE ×3 like NODE, price CLUSTER ×1.2, latency ×1.1, scale JOB 10; may be repeated")
	f.BoolVar(&p.keep, "keep", false, "after the changes the fewest requests move, and cost comes second")
	p.strategy = choose(f, "strategy", "how to search", placement.Names()...)
	p.phi = placement.DefaultPhi
	parsed(f, &p.phi, "phi", fmt.Sprintf("`A` in Φ(x) = e^(−A·x), per unit of cpu (default %v)", p.phi), fmt.Sprintf("a number from 0 to %v", placementkind.MaxPhi), func(s string) (float64, bool) {
		v, ok := finite(s)
		return v, ok && v >= 0 && v <= placementkind.MaxPhi
	})
	seed(f, &p.seed)
	p.budget = placement.DefaultBudget
	most := int64(placementkind.MaxBudget)
	parsed(f, &p.budget, "budget", fmt.Sprintf("most `EXPANSIONS` of the search (default %d)", p.budget), fmt.Sprintf("a whole number from 1 to %d", most), func(s string) (int64, bool) {
		v, err := strconv.ParseInt(s, 10, 64)
		return v, err == nil && v >= 1 && v <= most
	})
	f.StringVar(&p.center, "center", "", "`ID` of the centre of a star: links between the others are derived")
	f.BoolVar(&p.routed, "shortest-paths", false, "dependencies follow the paths of least latency, over several links")
	memory(f, &p.memory)
	f.BoolVar(&p.strict, "strict", false, "warnings are errors")
	p.output = choose(f, "format", "what to print", append([]string{"json", "dot", "text"}, format.Writers()...)...)
}

// scenario reads the files into a scenario.
func (p *placeFlags) scenario(c *call) (scenario.Scenario, error) {
	if len(p.federations) == 0 {
		return scenario.Scenario{}, c.misuse("--federation is missing")
	}
	if len(p.deployments) == 0 {
		return scenario.Scenario{}, c.misuse("--deployment is missing")
	}
	x := placementkind.Document{
		Strategies: []placementkind.StrategyRun{{Name: p.strategy.value}},
		Phi:        &p.phi, Seed: p.seed, Budget: p.budget, Center: p.center, Strict: p.strict, ShortestPaths: p.routed,
	}
	var sources []placementkind.Source
	for _, name := range slices.Concat(p.federations, p.deployments) {
		file, err := c.named(name)
		if err != nil {
			return scenario.Scenario{}, err
		}
		sources = append(sources, placementkind.Source{Name: file.Name, Text: file.Text})
	}
	n := len(p.federations)
	x.Federation, x.Federations, x.Deployments = sources[0], sources[1:n:n], sources[n:]
	x.WhatIf, x.Keep = p.whatIf, p.keep
	o := p.read.options()
	x.ClusterBy, x.NoInferred, x.InferredLatency, x.Split = o.ClusterBy, o.NoInferred, o.InferredLatency, o.Split
	return placementkind.New("", x), nil
}

// flagErrors names the flags of problems that a document would have.
func flagErrors(err error) error {
	var input *scenario.InputError
	if !errors.As(err, &input) {
		return err
	}
	for i := range input.Diagnostics {
		d := &input.Diagnostics[i]
		if field, ok := strings.CutPrefix(d.Field, "placement."); ok && d.Line == 0 {
			name, _, _ := strings.Cut(field, "[")
			if dashed, ok := map[string]string{"whatIf": "what-if", "clusterBy": "cluster-by", "inferredLatency": "latency"}[name]; ok {
				name = dashed
			}
			d.Message = "--" + strings.TrimSuffix(name, "s") + strings.TrimPrefix(d.Message, d.Field)
		}
	}
	return input
}

// clock returns the time since it was made, in milliseconds.
func clock() func() float64 {
	start := time.Now()
	return func() float64 { return float64(time.Since(start).Nanoseconds()) / 1e6 }
}

func (p *placeFlags) format(e *scenario.Experiment, r *scenario.Report) ([]byte, error) {
	switch p.output.value {
	case "text":
		return r.Text(), nil
	case "json":
		return encode(placed(r))
	}
	return exported(e, p.output.value)
}

// exported returns a placement in a format of graphs or placements, nothing if
// nothing was placed.
func exported(e *scenario.Experiment, as string) ([]byte, error) {
	if as == "dot" {
		as = placementkind.DOTPlain
	}
	placed, err := scenario.WorkOf[*placementkind.Experiment](e)
	if err != nil {
		return nil, err
	}
	file, err := placed.Export(placementkind.ExportQuery{Deployment: placementkind.AllDeployments, Format: as})
	if errors.Is(err, placementkind.ErrNothingPlaced) {
		return nil, nil
	}
	return file.Data, err
}

// placedReport is the JSON that place prints.
type placedReport struct {
	Strategy    string             `json:"strategy"`
	Deployments []placedDeployment `json:"deployments"`
	Total       placementkind.Cost `json:"total"`
	Notes       []string           `json:"notes"`
	Warnings    []string           `json:"warnings"`

	Clusters []placementkind.ClusterState `json:"clusters,omitempty"` // what is left, where nodes are known
	WhatIf   *placementkind.Difference    `json:"whatIf,omitempty"`
}

type placedDeployment struct {
	Name         string                   `json:"name"`
	Status       placement.Status         `json:"status"`
	Reason       string                   `json:"reason,omitempty"`
	Placement    placementkind.Assignment `json:"placement"`
	Cost         placementkind.Cost       `json:"cost"`
	Expansions   int64                    `json:"expansions"`
	Backtracks   int64                    `json:"backtracks"`
	Milliseconds float64                  `json:"milliseconds"`
}

func placed(r *scenario.Report) placedReport {
	s := placementkind.ReportOf(r).Strategies[0]
	out := placedReport{Strategy: s.Strategy, Total: s.Total, Notes: r.Notes, Warnings: r.Warnings, Clusters: s.Clusters, WhatIf: s.WhatIf}
	for i, d := range s.Deployments {
		out.Deployments = append(out.Deployments, placedDeployment{
			Name: d.Name, Status: d.Status, Reason: d.Reason, Placement: d.Placement, Cost: d.Cost,
			Expansions: d.Expansions, Backtracks: d.Backtracks, Milliseconds: r.Timings.Placing[0][i],
		})
	}
	return out
}

func encode(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return show.JSON([]byte(b.String())), err
}

// finish writes a result, and says on standard error what was not placed.
func (c *call) finish(data []byte, r *scenario.Report) error {
	if err := c.write(data); err != nil {
		return err
	}
	if r.Complete() {
		return nil
	}
	for _, line := range r.Left() {
		fmt.Fprintln(c.errs, line)
	}
	return errNotPlaced
}
