package federatekind

import (
	"fmt"
	"maps"
	"slices"

	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/policy"
	"berth/engine/scenario"
)

// Limits of a document.
const (
	MaxSchedulers = 32
	MaxSeeds      = 1000
	MaxValues     = 100  // of one swept parameter
	MaxRuns       = 2000 // schedulers × seeds × points
	MaxShares     = 1000
	MaxTables     = 100
	MaxOutages    = 200
)

// Name is the name of the kind.
const Name = "federate"

// New returns a scenario of this kind.
func New(name string, d Document) scenario.Scenario { return scenario.New(Name, name, &d) }

// Of returns the body of a scenario of this kind, nil of another.
func Of(s scenario.Scenario) *Document { return scenario.As[*Document](s.Body) }

// TraceSlot is the slot of the trace's text.
const TraceSlot = "trace"

// The presets of costs.
const (
	DefaultPreset = "default"
	PaperPreset   = "paper" // a launch takes 20 ms
)

// The state of workers in an answer of an LM: of all of them, as in the paper (sections
// IV-B6, VI-C and VI-D), or by default of the workers that have changed since the last
// answer to that GM.
const (
	FullState    = "full"
	ChangedState = "changed"
)

// Document is the body of a scenario of kind "federate". Times are in seconds. Fields that are
// nil or missing have the defaults of [Parameters].
type Document struct {
	Trace scenario.Source `json:"trace"`
	Load  *float64        `json:"load,omitempty"` // jobs arrive that many times as fast; nil means 1
	// Window is the part of the trace that is simulated; nil means all of it.
	Window *workload.Window `json:"window,omitempty"`

	// Machines lists the capacity of each worker, or Classes do; they replace Workers and Capacity.
	Machines *scenario.Source   `json:"machines,omitempty"`
	Classes  []MachineClass     `json:"classes,omitempty"`
	Workers  int                `json:"workers,omitempty"`
	GMs      int                `json:"gms"`
	LMs      int                `json:"lms"`
	Capacity map[string]float64 `json:"capacity,omitempty"` // of a worker, by resource
	// Constraints are tables; each LM draws one of them for its workers.
	Constraints []workload.ConstraintTable `json:"constraints,omitempty"`

	Shares       []float64 `json:"shares,omitempty"` // of the users, which sum to 1; they switch preemption on
	KeepProgress bool      `json:"keepProgress,omitempty"`

	Preset          string   `json:"preset,omitempty"`
	Heartbeat       *float64 `json:"heartbeat,omitempty"`
	Delay           *float64 `json:"delay,omitempty"`       // of a message, one way
	LaunchDelay     *float64 `json:"launchDelay,omitempty"` // of the transfer of a task; nil: as any message, or the preset's
	State           string   `json:"state,omitempty"`       // that an answer of an LM carries: full or changed (the default)
	IdealProcessing bool     `json:"idealProcessing,omitempty"`
	Costs           *Costs   `json:"costs,omitempty"`
	Interference    float64  `json:"interference,omitempty"`  // how much a full worker stretches running times
	EstimateError   float64  `json:"estimateError,omitempty"` // how far the factor of a job's estimates may be from 1
	Outages         []Outage `json:"outages,omitempty"`

	Schedulers []string `json:"schedulers"`
	// Policies are schedulers that are written as text, which Schedulers may name.
	Policies []policy.Text `json:"policies,omitempty"`
	Sparrow  *Sparrow      `json:"sparrow,omitempty"`
	Pigeon   *Pigeon       `json:"pigeon,omitempty"`
	// Parameters of other schedulers, by the name of each.
	Parameters map[string]map[string]float64 `json:"parameters,omitempty"`

	// Run k of a scheduler has Seed+k, and a generated trace the seed of its
	// recipe plus k. 0 seeds mean one.
	Seed  uint64  `json:"seed,omitempty"`
	Seeds int     `json:"seeds,omitempty"`
	Sweep []Sweep `json:"sweep,omitempty"` // one or two parameters
}

// AssignTree implements [scenario.OfTree]: in place of a scheduler's name there may be a
// policy that is written as text, {"policy": {"name": …, "text": …}}.
func (d *Document) AssignTree(path string, from any, found *scenario.Problems) {
	var policies []policy.Text
	fields, _ := from.(map[string]any)
	given, _ := fields["schedulers"].([]any)
	names := slices.Clone(given)
	for i, one := range given {
		var s struct {
			Policy *policy.Text `json:"policy"`
		}
		if object, ok := one.(map[string]any); ok {
			scenario.AssignAt(fmt.Sprintf("%s.schedulers[%d]", path, i), object, &s, found)
		}
		if s.Policy != nil {
			policies, names[i] = append(policies, *s.Policy), s.Policy.Name
		}
	}
	if policies != nil {
		fields = maps.Clone(fields)
		fields["schedulers"] = names
		from = fields
	}
	type plain Document
	scenario.AssignAt(path, from, (*plain)(d), found)
	d.Policies = append(d.Policies, policies...)
}

// Texts implements [scenario.Scripted].
func (d *Document) Texts() (all []*policy.Text) {
	for i := range d.Policies {
		all = append(all, &d.Policies[i])
	}
	return all
}

// Costs are what masters spend on processing; see federate.Costs.
type Costs struct {
	Take   *float64 `json:"take,omitempty"`
	Word   *float64 `json:"word,omitempty"`
	Look   *float64 `json:"look,omitempty"`
	Adopt  *float64 `json:"adopt,omitempty"`
	Verify *float64 `json:"verify,omitempty"`
}

// Outage is the failure of a GM, an LM or a worker, or of all machines of a rack.
type Outage struct {
	Subject  string  `json:"subject"`        // gm, lm, worker or rack
	Index    int     `json:"index"`          // from 0
	Rack     string  `json:"rack,omitempty"` // of a rack: its name: see workload.Machine.Rack
	At       float64 `json:"at"`             // since the first arrival
	Duration float64 `json:"duration"`
}

// Sparrow has what only Sparrow needs.
type Sparrow struct {
	Probes *int `json:"probes,omitempty"`
}

// Pigeon has what only Pigeon needs.
type Pigeon struct {
	GroupSize *int     `json:"groupSize,omitempty"`
	Reserved  *int     `json:"reserved,omitempty"`
	Cutoff    *float64 `json:"cutoff,omitempty"`
	Weight    *int     `json:"weight,omitempty"`
}

// Slots implements [scenario.Document].
func (d *Document) Slots() []scenario.Slot {
	slots := []scenario.Slot{{Name: TraceSlot, Source: &d.Trace}}
	if d.Machines != nil {
		slots = append(slots, scenario.Slot{Name: MachinesSlot, Source: d.Machines})
	}
	return slots
}

// FirstSeed implements [scenario.Seeded].
func (d *Document) FirstSeed() *uint64 { return &d.Seed }

// Clone implements [scenario.Document].
func (d *Document) Clone() scenario.Document {
	x := *d
	if d.Machines != nil {
		x.Machines = new(*d.Machines)
	}
	return &x
}

// window is the part of the trace that is simulated.
func (d *Document) window() workload.Window {
	if d.Window == nil {
		return workload.Window{}
	}
	return *d.Window
}

// written makes the schedulers that are written as text.
func (d *Document) written() ([]federate.Plugin, error) {
	var all []federate.Plugin
	for _, t := range d.Policies {
		p, err := federate.Language.Plugin(t)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
