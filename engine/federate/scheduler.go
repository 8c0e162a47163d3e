package federate

import (
	"cmp"
	"fmt"
	"slices"

	"berth/engine/parameter"
	"berth/engine/plugin"
	"berth/engine/workload"
)

// Scheduler decides where the tasks of one run start. It is told of arrivals
// and ends, and of the events that it put in the queue itself; it starts every
// task with [Model.Start] once, and again after [Model.Stop]. It must not hold
// on to the model's time between calls, and gives the same decisions for the
// same calls.
type Scheduler interface {
	// Submit tells of a job whose tasks have arrived now.
	Submit(job int32)
	// Handle takes an event of a kind from [FirstKind] on.
	Handle(e Event)
	// Ended tells that a task has ended on its worker now.
	Ended(task, worker int32)
	// Outage tells that something fails now, or works again.
	Outage(o Outage, over bool)
}

// Failing is a scheduler that may be unable to go on, which ends the run.
type Failing interface {
	Scheduler
	// Failed says why, nil if it can go on.
	Failed() error
}

// FirstKind is the first kind of events that is a scheduler's own.
const FirstKind = 16

// Plugin makes schedulers of one sort.
type Plugin struct {
	Name, Title, Description string
	// Was, if there is one, is a name that it had before. Documents may still have it.
	Was string
	// Parameters are what it alone needs. Without a path of their own, documents
	// have them as "parameters.name.parameter"; the model has them by their names, which may
	// begin with that of the scheduler: "name.parameter".
	Parameters []parameter.Parameter
	Default    bool // a new scenario has it
	// Slots says that it knows no resources but slots: every task takes a
	// whole worker.
	Slots bool
	// Unlike says that it heeds what each worker has where that differs, so that of one that
	// knows only slots, a worker may have several. All may run tasks at different speeds.
	// Devices says that it takes a share of a device from one device.
	Unlike, Devices bool
	// Moves says that its schedulers are [Mover]s.
	Moves bool
	// Gangs says that it starts the tasks of a gang together; others start them one by
	// one. Rigid says that it takes every job for a gang where that can start.
	Gangs, Rigid bool
	// Estimates says that it decides by how long tasks are estimated to run.
	Estimates bool
	// Unbounded says that tasks run outside of the workers.
	Unbounded bool
	// Masters, if there is one, tells the masters of each worker, -1 for none, for the
	// picture of the playback; it sets GMs and LMs to how many there are.
	Masters func(*Config, parameter.Values) (gm, lm []int32)
	// Configure, if there is one, changes the configuration before a run.
	Configure func(*Config)
	// Memory, if there is one, estimates how many bytes New and the scheduler
	// take at most.
	Memory func(*Config, parameter.Values, *workload.Tasks) float64
	New    func(*Model) Scheduler
}

// Unbounded returns the scheduler whose tasks run outside of the workers, which suits every
// workload; "" if there is none.
func Unbounded() string {
	return schedulers.First(func(p *Plugin) bool { return p.Unbounded })
}

// schedulers are all that were registered.
var schedulers = newRegistry()

func newRegistry(first ...Plugin) *plugin.Registry[Plugin] {
	return plugin.NewRegistry("federate", "scheduler", func(p *Plugin) (string, bool) { return p.Name, p.New != nil }, first...)
}

// Register adds a scheduler; a name that is taken, its own or that of a parameter,
// is an error.
func Register(p Plugin) error {
	if schedulers.Position(p.Name) < 0 {
		for _, known := range Parameters() {
			if slices.ContainsFunc(p.Parameters, func(own parameter.Parameter) bool { return own.Flag() == known.Flag() }) {
				return fmt.Errorf("federate: scheduler %q: there is a parameter %s already", p.Name, known.Name)
			}
		}
	}
	if err := schedulers.Add(p); err != nil {
		return err
	}
	parameters = allParameters()
	return nil
}

// Lookup returns the plug-in that has that name, or had it before.
func Lookup(name string) (Plugin, bool) { return schedulers.Lookup(NameOf(name)) }

// NameOf returns the name of today of a scheduler; one that is unknown stays.
func NameOf(name string) string {
	if name == "" {
		return ""
	}
	return cmp.Or(schedulers.First(func(p *Plugin) bool { return p.Was == name }), name)
}

// Names lists the schedulers in the order in which they were registered.
func Names() []string { return schedulers.Names() }
