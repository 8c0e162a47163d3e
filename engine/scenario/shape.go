package scenario

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"

	"berth/engine/diag"
	"berth/engine/figure"
	"berth/engine/parameter"
)

// shape compares valid JSON text with a Go type: every field of the type must occur
// exactly once, and every value must have the right type. encoding/json would set missing
// fields to zero and use the last of repeated fields. Unknown fields are ignored.
type shape struct {
	jsonReader
	found *Problems
}

// hasShape adds the errors of JSON text that will be decoded into a type. more lists additional
// top-level fields by name.
func (p *Problems) hasShape(data []byte, of reflect.Type, more map[string]reflect.Type) {
	s := shape{newReader(data), p}
	if more == nil || data[s.next()] != '{' {
		_ = s.value(nil, of) // cannot fail: the text is valid
		return
	}
	fields := slices.Clone(parameter.FieldsOf(of)) // copied because more fields are appended
	for name, t := range more {
		fields = append(fields, parameter.Field{StructField: reflect.StructField{Type: t}, Key: name})
	}
	_ = s.object(nil, fields, nil)
}

var (
	ownJSON = reflect.TypeFor[json.Unmarshaler]()
	ownText = reflect.TypeFor[encoding.TextUnmarshaler]()

	ofNumber    = reflect.TypeFor[figure.Number]()
	ofQuantiles = reflect.TypeFor[figure.Quantiles]()
	ofProblem   = reflect.TypeFor[diag.Diagnostic]()
)

// value visits the next value.
func (s *shape) value(at *where, t reflect.Type) error {
	c := s.data[s.next()]
	if t.Kind() == reflect.Pointer {
		if c == 'n' {
			return s.pass()
		}
		t = t.Elem()
	}
	switch {
	case t == ofNumber && c == 'n':
		return s.pass()
	case t == ofQuantiles:
		t = reflect.TypeFor[map[string]figure.Number]()
	case t == ofProblem:
		t = reflect.TypeFor[diag.Wire]()
	}
	if p := reflect.PointerTo(t); t != ofNumber && p.Implements(ownJSON) || p.Implements(ownText) || t.Kind() == reflect.Interface {
		return s.pass()
	}
	want, got := kindOf(t), cmp.Or(beginnings[c], "a number")
	switch {
	case want == got && want == "an array":
		return s.list(at, t.Elem())
	case want == got && t.Kind() == reflect.Struct:
		return s.object(at, parameter.FieldsOf(t), nil)
	case want == got && t.Kind() == reflect.Map:
		return s.object(at, nil, t.Elem())
	case want != got && (c != 'n' || t.Kind() != reflect.Slice && t.Kind() != reflect.Map):
		s.found.Add(at.String(), diag.Unexpected, got, want)
	}
	return s.pass()
}

// ofKinds describe types as JSON; all types not listed are numbers.
var ofKinds = map[reflect.Kind]string{
	reflect.Struct: "an object", reflect.Map: "an object", reflect.Array: "an array", reflect.Slice: "an array",
	reflect.String: "a string", reflect.Bool: "true or false",
}

// beginnings describe values by their first byte; all values not listed are numbers.
var beginnings = map[byte]string{'{': "an object", '[': "an array", '"': "a string", 't': "true or false", 'f': "true or false", 'n': "null"}

// kindOf describes the JSON of a type.
func kindOf(t reflect.Type) string {
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		return "a string" // encoding/json writes bytes in base64
	}
	return cmp.Or(ofKinds[t.Kind()], "a number")
}

// list visits the items of an array.
func (s *shape) list(at *where, of reflect.Type) error {
	return s.each(func(_ string, i int) error { return s.value(at.item(i), of) })
}

// object visits the fields of a struct or, if fields is nil, of a map.
func (s *shape) object(at *where, fields []parameter.Field, of reflect.Type) error {
	seen := map[string]bool{}
	err := s.each(func(name string, _ int) error {
		below := at.field(name)
		if seen[name] {
			s.found.Add(below.String(), diag.Twice)
		}
		seen[name] = true
		if f := parameter.FieldNamed(fields, name); f != nil {
			return s.value(below, f.Type)
		}
		if of != nil {
			return s.value(below, of)
		}
		return s.pass()
	})
	var missing []string
	for _, f := range fields {
		if !f.Optional && !seen[f.Key] {
			missing = append(missing, f.Key)
		}
	}
	slices.Sort(missing)
	for _, name := range missing {
		s.found.Add(at.field(name).String(), diag.Missing)
	}
	return err
}
