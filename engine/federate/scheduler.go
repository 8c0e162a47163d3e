package federate

import (
	"fmt"
	"slices"

	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/plugin"
	"berth/engine/policy"
)

// Scheduler decides where the tasks of one run start. The model calls it when jobs arrive, tasks
// end and the scheduler's own events are due. It starts every task with [Model.Start] once, and
// again after [Model.Stop]. It must be deterministic, and must call [Model.Now] in every call
// instead of keeping the time.
type Scheduler interface {
	// Submit passes on a job whose tasks arrive now.
	Submit(job int32)
	// Handle handles an event of the scheduler's own, of kind [FirstKind] or higher.
	Handle(e Event)
	// Ended reports that a task ends on its worker now.
	Ended(task, worker int32)
	// Outage reports that a GM, an LM or a worker fails now, or works again if over is true.
	Outage(o Outage, over bool)
}

// Failing is a scheduler that can fail. A failure ends the run.
type Failing interface {
	Scheduler
	// Failed returns the error that stopped the scheduler, or nil.
	Failed() error
}

// None is the number of a task, a worker or any other numbered object that does not exist.
const None = -1

// FirstKind is the lowest kind of a scheduler's own events.
const FirstKind = 16

// Plugin describes a scheduler and makes one for each run. A parameter without a path has the path
// "parameters.scheduler.parameter" in documents. [Model.Parameters] holds the parameters by name; a
// name may begin with the name of the scheduler, as in "scheduler.parameter".
type Plugin = plugin.Plugin[Facts, func(*Model) Scheduler]

// Facts are the properties of a scheduler that the model and the pages depend on.
type Facts struct {
	// Slots: the slot is the only resource, and every task takes a whole worker.
	Slots bool
	// Unlike: the capacities of workers may differ; with Slots, a worker may have several slots.
	// Any scheduler accepts workers of different speeds.
	Unlike bool
	// Pooled: only a [Pool] decides where tasks have room, so tasks may request anything it
	// supports, such as shares of devices.
	Pooled bool
	// Moves: its schedulers implement [Mover].
	Moves bool
	// Gangs: it starts all tasks of a gang together; other schedulers start them one by one. Rigid:
	// it starts every job that fits as a gang.
	Gangs, Rigid bool
	// Estimates: it uses the estimated running times of tasks.
	Estimates bool
	// Unbounded: its tasks run outside of the workers, so it ignores changes of workers.
	Unbounded bool
	// Masters, if not nil, returns the GM and the LM of each worker for the playback, −1 if it has
	// none. It also sets GMs and LMs of the configuration to the number of masters.
	Masters func(*Config, parameter.Values) (gm, lm []int32)
	// Configure, if not nil, changes the configuration before a run.
	Configure func(*Config)
	// Memory, if not nil, returns an upper estimate of the bytes that New and the scheduler
	// allocate.
	Memory func(*Config, parameter.Values, *workload.Tasks) float64
}

// Unbounded returns the name of the registered scheduler whose tasks run outside of the workers, so
// that it can run every workload; "" if there is none.
func Unbounded() string {
	for _, p := range schedulers.All() {
		if p.Facts.Unbounded {
			return p.Name
		}
	}
	return ""
}

// schedulers holds all registered schedulers.
var schedulers = newRegistry()

func newRegistry(first ...Plugin) *plugin.Registry[Plugin] {
	return plugin.NewRegistry("federate", "scheduler", first...)
}

// Register adds a scheduler. It returns an error if its name, or the flag of one of its parameters,
// is taken.
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

// Lookup returns the plug-in with a current or former name.
func Lookup(name string) (Plugin, bool) { return schedulers.Lookup(name) }

// Language compiles schedulers from their text; see package policy.
var Language policy.Language[Plugin]

// Plugin returns a scheduler by name. A scheduler written for this configuration takes precedence
// over a registered one.
func (c *Config) Plugin(name string) (Plugin, bool) {
	for _, p := range c.Written {
		if p.Name == name {
			return p, true
		}
	}
	return Lookup(name)
}

// NameOf maps a former name of a scheduler to its current one, and returns any other name
// unchanged.
func NameOf(name string) string { return schedulers.Current(name) }

// Names returns the registered schedulers in the order of registration.
func Names() []string { return schedulers.Names() }
