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
	MaxSeeds      = 1000 // per policy
	MaxClasses    = 64   // a class fits into a byte
	MaxHostEvents = 100_000
	MaxBonus      = 100 // rows in the bonus table of a class
)

// Name is the name of this scenario kind in documents and in the paths of its questions.
const Name = "qos"

// New returns a scenario of kind "qos".
func New(name string, d Document) scenario.Scenario { return scenario.New(Name, name, &d) }

// Of returns the body of a scenario of kind "qos", or nil for another kind.
func Of(s scenario.Scenario) *Document { return scenario.As[*Document](s.Body) }

// Document is the body of a scenario of kind "qos". Times are in seconds and are rounded to
// milliseconds.
type Document struct {
	Workload scenario.Source  `json:"workload,omitzero"` // optional if there are controllers
	Hosts    scenario.Source  `json:"hosts"`
	Hot      *scenario.Source `json:"overheadsHot,omitempty"`  // allocation overheads on a host where the instance has run before
	Cold     *scenario.Source `json:"overheadsCold,omitempty"` // allocation overheads on other hosts
	// Overheads is the set for both cases. Without any set, allocations take no time.
	Overheads *scenario.Source `json:"overheads,omitempty"`

	Window *workload.Window `json:"window,omitempty"` // simulated part of the workload; nil: all of it

	Sample    *Sample    `json:"sample,omitempty"`    // nil: the requests of all users
	Admission *Admission `json:"admission,omitempty"` // nil: every request is admitted

	Classes  []Class     `json:"classes,omitempty"` // none: the paper's gold, silver and bronze
	Policies []PolicyRun `json:"policies"`

	Preset   string   `json:"preset,omitempty"`   // logs (the default) or paper: selects the defaults of Margin and Watchdog
	Margin   *float64 `json:"margin,omitempty"`   // default margin φ of the classes
	Watchdog *float64 `json:"watchdog,omitempty"` // maximum time between two passes
	Alpha    *float64 `json:"alpha,omitempty"`    // expected allocation time; nil: the mean of the overheads
	Horizon  float64  `json:"horizon,omitempty"`  // seconds from the first arrival; 0: until all requests have completed

	Controllers []Controller `json:"controllers,omitempty"`

	HostEvents      []HostEvent      `json:"hostEvents,omitempty"`
	HostEventSource *scenario.Source `json:"hostEventSource,omitempty"` // file with further events

	Seed    uint64 `json:"seed,omitempty"`    // seed of the first run, for overheads and ties
	Seeds   int    `json:"seeds,omitempty"`   // number of runs of each policy, with seeds Seed, Seed+1, …; 0 means 1
	NoLimit bool   `json:"noLimit,omitempty"` // no instance is protected because of its preemption overhead
	// FirstOverheadPending counts the first allocation as pending time.
	FirstOverheadPending bool `json:"firstOverheadPending,omitempty"`

	// PointEvery is the interval of the recorded time series, FairnessEvery the length of the
	// recorded fairness intervals, in seconds. nil means 60 and 600; 0 disables recording.
	PointEvery    *float64 `json:"pointEvery,omitempty"`
	FairnessEvery *float64 `json:"fairnessEvery,omitempty"`
}

// Class is a service class. Defaults: the importance is the position in the table, the limit is 1 −
// SLO, the margin is the document's, and the bonus is from table 2 of the paper, scaled for other
// SLOs.
type Class struct {
	Name       string      `json:"name"`
	SLO        float64     `json:"slo"` // promised availability, from 0.01 to 1
	Importance int         `json:"importance,omitempty"`
	Margin     *float64    `json:"margin,omitempty"`
	Limit      *float64    `json:"limit,omitempty"`      // limit of the preemption overhead, from 0 to 1
	Priorities []int       `json:"priorities,omitempty"` // lowest and highest priority of the Google trace in this class
	Bonus      []qos.Bonus `json:"bonus,omitzero"`       // ascending by below; empty: no credits
}

// PolicyRun is a policy with the scheduler that runs it.
type PolicyRun struct {
	Name        string `json:"name,omitempty"`        // name of a built-in policy, one of [qos.Names]
	Label       string `json:"label,omitempty"`       // display name; "": derived by [PolicyRun.Title]
	Scheduler   string `json:"scheduler,omitempty"`   // fast (the default), literal or counted
	HybridLimit int    `json:"hybridLimit,omitempty"` // parameter limit of the policy hybrid, in the form of version 1
	// Parameters of the policy that differ from the defaults.
	Parameters parameter.Values `json:"parameters,omitempty"`
	Policy     *policy.Text     `json:"policy,omitempty"`  // a policy in source text, instead of a name
	Savings    *Savings         `json:"savings,omitempty"` // optimisations of the literal scheduler; if set, the run uses this scheduler
}

// DefaultPolicies returns the policies of a new document.
func DefaultPolicies() (all []PolicyRun) {
	for _, name := range qos.Names() {
		if p, _ := qos.Lookup(name); p.Default {
			all = append(all, PolicyRun{Name: name})
		}
	}
	return all
}

// Savings are the optimisations of the literal scheduler in a run.
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

// HostEvent is a host that goes down (fail, leave, remove) or comes up (return, add).
type HostEvent struct {
	Time   float64 `json:"time"`
	Host   string  `json:"host"`
	Event  string  `json:"event"`            // fail, leave, remove, return or add
	CPU    float64 `json:"cpu,omitempty"`    // capacity, required for hosts that are in no list
	Memory float64 `json:"memory,omitempty"` // capacity, as for cpu
	GPUs   int     `json:"gpus,omitempty"`   // capacity in whole devices, as for cpu
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

// The slots of the sources that can be files.
const (
	WorkloadSlot   = "workload"
	HostsSlot      = "hosts"
	OverheadsSlot  = "overheads"
	HotSlot        = "overheads-hot"
	ColdSlot       = "overheads-cold"
	HostEventsSlot = "host-events"
)

// Slots implements [scenario.Document]. It omits the workload if the document has only controllers.
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

// hasWorkload reports whether the document has requests in addition to its controllers.
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

// One implements [scenario.Document]. Only the first seed records time series.
func (d *Document) One(policy, seed int) scenario.Document {
	x := d.clone()
	x.Policies, x.Seeds = slices.Clone(d.Policies[policy:policy+1]), min(d.Seeds, 1)
	x.Seed += uint64(seed)
	if seed > 0 {
		x.PointEvery, x.FairnessEvery = new(0.0), new(0.0)
	}
	return x
}
