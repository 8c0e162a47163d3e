package federate

import (
	"fmt"
	"slices"

	"berth/engine/parameter"
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

// FirstKind is the first kind of events that is a scheduler's own.
const FirstKind = 16

// Plugin makes schedulers of one sort.
type Plugin struct {
	Name, Title, Description string
	// Parameters are what it alone needs. Without a path of their own, documents
	// have them as "parameters.name.parameter"; the model has them by their names.
	Parameters []parameter.Parameter
	// Slots says that it knows no resources but slots: every task takes a
	// whole worker.
	Slots bool
	// Unbounded says that tasks run outside of the workers.
	Unbounded bool
	// Configure, if there is one, changes the configuration before a run.
	Configure func(*Config)
	// Memory, if there is one, estimates how many bytes New and the scheduler
	// take at most.
	Memory func(*Config, parameter.Values, *workload.Tasks) float64
	New    func(*Model) Scheduler
}

var plugins = []Plugin{
	{Name: "megha", Title: "Megha", Description: "many masters with copies of the state (Thiyyakat et al.)", Memory: federationMemory, New: newFederation},
	{Name: "centralised", Title: "Centralised", Description: "Megha with one GM and one LM", Configure: centralise, Memory: federationMemory, New: newFederation},
	{Name: "sparrow", Title: "Sparrow", Parameters: sparrowParameters, Description: "batch sampling with late binding (Ousterhout et al. 2013)", Slots: true, Memory: sparrowMemory, New: newSparrow},
	{Name: "pigeon", Title: "Pigeon", Parameters: pigeonParameters, Description: "groups of workers whose masters prefer short tasks (Wang et al. 2019)", Slots: true, Memory: pigeonMemory, New: newPigeon},
	{Name: "ideal", Title: "Ideal", Description: "every task starts as it arrives: the lower bound", Unbounded: true, New: newIdeal},
}

// centralise leaves one GM and one LM on the same workers, and drops the
// failures of all others.
func centralise(c *Config) {
	c.GMs, c.LMs = 1, 1
	c.Outages = slices.DeleteFunc(slices.Clone(c.Outages), func(o Outage) bool {
		return o.Subject != WorkerOutage && o.Index > 0
	})
}

// Register adds a plug-in; a name that is taken, its own or that of a parameter,
// is an error.
func Register(p Plugin) error {
	if _, taken := Lookup(p.Name); taken || p.Name == "" || p.New == nil {
		return fmt.Errorf("federate: scheduler %q is registered already, or has no name or nothing to make it", p.Name)
	}
	for _, known := range Parameters() {
		if slices.ContainsFunc(p.Parameters, func(own parameter.Parameter) bool { return own.Flag() == known.Flag() }) {
			return fmt.Errorf("federate: scheduler %q: there is a parameter %s already", p.Name, known.Name)
		}
	}
	plugins = append(plugins, p)
	parameters = allParameters()
	return nil
}

// Lookup returns the plug-in of that name.
func Lookup(name string) (Plugin, bool) {
	for _, p := range plugins {
		if p.Name == name {
			return p, true
		}
	}
	return Plugin{}, false
}

// Names lists the registered plug-ins.
func Names() []string {
	var names []string
	for _, p := range plugins {
		names = append(names, p.Name)
	}
	return names
}
