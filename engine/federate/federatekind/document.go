package federatekind

import (
	"cmp"
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

// Of returns the body of a scenario of this kind, or nil for another kind.
func Of(s scenario.Scenario) *Document { return scenario.As[*Document](s.Body) }

// TraceSlot is the name of the slot that holds the text of the trace.
const TraceSlot = "trace"

// The presets of costs.
const (
	DefaultPreset = "default"
	PaperPreset   = "paper" // a launch takes 20 ms
)

// The values of State. In its answer an LM sends the state of all its workers, as in the paper
// (sections IV-B6, VI-C and VI-D), or by default only of the workers that have changed since its
// last answer to the same GM.
const (
	FullState    = "full"
	ChangedState = "changed"
)

// Document is the body of a scenario of kind "federate". Times are in seconds. Nil or missing
// fields take the defaults of [Parameters].
type Document struct {
	Trace scenario.Source `json:"trace"`
	Load  *float64        `json:"load,omitempty"` // factor of the arrival rate; nil means 1
	// Window is the part of the trace that is simulated; nil means all of it.
	Window *workload.Window `json:"window,omitempty"`

	// Machines or Classes list the capacity of each worker and replace Workers and Capacity.
	Machines *scenario.Source   `json:"machines,omitempty"`
	Classes  []MachineClass     `json:"classes,omitempty"`
	Workers  int                `json:"workers,omitempty"`
	GMs      int                `json:"gms"`
	LMs      int                `json:"lms"`
	Capacity map[string]float64 `json:"capacity,omitempty"` // of a worker, by resource
	// Constraints are tables of probabilities. Each LM draws one table for its workers.
	Constraints []workload.ConstraintTable `json:"constraints,omitempty"`

	Shares       []float64 `json:"shares,omitempty"` // of the users; they sum to 1 and turn preemption on
	KeepProgress bool      `json:"keepProgress,omitempty"`

	Preset          string   `json:"preset,omitempty"`
	Heartbeat       *float64 `json:"heartbeat,omitempty"`
	Delay           *float64 `json:"delay,omitempty"`       // one-way delay of a message
	LaunchDelay     *float64 `json:"launchDelay,omitempty"` // delay of a message that carries a task; nil: Delay, or the value of the preset
	State           string   `json:"state,omitempty"`       // state in the answer of an LM: full or changed (the default)
	IdealProcessing bool     `json:"idealProcessing,omitempty"`
	Costs           *Costs   `json:"costs,omitempty"`
	Interference    float64  `json:"interference,omitempty"`  // relative slowdown of a task on a worker that others fill
	EstimateError   float64  `json:"estimateError,omitempty"` // e: estimates are off by a factor in [1 − e, 1 + e)
	Outages         []Outage `json:"outages,omitempty"`

	Schedulers []string `json:"schedulers"`
	// Policies are schedulers written as text. Schedulers may name them.
	Policies []policy.Text `json:"policies,omitempty"`
	Sparrow  *Sparrow      `json:"sparrow,omitempty"`
	Pigeon   *Pigeon       `json:"pigeon,omitempty"`
	// Parameters holds the parameters of other schedulers, by scheduler and parameter.
	Parameters map[string]map[string]float64 `json:"parameters,omitempty"`

	// Seed is the seed of the first run. Run k of a scheduler uses Seed+k, and a generated trace
	// uses the seed of its recipe plus k. Seeds is the number of runs; 0 means one.
	Seed  uint64  `json:"seed,omitempty"`
	Seeds int     `json:"seeds,omitempty"`
	Sweep []Sweep `json:"sweep,omitempty"` // one or two parameters
}

// AssignTree implements [scenario.OfTree]. The list of schedulers may contain a policy written as
// text instead of a name: {"policy": {"name": …, "text": …}}.
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

// Costs are the times that masters spend on processing, in seconds; see [federate.Costs].
type Costs struct {
	Take   *float64 `json:"take,omitempty"`
	Word   *float64 `json:"word,omitempty"`
	Look   *float64 `json:"look,omitempty"`
	Adopt  *float64 `json:"adopt,omitempty"`
	Verify *float64 `json:"verify,omitempty"`
}

// Outage is the failure of a GM, an LM, a worker, or all machines of a rack.
type Outage struct {
	Subject  string  `json:"subject"`        // gm, lm, worker or rack
	Index    int     `json:"index"`          // from 0
	Rack     string  `json:"rack,omitempty"` // name of the rack, as in workload.Machine.Rack; only for a rack
	At       float64 `json:"at"`             // seconds since the first arrival
	Duration float64 `json:"duration"`
}

// Sparrow holds the parameters of Sparrow; nil means the default.
type Sparrow struct {
	Probes *int `json:"probes,omitempty"`
}

// Pigeon holds the parameters of Pigeon; nil means the default.
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

// window returns the part of the trace to simulate.
func (d *Document) window() workload.Window { return *cmp.Or(d.Window, &workload.Window{}) }

// written compiles the policies of the document to schedulers.
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
