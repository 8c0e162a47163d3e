package scenario

import (
	"encoding/json"

	"berth/engine/budget"
	"berth/engine/input/packed"
)

// Version is the version of the documents that this package writes.
const Version = 1

// Limits of a document.
const (
	MaxBytes = packed.MaxText  // size of a document
	MaxTexts = budget.MaxBytes // total size of all texts of a scenario that runs
	MaxName  = 200             // characters
)

// Scenario describes inputs and runs completely: every run of a scenario gives the same results.
type Scenario struct {
	Version int      `json:"version"`
	Kind    string   `json:"kind"`
	Name    string   `json:"name,omitempty"`
	Body    Document `json:"-"` // nil if missing; in JSON, a field with the name of the kind
}

// New returns a scenario of the current version. It keeps body without copying it.
func New(kind, name string, body Document) Scenario {
	return Scenario{Version: Version, Kind: kind, Name: name, Body: body}
}

// MarshalJSON implements [json.Marshaler].
func (s Scenario) MarshalJSON() ([]byte, error) { return withBody(s, s.Kind, s.Body) }

// UnmarshalJSON implements [json.Unmarshaler]. Unlike [Decode] it accepts invalid
// scenarios and ignores unknown fields.
func (s *Scenario) UnmarshalJSON(data []byte) error {
	type plain Scenario
	if err := json.Unmarshal(data, (*plain)(s)); err != nil {
		return err
	}
	return readBody(data, s.Kind, &s.Body, func(k *Kind) Document { return k.Document() })
}

// Slots returns the sources of a scenario by slot; nil without a body.
func (s *Scenario) Slots() []Slot {
	if s.Body == nil {
		return nil
	}
	return s.Body.Slots()
}

// Clone returns a copy with its own sources.
func (s Scenario) Clone() Scenario {
	if s.Body != nil {
		s.Body = s.Body.Clone()
	}
	return s
}

// Reseed returns a copy in which all seeds, including the seeds of recipes, are increased by by.
func (s Scenario) Reseed(by uint64) Scenario {
	s = s.Clone()
	if d, ok := s.Body.(Seeded); ok {
		*d.FirstSeed() += by
	}
	for _, slot := range s.Slots() {
		if slot.Source.Recipe != nil {
			recipe := *slot.Source.Recipe
			recipe.Seed += by
			slot.Source.Recipe = &recipe
		}
	}
	return s
}

// Varied is implemented by documents that have a sweep of their own, over fields or only over
// seeds.
type Varied interface{ Varies() Variation }

// Variation describes the sweep of a document.
type Variation struct {
	Base    Document // the document without the sweep
	Seeds   int      // 0 means one
	Swept   []Swept  // fields, in all combinations; the last one changes fastest
	Figures []string // metrics to show first; nil means the kind's headline metrics
}

// Swept is a field that takes several values.
type Swept struct {
	Name, Path string // Path is a JSON Pointer from the scenario
	Values     []float64
}
