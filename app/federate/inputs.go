package federate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"berth/app/lab"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/policy"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// inputs is the value that the user edits. Copies share the options' slices and pointers, so a
// setter must replace these rather than change their contents.
type inputs struct {
	name    string
	sources map[string]*lab.Source // by slot; without machines all workers are equal
	options federatekind.Document  // everything else
}

func (in *inputs) trace() *lab.Source    { return in.sources[federatekind.TraceSlot] }
func (in *inputs) machines() *lab.Source { return in.sources[federatekind.MachinesSlot] }

// Data centre of blank inputs.
const (
	startWorkers = 1000
	startGMs     = 3
	startLMs     = 3
)

func emptyInputs() *inputs {
	in := &inputs{sources: map[string]*lab.Source{}, options: federatekind.Document{Workers: startWorkers, GMs: startGMs, LMs: startLMs, Seed: 1}}
	for _, name := range federate.Names() {
		if p, _ := federate.Lookup(name); p.Default {
			in.options.Schedulers = append(in.options.Schedulers, name)
		}
	}
	return in
}

// inputsOf is the inverse of Input. For nil it returns the initial inputs.
func inputsOf(s *scenario.Scenario) *inputs {
	if s == nil {
		return emptyInputs()
	}
	in := &inputs{name: s.Name, sources: lab.SourcesOf(s.Slots()), options: *federatekind.Of(*s)}
	in.options.Trace, in.options.Machines = scenario.Source{}, nil
	if len(in.options.Schedulers) == 0 {
		in.options.Schedulers = emptyInputs().options.Schedulers
	}
	return in
}

// Clone implements [lab.Inputs].
func (in *inputs) Clone() *inputs {
	c := *in
	c.sources = maps.Clone(c.sources)
	c.options.Capacity = maps.Clone(c.options.Capacity)
	c.options.Outages = slices.Clone(c.options.Outages)
	c.options.Schedulers = slices.Clone(c.options.Schedulers)
	return &c
}

// Blank implements [lab.Inputs].
func (in *inputs) Blank() bool { return in.trace() == nil }

// Missing implements [lab.Inputs].
func (in *inputs) Missing() string {
	trace, machines := in.trace(), in.machines()
	switch {
	case trace == nil:
		return "There is no trace yet: choose a file, or generate one."
	case trace.Beside() && !trace.Large():
		return "The trace " + trace.Name + " is a file next to the scenario: choose it again."
	case machines != nil && machines.Beside() && !machines.Large():
		return "The machines " + machines.Name + " are a file next to the scenario: choose it again."
	case len(in.options.Schedulers) == 0:
		return "There is no scheduler to run: choose at least one."
	}
	return ""
}

// SameWork implements [lab.Inputs].
func (in *inputs) SameWork(other *inputs) bool {
	return maps.Equal(in.sources, other.sources) && reflect.DeepEqual(in.options, other.options)
}

// Input implements [lab.Inputs].
func (in *inputs) Input() bridge.Input {
	document := in.options
	if trace := in.trace(); trace != nil {
		document.Trace = trace.Source
	}
	if machines := in.machines(); machines != nil {
		document.Machines, document.Classes = new(machines.Source), nil
	}
	return lab.InputOf(federatekind.New(in.name, document), in.sources)
}

// Name implements [lab.Inputs].
func (in *inputs) Name() string { return in.name }

// SetName implements [lab.Inputs].
func (in *inputs) SetName(name string) { in.name = name }

var _ lab.Inputs[*inputs] = (*inputs)(nil)

// Sources implements [lab.Slotted].
func (in *inputs) Sources() map[string]*lab.Source { return in.sources }

// Roles lists the sources by role. A data centre other than the default one counts as a source,
// because it may come from an example.
func (in *inputs) Roles() []lab.SourceRole {
	centre := lab.SourceRole{Name: "workers", Choose: "fed-workers", Plural: true, Figures: true}
	if o := in.options; in.machines() == nil && (o.Workers != startWorkers || o.GMs != startGMs || o.LMs != startLMs) {
		centre.Sources = []*lab.Source{lab.TextSource(centre.Name, fmt.Sprint(o.Workers, o.GMs, o.LMs))}
	}
	return append(lab.RolesOf(slots, in.sources), centre)
}

// Named lists the inputs that refer to masters, workers or racks.
func (in *inputs) Named() []lab.Named {
	return lab.NamedIn("federate.outages", outageFields, &in.options.Outages, func(o *federatekind.Outage) string {
		thing := o.Subject + " " + fmt.Sprint(o.Index+1)
		if o.Subject == federatekind.RackSubject {
			thing = o.Subject + " " + show.Text(o.Rack)
		}
		return "the failure of " + thing + " at " + show.Number(o.At) + " s"
	})
}

// setScheduler adds or removes a scheduler. Schedulers stay in the order of placeOf.
func (in *inputs) setScheduler(name string, on bool) {
	in.options.Schedulers = slices.DeleteFunc(in.options.Schedulers, func(s string) bool { return federate.NameOf(s) == name })
	if on {
		in.options.Schedulers = append(in.options.Schedulers, name)
	}
	slices.SortStableFunc(in.options.Schedulers, func(a, b string) int { return placeOf(a) - placeOf(b) })
}

// PutText replaces the written scheduler of this name, or adds t if no scheduler has
// the name. A nil t removes the scheduler.
func (in *inputs) PutText(name string, t *policy.Text) {
	texts := slices.Clone(in.options.Policies)
	i := slices.IndexFunc(texts, func(old policy.Text) bool { return old.Name == name })
	runs := slices.Index(in.options.Schedulers, name)
	switch {
	case i < 0:
		in.options.Policies = append(texts, *t)
		in.setScheduler(t.Name, true)
		return
	case t != nil:
		texts[i] = *t
		if runs >= 0 {
			in.options.Schedulers[runs] = t.Name
		}
	default:
		texts = slices.Delete(texts, i, i+1)
		in.setScheduler(name, false)
	}
	in.options.Policies = texts
	if len(texts) == 0 {
		in.options.Policies = nil
	}
}
