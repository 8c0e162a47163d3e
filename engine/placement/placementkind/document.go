package placementkind

import (
	"fmt"
	"slices"

	"berth/engine/input/format"
	"berth/engine/input/gap"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/policy"
	"berth/engine/scenario"
)

// instance reports whether the federation is a generalized assignment problem.
func (d *Document) instance() bool {
	return d.Federation.Recipe == nil && gap.Detect([]byte(d.Federation.Text))
}

// dump reports whether a file of the federation has Kubernetes nodes. Questions about the pods
// there need no deployment.
func (d *Document) dump() bool {
	return slices.ContainsFunc(d.files(), GraphSource.dump)
}

// files returns the sources of the federation.
func (d *Document) files() []GraphSource {
	return append([]GraphSource{d.Federation}, d.Federations...)
}

func (s GraphSource) dump() bool { return s.Recipe == nil && format.IsKubernetes([]byte(s.Text)) }

// Name is the name of this kind of scenarios.
const Name = "placement"

// Limits of a document.
const (
	MaxDeployments = 1000
	MaxStrategies  = 20
	MaxSeeds       = 1000
	MaxInferred    = 10_000
	MaxBudget      = 1_000_000_000_000
	MaxPhi         = 1e100 // keeps the exponents of Φ finite
)

// Document is the body of a scenario of kind "placement". Each strategy places the deployments on
// the federation one after the other, each on the capacity that the earlier ones left. If the
// federation is an instance of the generalized assignment problem (package gap), it also defines
// the jobs, and there are no deployments. With Kubernetes nodes, deployments may be missing: then
// the questions are about the existing pods.
type Document struct {
	Federation  GraphSource   `json:"federation"`
	Deployments []GraphSource `json:"deployments"`
	Strategies  []StrategyRun `json:"strategies"`

	Phi              *float64 `json:"phi,omitempty"`    // a of Φ, per unit of cpu; nil means placement.DefaultPhi
	Seed             uint64   `json:"seed,omitempty"`   // of the first run of a strategy that draws at random
	Budget           int64    `json:"budget,omitempty"` // expansions; 0 means placement.DefaultBudget
	Steps            int64    `json:"steps,omitempty"`  // for strategies that improve; 0 means their default
	Joint            bool     `json:"joint,omitempty"`  // place all deployments at once
	Center           string   `json:"center,omitempty"` // DOT id of the centre of a star; "" for the centre in the graph
	Strict           bool     `json:"strict,omitempty"` // warnings are errors
	ConsumeBandwidth bool     `json:"consumeBandwidth,omitempty"`
	ShortestPaths    bool     `json:"shortestPaths,omitempty"` // dependencies follow the lowest-latency paths

	Federations []GraphSource `json:"federations,omitempty"` // further files of the federation, merged by cluster id
	format.Reading

	Rules    []string `json:"rules,omitempty"`    // apply to every deployment in addition to its own; see package rule
	MaxMoves *int     `json:"maxMoves,omitempty"` // limit for jobs with a known current cluster; nil: no limit

	// Pareto requests the front of these two measures; the first is cost. Empty requests none.
	Pareto []placement.Measure `json:"pareto,omitempty"`

	Pools []Pool `json:"pools,omitempty"` // node types that can be added, with prices

	WhatIf []string `json:"whatIf,omitempty"` // changes, such as "drain node-1"; the report includes their effect
	Keep   bool     `json:"keep,omitempty"`   // after WhatIf, move as few jobs as possible, cost second
}

// StrategyRun is a strategy and the number of its seeds: the scenario's seed, the next one, and so
// on. 0 means 1.
type StrategyRun struct {
	Name   string       `json:"name,omitempty"`
	Policy *policy.Text `json:"policy,omitempty"` // a strategy written as text; replaces Name
	Seeds  int          `json:"seeds,omitempty"`
	// Parameters has the parameters of the strategy that differ from the default.
	Parameters parameter.Values `json:"parameters,omitempty"`
}

// AssignTree implements [scenario.OfTree]. It maps a former name of the strategy to its current
// one.
func (r *StrategyRun) AssignTree(path string, from any, found *scenario.Problems) {
	type fields StrategyRun // has no AssignTree, which avoids recursion
	scenario.AssignAt(path, from, (*fields)(r), found)
	r.Name = placement.NameOf(r.Name)
}

// Title returns the strategy with its parameters, such as "greedy(0.5)".
func (r *StrategyRun) Title() string {
	if r.Policy != nil {
		return r.Policy.Name
	}
	strategy, _ := placement.Lookup(r.Name)
	return parameter.Title(r.Name, strategy.Parameters, r.Parameters)
}

// StrategyName returns the name of the strategy, which may be built in or written as text.
func (r *StrategyRun) StrategyName() string {
	if r.Policy != nil {
		return r.Policy.Name
	}
	return r.Name
}

// Strategy returns a new instance of the strategy.
func (r *StrategyRun) Strategy() (placement.Strategy, error) {
	if r.Policy == nil {
		return placement.Named(r.Name, r.Parameters)
	}
	plugin, err := placement.Language.Plugin(*r.Policy)
	if err != nil {
		return nil, err
	}
	return plugin.New(nil), nil
}

// Texts implements [scenario.Scripted].
func (d *Document) Texts() (all []*policy.Text) {
	for i := range d.Strategies {
		if t := d.Strategies[i].Policy; t != nil {
			all = append(all, t)
		}
	}
	return all
}

// GraphSource defines a graph by its text, in DOT or another readable format, or by the recipe of a
// generator; exactly one is set. Reports and diagnostics show the name. NAME=FILE names the cluster
// of a node file. A GraphSource converts to a [scenario.Source], whose JSON fields have other
// names.
type GraphSource struct {
	Name   string           `json:"name"`
	Text   string           `json:"dot,omitempty"`
	Recipe *workload.Recipe `json:"recipe,omitempty"`
	SHA256 string           `json:"-"`
}

// New returns a scenario of this kind.
func New(name string, d Document) scenario.Scenario { return scenario.New(Name, name, &d) }

// Of returns the body of a scenario of this kind, nil for another kind.
func Of(s scenario.Scenario) *Document { return scenario.As[*Document](s.Body) }

// FederationSlot is the slot of the federation's text.
const FederationSlot = "federation"

// JoinedSlot is the slot of further federation file i, from 0.
func JoinedSlot(i int) string { return fmt.Sprintf("federations/%d", i) }

// DeploymentSlot is the slot of deployment i, from 0.
func DeploymentSlot(i int) string { return fmt.Sprintf("deployments/%d", i) }

// Slots implements [scenario.Document].
func (d *Document) Slots() []scenario.Slot {
	slots := []scenario.Slot{{Name: FederationSlot, Source: (*scenario.Source)(&d.Federation), Whole: true}}
	for i := range d.Federations {
		slots = append(slots, scenario.Slot{Name: JoinedSlot(i), Source: (*scenario.Source)(&d.Federations[i]), Whole: true})
	}
	for i := range d.Deployments {
		slots = append(slots, scenario.Slot{Name: DeploymentSlot(i), Source: (*scenario.Source)(&d.Deployments[i]), Whole: true})
	}
	return slots
}

// Runs implements [scenario.Document].
func (d *Document) Runs() (all []scenario.Subject) {
	for _, s := range d.Strategies {
		all = append(all, scenario.Subject{Name: s.Title(), Seeds: s.Seeds})
	}
	return all
}

// One implements [scenario.Document].
func (d *Document) One(strategy, seed int) scenario.Document {
	x := *d
	x.Strategies = slices.Clone(d.Strategies[strategy : strategy+1])
	x.Strategies[0].Seeds = 0
	x.Seed += uint64(seed)
	return &x
}

// FirstSeed implements [scenario.Seeded].
func (d *Document) FirstSeed() *uint64 { return &d.Seed }

// Varies implements [scenario.Varied]. In an experiment all strategies run with the same number of
// seeds, the largest in the document.
func (d *Document) Varies() scenario.Variation {
	x, seeds := *d, 0
	x.Strategies = slices.Clone(d.Strategies)
	for i := range x.Strategies {
		seeds = max(seeds, x.Strategies[i].Seeds)
		x.Strategies[i].Seeds = 0
	}
	return scenario.Variation{Base: &x, Seeds: seeds}
}

// Clone implements [scenario.Document].
func (d *Document) Clone() scenario.Document {
	c := *d
	c.Deployments, c.Federations, c.Inferred = slices.Clone(d.Deployments), slices.Clone(d.Federations), slices.Clone(d.Inferred)
	return &c
}

// parameters lists the parameters of a document.
var parameters = []parameter.Parameter{
	{Name: "phi", Title: "Φ's a, per unit of cpu", Help: "`A` in Φ(x) = e^(−A·x), per unit of cpu", High: MaxPhi, Default: placement.DefaultPhi},
	{Name: "budget", Title: "search budget, steps", Help: "most `EXPANSIONS` of the search", Low: 1, High: MaxBudget, Whole: true, Default: placement.DefaultBudget},
	{
		Name: "steps", Title: "steps of strategies that improve", High: MaxBudget, Whole: true, Usual: "chosen by the problem",
		Help: "most `STEPS` of the strategies that improve, best and exact (default 0: chosen by the problem)",
	},
	{Name: "joint", Title: "all deployments at once, and what their order costs", Help: "place all deployments at once, and say what their order costs", Switch: true},
	{Name: "shortestPaths", Title: "dependencies follow the shortest paths", Help: "dependencies follow the paths of lowest latency, over several links", Switch: true},
	{Name: "consumeBandwidth", Title: "dependencies use up bandwidth", Help: "dependencies take their bandwidth of the links that they cross", Switch: true},
	{Name: "strict", Title: "treat warnings as errors", Help: "treat warnings as errors", Switch: true},
	{Name: "undirected", Title: "read directed graphs as undirected", Help: "read directed graphs as undirected", Switch: true},
	{Name: "freePrices", Title: "prices that a file leaves out are 0", Help: "take prices that a file leaves out as 0", Switch: true},
}

// runParameters lists the parameters of a [StrategyRun]. The command line has only one seed.
var runParameters = []parameter.Parameter{
	{Name: "seeds", Title: "seeds", Low: 1, High: MaxSeeds, Whole: true, Default: 1},
}

// Parameters lists the parameters of a document.
func Parameters() []parameter.Parameter { return parameters }

// ParameterNamed returns a parameter of a document by its name. It panics if there is none.
func ParameterNamed(name string) *parameter.Parameter { return parameter.Named(parameters, name) }

// ReadingParameters returns the parameters of a document that affect how a graph is read: the last
// two.
func ReadingParameters() []parameter.Parameter { return parameters[len(parameters)-2:] }

// PoolFields describes the numbers of a [Pool].
var PoolFields = []parameter.Parameter{
	{Name: "price", Title: "price an hour", High: MaxFactor, Usual: "0.2", Required: true},
	{Name: "maximum", Title: "at most", Low: 1, High: MaxReplicas, Whole: true, Usual: "any number"},
}

// ofStrategy returns the parameters of a [StrategyRun] with the given strategy.
func ofStrategy(name string) []parameter.Parameter {
	strategy, _ := placement.Lookup(name)
	return append(parameter.Below("parameters", strategy.Parameters), runParameters...)
}
