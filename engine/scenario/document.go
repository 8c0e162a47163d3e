package scenario

import (
	"encoding/json"

	"berth/engine/budget"
	"berth/engine/packed"
)

// Version is the version of the documents that this package writes.
const Version = 1

// What a document may hold at most.
const (
	MaxBytes = packed.MaxText  // of a document
	MaxTexts = budget.MaxBytes // of all texts of a scenario that is run
	MaxName  = 200             // characters
)

// Scenario describes its inputs and what runs on them completely: every run of it gives the same results.
type Scenario struct {
	Version int      `json:"version"`
	Kind    string   `json:"kind"`
	Name    string   `json:"name,omitempty"`
	Body    Document `json:"-"` // in the field that is called like the kind; nil if that is missing
}

// New returns a scenario of the current version.
func New(kind, name string, body Document) Scenario {
	return Scenario{Version: Version, Kind: kind, Name: name, Body: body}
}

// MarshalJSON implements [json.Marshaler].
func (s Scenario) MarshalJSON() ([]byte, error) { return withBody(s, s.Kind, s.Body) }

// UnmarshalJSON implements [json.Unmarshaler]. Unlike [Decode] it takes what is not
// valid, and passes over what it does not know.
func (s *Scenario) UnmarshalJSON(data []byte) error {
	type plain Scenario
	if err := json.Unmarshal(data, (*plain)(s)); err != nil {
		return err
	}
	return readBody(data, s.Kind, &s.Body, func(k *Kind) Document { return k.Document() })
}

// Slots returns the sources of a scenario.
func (s *Scenario) Slots() []Slot {
	if s.Body == nil {
		return nil
	}
	return s.Body.Slots()
}

// Clone returns a copy whose sources are its own.
func (s Scenario) Clone() Scenario {
	if s.Body != nil {
		s.Body = s.Body.Clone()
	}
	return s
}

// Reseed returns a copy in which all seeds, of the document and of its recipes, are
// so much larger.
func (s Scenario) Reseed(by uint64) Scenario {
	s = s.Clone()
	if d, ok := s.Body.(Seeded); ok {
		d.Reseed(by)
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

// Varied is a document that varies something itself, be it the seed alone.
type Varied interface{ Varies() Variation }

// Variation is what a document varies.
type Variation struct {
	Base    Document // with none of it
	Seeds   int      // 0 means one
	Swept   []Swept  // fields, in all combinations; those of the last one change fastest
	Figures []string // to show of the combinations first; none: the headline of the kind
}

// Swept is a field that takes several values.
type Swept struct {
	Name, Path string // path: JSON Pointer from the scenario
	Values     []float64
}
