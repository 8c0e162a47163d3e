package scenario

import "berth/engine/workload"

// Version is the version of the documents that this package writes.
const Version = 1

// The kinds of experiment. QoS and Federate are reserved.
const (
	KindPlacement = "placement"
	KindQoS       = "qos"
	KindFederate  = "federate"
)

// What a document may hold at most.
const (
	MaxBytes       = 64 << 20 // of a document, and of all graphs in it together
	MaxDeployments = 1000
	MaxStrategies  = 20
	MaxSeeds       = 1000
	MaxName        = 200  // characters
	MaxSourceName  = 4096 // characters: it may be the path of a file
	MaxBudget      = 1_000_000_000_000
	MaxPhi         = 1e100 // so that no affinity overflows
)

// Scenario describes one experiment completely: whoever runs it gets the same
// results.
type Scenario struct {
	Version   int        `json:"version"`
	Kind      string     `json:"kind"`
	Name      string     `json:"name,omitempty"`
	Placement *Placement `json:"placement,omitempty"`
}

// Placement is the body of a scenario of kind "placement": the deployments are
// placed on the federation one after the other, each on what the ones before
// it left, once for every strategy.
type Placement struct {
	Federation  Source        `json:"federation"`
	Deployments []Source      `json:"deployments"`
	Strategies  []StrategyRun `json:"strategies"`

	Phi              *float64 `json:"phi,omitempty"`    // a of Φ, per unit of cpu; nil means placement.DefaultPhi
	Seed             uint64   `json:"seed,omitempty"`   // of the first run of a strategy that draws
	Budget           int64    `json:"budget,omitempty"` // expansions; 0 means placement.DefaultBudget
	Center           string   `json:"center,omitempty"` // DOT id of the centre of a star; "" follows the graph
	Strict           bool     `json:"strict,omitempty"` // warnings are errors
	ConsumeBandwidth bool     `json:"consumeBandwidth,omitempty"`
}

// StrategyRun is a strategy and how many seeds it runs with: the scenario's,
// the next one, and so on. 0 seeds mean one.
type StrategyRun struct {
	Name  string `json:"name"`
	Seeds int    `json:"seeds,omitempty"`
}

// Source is where a graph comes from: DOT text or the recipe of a generator,
// exactly one of the two. The name stands in reports and diagnostics.
type Source struct {
	Name   string           `json:"name"`
	DOT    string           `json:"dot,omitempty"`
	Recipe *workload.Recipe `json:"recipe,omitempty"`
}

// New returns a placement scenario of the current version.
func New(name string, p Placement) Scenario {
	return Scenario{Version: Version, Kind: KindPlacement, Name: name, Placement: &p}
}
