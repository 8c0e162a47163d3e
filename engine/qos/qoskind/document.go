package qoskind

import (
	"slices"

	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/policy"
	"berth/engine/qos"
	"berth/engine/scenario"
)

// Limits of a document.
const (
	MaxPolicies   = 20
	MaxLabel      = 80   // characters
	MaxSeeds      = 1000 // of each policy
	MaxClasses    = 64
	MaxHostEvents = 100_000
	MaxBonus      = 100 // rows of the table of a class
)

// Name is the name of the kind.
const Name = "qos"

// New returns a scenario of this kind.
func New(name string, d Document) scenario.Scenario { return scenario.New(Name, name, &d) }

// Of returns the body of a scenario of this kind, nil of another.
func Of(s scenario.Scenario) *Document { return scenario.As[*Document](s.Body) }

// Document is the body of a scenario of kind "qos". Times are in seconds, to
// the millisecond.
type Document struct {
	Workload scenario.Source  `json:"workload,omitzero"` // may be left out if there are controllers
	Hosts    scenario.Source  `json:"hosts"`
	Hot      *scenario.Source `json:"overheadsHot,omitempty"`  // of an allocation where the instance has run before
	Cold     *scenario.Source `json:"overheadsCold,omitempty"` // and where it has not
	// Overheads is the set for both; without any, an allocation takes no time.
	Overheads *scenario.Source `json:"overheads,omitempty"`

	Window *workload.Window `json:"window,omitempty"` // of the workload; nil: all of it

	Sample    *Sample    `json:"sample,omitempty"`    // nil: the requests of all users
	Admission *Admission `json:"admission,omitempty"` // nil: every request is admitted

	Classes  []Class     `json:"classes,omitempty"` // none: the paper's gold, silver and bronze
	Policies []PolicyRun `json:"policies"`

	Preset   string   `json:"preset,omitempty"`   // logs (the default) or paper: what Margin and Watchdog are if they are not given
	Margin   *float64 `json:"margin,omitempty"`   // φ of classes without one of their own
	Watchdog *float64 `json:"watchdog,omitempty"` // longest time between two passes
	Alpha    *float64 `json:"alpha,omitempty"`    // expected time of an allocation; nil: the mean of the overheads
	Horizon  float64  `json:"horizon,omitempty"`  // from the first arrival; 0: until all is done

	Controllers []Controller `json:"controllers,omitempty"`

	HostEvents      []HostEvent      `json:"hostEvents,omitempty"`
	HostEventSource *scenario.Source `json:"hostEventSource,omitempty"` // more of them, as a file

	Seed    uint64 `json:"seed,omitempty"`    // of overheads and ties, of the first run
	Seeds   int    `json:"seeds,omitempty"`   // runs of each policy, with Seed, Seed+1, …; 0 means one
	NoLimit bool   `json:"noLimit,omitempty"` // no instance is protected by its preemption overhead
	// FirstOverheadPending counts the first allocation as pending time.
	FirstOverheadPending bool `json:"firstOverheadPending,omitempty"`

	// PointEvery and FairnessEvery are the intervals of the records over time; nil means 60 and 600,
	// 0 records nothing.
	PointEvery    *float64 `json:"pointEvery,omitempty"`
	FairnessEvery *float64 `json:"fairnessEvery,omitempty"`
}

// Class is a service class. Missing fields have defaults: the importance is the place in the
// table, the limit 1 − SLO, the margin the document's, and the bonus that of table 2 of the
// paper, or in its ratio.
type Class struct {
	Name       string      `json:"name"`
	SLO        float64     `json:"slo"` // availability promised, from 0.01 to 1
	Importance int         `json:"importance,omitempty"`
	Margin     *float64    `json:"margin,omitempty"`
	Limit      *float64    `json:"limit,omitempty"`      // of the preemption overhead, from 0 to 1
	Priorities []int       `json:"priorities,omitempty"` // lowest and highest of the Google trace
	Bonus      []qos.Bonus `json:"bonus,omitzero"`       // ascending; an empty table is one without credits
}

// PolicyRun is a policy and how it is carried out.
type PolicyRun struct {
	Name        string `json:"name,omitempty"`        // see [qos.Names]
	Label       string `json:"label,omitempty"`       // what the run is called; "" for what [PolicyRun.Title] makes of the rest
	Scheduler   string `json:"scheduler,omitempty"`   // fast (the default) or literal
	HybridLimit int    `json:"hybridLimit,omitempty"` // limit of hybrid, by its name of version 1
	// Parameters of the policy that are not the default.
	Parameters parameter.Values `json:"parameters,omitempty"`
	Policy     *policy.Text     `json:"policy,omitempty"`  // a policy that is written as text, instead of a name
	Savings    *Savings         `json:"savings,omitempty"` // optimisations of the literal scheduler; it is the one that runs then
}

// DefaultPolicies are the policies of a new document.
func DefaultPolicies() (all []PolicyRun) {
	for _, name := range qos.Names() {
		if p, _ := qos.Lookup(name); p.Default {
			all = append(all, PolicyRun{Name: name})
		}
	}
	return all
}

// Savings are the optimisations of a policy run.
type Savings = qos.Savings

// Texts implements [scenario.Scripted].
func (d *Document) Texts() (all []*policy.Text) {
	for i := range d.Policies {
		if t := d.Policies[i].Policy; t != nil {
			all = append(all, t)
		}
	}
	return all
}

// HostEvent is a host that fails, leaves, is removed, returns or is added.
type HostEvent struct {
	Time   float64 `json:"time"`
	Host   string  `json:"host"`
	Event  string  `json:"event"`            // fail, leave, remove, return or add
	CPU    float64 `json:"cpu,omitempty"`    // of a host that no list has
	Memory float64 `json:"memory,omitempty"` // as above
	GPUs   int     `json:"gpus,omitempty"`   // as above, whole devices
}

// hostEvents returns the listed events in order of time.
func (d *Document) hostEvents() (events []workload.HostEvent) {
	for i, e := range d.HostEvents {
		events = append(events, workload.HostEvent{
			At: toTime(e.Time), Host: e.Host, Up: e.Event == "return" || e.Event == "add", CPU: amount(e.CPU), Memory: amount(e.Memory), GPUs: e.GPUs, Line: i + 1,
		})
	}
	return workload.MergeHostEvents(events, nil)
}

// The slots of the sources that may be files.
const (
	WorkloadSlot   = "workload"
	HostsSlot      = "hosts"
	OverheadsSlot  = "overheads"
	HotSlot        = "overheads-hot"
	ColdSlot       = "overheads-cold"
	HostEventsSlot = "host-events"
)

// Slots returns the sources that the document has.
func (d *Document) Slots() []scenario.Slot {
	slots := []scenario.Slot{{Name: HostsSlot, Source: &d.Hosts}}
	if d.hasWorkload() {
		slots = append([]scenario.Slot{{Name: WorkloadSlot, Source: &d.Workload}}, slots...)
	}
	for _, s := range []scenario.Slot{
		{Name: OverheadsSlot, Source: d.Overheads}, {Name: HotSlot, Source: d.Hot}, {Name: ColdSlot, Source: d.Cold},
		{Name: HostEventsSlot, Source: d.HostEventSource},
	} {
		if s.Source != nil {
			slots = append(slots, s)
		}
	}
	return slots
}

// hasWorkload says whether there are requests beside the controllers.
func (d *Document) hasWorkload() bool {
	return len(d.Controllers) == 0 || d.Workload != scenario.Source{}
}

// FirstSeed implements [scenario.Seeded].
func (d *Document) FirstSeed() *uint64 { return &d.Seed }

// Varies implements [scenario.Varied].
func (d *Document) Varies() scenario.Variation {
	x := d.clone()
	x.Seeds = 0
	return scenario.Variation{Base: x, Seeds: d.Seeds}
}

// Clone implements [scenario.Document].
func (d *Document) Clone() scenario.Document { return d.clone() }

func (d *Document) clone() *Document {
	c := *d
	for _, source := range []**scenario.Source{&c.Overheads, &c.Hot, &c.Cold, &c.HostEventSource} {
		if *source != nil {
			*source = new(**source)
		}
	}
	return &c
}

// Runs implements [scenario.Document].
func (d *Document) Runs() []scenario.Subject {
	return scenario.SubjectsOf(scenario.Subjects(d.Policies, (*PolicyRun).Title), d.Seeds)
}

// One implements [scenario.Document]. Only the first seed is drawn.
func (d *Document) One(policy, seed int) scenario.Document {
	x := d.clone()
	x.Policies, x.Seeds = slices.Clone(d.Policies[policy:policy+1]), min(d.Seeds, 1)
	x.Seed += uint64(seed)
	if seed > 0 {
		x.PointEvery, x.FairnessEvery = new(0.0), new(0.0)
	}
	return x
}
