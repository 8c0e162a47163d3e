package qos

import (
	"maps"
	"reflect"
	"slices"

	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/scenario/body"
	"berth/engine/scenario/simulate"
	"berth/engine/workload"
	"berth/wasm/bridge"
)

// source is one text of the input: the text itself, a file too large to be
// edited here, or the recipe that a generator makes it from. It never changes.
// An edit makes another one, so that a pointer is enough to tell whether a
// check belongs to it.
type source struct {
	body.Source
	file bridge.Blob // a large file, which the page does not look at
}

// textSource is a source with this text. An empty one is given a line, since a
// source without text is no source: the reader then says what is missing.
func textSource(name, text string) *source {
	if text == "" {
		text = "\n"
	}
	return &source{Source: body.Source{Name: name, Text: text}}
}

func fileSource(name string, file bridge.Blob) *source {
	return &source{Source: body.Source{Name: name}, file: file}
}

func recipeSource(name string, recipe workload.Recipe) *source {
	return &source{Source: body.Source{Name: name, Recipe: &recipe}}
}

// large reports whether the text stands outside the page's memory.
func (s *source) large() bool { return s.file.Size() > 0 }

// inputs is what the user edits. It is a value: an edit works on a copy made
// with Clone, and the old one goes to the undo history as it is.
type inputs struct {
	name    string
	sources map[string]*source // by slot; those that are there
	options simulate.Document  // all but the sources
}

func emptyInputs() inputs {
	return inputs{sources: map[string]*source{}, options: simulate.Document{
		Policies: []simulate.PolicyRun{{Name: "qos"}, {Name: "priority"}}, Seed: 1,
	}}
}

// Clone implements [lab.Inputs].
func (in inputs) Clone() inputs {
	in.sources = maps.Clone(in.sources)
	in.options.Classes = slices.Clone(in.options.Classes)
	in.options.Policies = slices.Clone(in.options.Policies)
	in.options.HostEvents = slices.Clone(in.options.HostEvents)
	return in
}

// Name implements [lab.Inputs].
func (in inputs) Name() string { return in.name }

// Named implements [lab.Inputs].
func (in inputs) Named(name string) inputs {
	in.name = name
	return in
}

// Blank implements [lab.Inputs].
func (in inputs) Blank() bool { return len(in.sources) == 0 }

// Missing implements [lab.Inputs].
func (in inputs) Missing() string {
	switch {
	case in.sources[simulate.WorkloadSlot] == nil:
		return "There is no workload yet: choose a file, or generate one."
	case in.sources[simulate.HostsSlot] == nil:
		return "There are no hosts yet: choose a file, or generate some."
	case len(in.options.Policies) == 0:
		return "There is no policy to run: tick one."
	case (in.sources[simulate.HotSlot] == nil) != (in.sources[simulate.ColdSlot] == nil):
		return "The overheads of hot and of cold hosts go together: give both, or one set for both."
	}
	return ""
}

// SameWork implements [lab.Inputs].
func (in inputs) SameWork(other inputs) bool {
	return maps.Equal(in.sources, other.sources) && reflect.DeepEqual(in.options, other.options)
}

// Size implements [lab.Inputs].
func (in inputs) Size() int {
	size := 0
	for _, s := range in.sources {
		size += len(s.Text) + s.file.Size()
	}
	return size
}

// Message implements [lab.Inputs].
func (in inputs) Message() bridge.Input {
	texts := map[string]bridge.Blob{}
	for slot, s := range in.sources {
		if s.large() {
			texts[slot] = s.file
		}
	}
	return bridge.Input{Scenario: scenario.NewQoS(in.name, in.document()), Texts: texts}
}

// document is the body of the scenario that is run, saved and shared.
func (in inputs) document() simulate.Document {
	d := in.Clone().options
	at := func(slot string) *body.Source {
		s := in.sources[slot]
		if s == nil {
			return nil
		}
		copied := s.Source
		return &copied
	}
	if s := at(simulate.WorkloadSlot); s != nil {
		d.Workload = *s
	}
	if s := at(simulate.HostsSlot); s != nil {
		d.Hosts = *s
	}
	d.Overheads, d.Hot, d.Cold = at(simulate.OverheadsSlot), at(simulate.HotSlot), at(simulate.ColdSlot)
	d.HostEventSource = at(simulate.HostEventsSlot)
	return d
}

// inputsOf is the inverse of Message.
func inputsOf(s scenario.Scenario) inputs {
	in := inputs{name: s.Name, sources: map[string]*source{}, options: *s.QoS}
	for _, slot := range in.options.Sources() {
		if s := slot.Source; s.Name != "" || !s.Beside() {
			in.sources[slot.Name] = &source{Source: *s}
		}
	}
	o := &in.options
	o.Workload, o.Hosts = body.Source{}, body.Source{}
	o.Overheads, o.Hot, o.Cold, o.HostEventSource = nil, nil, nil, nil
	if len(o.Policies) == 0 {
		o.Policies = emptyInputs().options.Policies
	}
	return in.Clone()
}

// preset is the one that fills in what is not given.
func (in inputs) preset() qos.Preset {
	if in.options.Preset == qos.Paper.Name {
		return qos.Paper
	}
	return qos.Logs
}
