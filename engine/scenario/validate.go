package scenario

import (
	"berth/engine/diag"
	"berth/engine/show"
	"reflect"
)

// Validate checks a scenario except for the content of its sources. Its error is an
// *[InputError]. Decode validates, too.
func (s Scenario) Validate() error {
	var found Problems
	s.ValidateAt("", &found)
	return found.Err()
}

// ValidateAt adds the errors of a scenario at a path of a document; "" is the document
// itself.
func (s Scenario) ValidateAt(path string, p *Problems) {
	if s.Version != Version {
		p.Add(Field(path, "version"), otherVersion, s.Version, Version)
	}
	p.Length(Field(path, "name"), s.Name, MaxName)
	kind, ok := Lookup(s.Kind)
	switch {
	case s.Kind == "":
		p.Add(Field(path, "kind"), diag.MissingName, kindNames())
	case !ok:
		p.Add(Field(path, "kind"), diag.UnknownOf, "kind", Shorten(s.Kind), kindNames())
	case s.Body == nil || reflect.TypeOf(s.Body) != reflect.TypeOf(kind.Document()):
		p.Add(Field(path, s.Kind), missingBody, s.Kind, kind.Holds)
	default:
		s.Body.Validate(Field(path, s.Kind), p)
		s.validateTexts(path, p)
	}
}

func kindNames() string {
	return show.Joined(kinds, ", ", func(k *Kind) string { return k.Name })
}

// validateTexts limits the total size of the texts.
func (s Scenario) validateTexts(path string, p *Problems) {
	size := 0
	for _, slot := range s.Slots() {
		size += len(slot.Source.Text)
	}
	if size > MaxTexts {
		p.Add(Field(path, s.Kind), textsSize, size, MaxTexts, MaxTexts>>20)
	}
}
