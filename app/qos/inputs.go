package qos

import (
	"maps"
	"reflect"
	"slices"

	"berth/app/lab"
	"berth/engine/policy"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// inputs is the value that the user edits. An edit changes a copy made with Clone, and
// the original goes to the undo history.
type inputs struct {
	name    string
	sources map[string]*lab.Source // by slot; no entry for an empty slot
	options qoskind.Document       // everything except the sources
}

func emptyInputs() *inputs {
	return &inputs{sources: map[string]*lab.Source{}, options: qoskind.Document{Seed: 1, Policies: qoskind.DefaultPolicies()}}
}

// Clone implements [lab.Inputs].
func (in *inputs) Clone() *inputs {
	c := *in
	c.sources = maps.Clone(c.sources)
	c.options.Classes = slices.Clone(c.options.Classes)
	c.options.Policies = slices.Clone(c.options.Policies)
	c.options.HostEvents = slices.Clone(c.options.HostEvents)
	c.options.Controllers = slices.Clone(c.options.Controllers)
	return &c
}

// Name implements [lab.Inputs].
func (in *inputs) Name() string { return in.name }

// SetName implements [lab.Inputs].
func (in *inputs) SetName(name string) { in.name = name }

// Blank implements [lab.Inputs].
func (in *inputs) Blank() bool { return len(in.sources) == 0 && len(in.options.Controllers) == 0 }

// Missing implements [lab.Inputs].
func (in *inputs) Missing() string {
	switch {
	case in.sources[qoskind.WorkloadSlot] == nil && len(in.options.Controllers) == 0:
		return "There is no workload yet: choose a file, generate one, or add controllers."
	case in.sources[qoskind.HostsSlot] == nil:
		return "There are no hosts yet: choose a file, or generate some."
	case len(in.options.Policies) == 0:
		return "There is no policy to run: choose one."
	case (in.sources[qoskind.HotSlot] == nil) != (in.sources[qoskind.ColdSlot] == nil):
		return "Overheads of hot hosts and of cold hosts belong together: give both, or one set for all hosts."
	}
	return ""
}

// SameWork implements [lab.Inputs].
func (in *inputs) SameWork(other *inputs) bool {
	return maps.Equal(in.sources, other.sources) && reflect.DeepEqual(in.options, other.options)
}

const workloadRole = "workload"

// Sources implements [lab.Slotted].
func (in *inputs) Sources() map[string]*lab.Source { return in.sources }

// Roles implements [lab.Inputs].
func (in *inputs) Roles() []lab.SourceRole { return lab.RolesOf(slots, in.sources) }

// Named lists the inputs that refer to hosts by name.
func (in *inputs) Named() []lab.Named {
	return lab.NamedIn("qos.hostEvents", failureFields, &in.options.HostEvents, func(e *qoskind.HostEvent) string {
		return "“" + show.Text(e.Host) + ": " + e.Event + " at " + show.Number(e.Time) + " s”"
	})
}

// Input implements [lab.Inputs].
func (in *inputs) Input() bridge.Input {
	return lab.InputOf(qoskind.New(in.name, in.document()), in.sources)
}

// document returns the body of the scenario that is run, saved and shared.
func (in *inputs) document() qoskind.Document {
	d := in.Clone().options
	at := func(slot string) *scenario.Source {
		s := in.sources[slot]
		if s == nil {
			return nil
		}
		return new(s.Source)
	}
	if s := at(qoskind.WorkloadSlot); s != nil {
		d.Workload = *s
	}
	if s := at(qoskind.HostsSlot); s != nil {
		d.Hosts = *s
	}
	d.Overheads, d.Hot, d.Cold = at(qoskind.OverheadsSlot), at(qoskind.HotSlot), at(qoskind.ColdSlot)
	d.HostEventSource = at(qoskind.HostEventsSlot)
	return d
}

// inputsOf is the inverse of Input. For nil it returns the initial inputs.
func inputsOf(s *scenario.Scenario) *inputs {
	if s == nil {
		return emptyInputs()
	}
	in := &inputs{name: s.Name, sources: lab.SourcesOf(s.Slots()), options: *qoskind.Of(*s)}
	o := &in.options
	o.Workload, o.Hosts = scenario.Source{}, scenario.Source{}
	o.Overheads, o.Hot, o.Cold, o.HostEventSource = nil, nil, nil, nil
	if len(o.Policies) == 0 {
		o.Policies = qoskind.DefaultPolicies()
	}
	return in.Clone()
}

// PutText replaces the written policy of this name, or adds t as the last policy if no
// policy has the name. A nil t removes the policy.
func (in *inputs) PutText(name string, t *policy.Text) {
	runs := in.options.Policies
	i := slices.IndexFunc(runs, func(r qoskind.PolicyRun) bool { return r.Policy != nil && r.Policy.Name == name })
	switch {
	case i < 0:
		in.options.Policies = append(runs, qoskind.PolicyRun{Policy: t})
	case t != nil:
		runs[i].Policy = t
	default:
		in.options.Policies = slices.Delete(runs, i, i+1)
	}
}
