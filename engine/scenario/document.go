package scenario

import (
	"fmt"
	"slices"

	"berth/engine/federate/federatekind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario/body"
	"berth/engine/workload"
)

// Version is the version of the documents that this package writes.
const Version = 1

// The kinds of experiment.
const (
	KindPlacement = "placement"
	KindQoS       = "qos"
	KindFederate  = "federate"
)

// What a document may hold at most.
const (
	MaxBytes       = body.MaxText // of a document, and of all graphs in it together
	MaxDeployments = 1000
	MaxStrategies  = 20
	MaxSeeds       = 1000
	MaxName        = 200 // characters
	MaxSourceName  = body.MaxSourceName
	MaxBudget      = 1_000_000_000_000
	MaxPhi         = 1e100 // so that no affinity overflows
)

// Scenario describes one experiment completely: whoever runs it gets the same
// results.
type Scenario struct {
	Version   int                    `json:"version"`
	Kind      string                 `json:"kind"`
	Name      string                 `json:"name,omitempty"`
	Placement *Placement             `json:"placement,omitempty"`
	QoS       *qoskind.Document      `json:"qos,omitempty"`
	Federate  *federatekind.Document `json:"federate,omitempty"`
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

// NewQoS returns a scenario of kind "qos" of the current version.
func NewQoS(name string, d qoskind.Document) Scenario {
	return Scenario{Version: Version, Kind: KindQoS, Name: name, QoS: &d}
}

// NewFederate returns a scenario of kind "federate" of the current version.
func NewFederate(name string, d federatekind.Document) Scenario {
	return Scenario{Version: Version, Kind: KindFederate, Name: name, Federate: &d}
}

// New returns a placement scenario of the current version.
func New(name string, p Placement) Scenario {
	return Scenario{Version: Version, Kind: KindPlacement, Name: name, Placement: &p}
}

// Text is a text of a scenario that may stand beside it.
type Text struct {
	Slot string
	Name string  // of its source, for messages
	Text *string // in the scenario
	// Streamed says that the text need not be put into the scenario to run it:
	// see body.Env.Beside.
	Streamed bool
	// Beside says that the scenario has neither the text nor a recipe.
	Beside bool
}

// The slots of the graphs of a placement.
const FederationSlot = "federation"

// DeploymentSlot is the slot of deployment i, from 0.
func DeploymentSlot(i int) string { return fmt.Sprintf("deployments/%d", i) }

// Texts returns the places of all texts of a scenario, empty ones too.
func (s *Scenario) Texts() []Text {
	var all []Text
	if p := s.Placement; p != nil {
		add := func(slot string, g *Source) {
			all = append(all, Text{Slot: slot, Name: g.Name, Text: &g.DOT, Beside: g.DOT == "" && g.Recipe == nil})
		}
		add(FederationSlot, &p.Federation)
		for i := range p.Deployments {
			add(DeploymentSlot(i), &p.Deployments[i])
		}
	}
	if s.QoS != nil {
		all = append(all, textsOf(s.QoS.Sources())...)
	}
	if s.Federate != nil {
		all = append(all, textsOf(s.Federate.Sources())...)
	}
	return all
}

func textsOf(slots []body.Slot) []Text {
	var all []Text
	for _, s := range slots {
		all = append(all, Text{Slot: s.Name, Name: s.Source.Name, Text: &s.Source.Text, Streamed: true, Beside: s.Source.Beside()})
	}
	return all
}

// Clone returns a copy whose sources are its own.
func (s Scenario) Clone() Scenario {
	if s.Placement != nil {
		p := *s.Placement
		p.Deployments = slices.Clone(p.Deployments)
		s.Placement = &p
	}
	if s.QoS != nil {
		s.QoS = s.QoS.Clone()
	}
	if s.Federate != nil {
		s.Federate = s.Federate.Clone()
	}
	return s
}
