package scenario

import (
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/figure"
)

// shape holds JSON text, which is valid, against the type that it is to become: every
// field of the type has to be there once, and everything has to be of the right kind.
// encoding/json makes zero values of what is missing and takes the last of what is
// given twice. Fields that the type does not know are passed over.
type shape struct {
	jsonReader
	found *Problems
	types map[reflect.Type]map[string]shapeField
}

// shapeField is a field of a struct by its name in JSON. It is optional if it is left
// out where it is empty, or if it has the tag optional:"true": documents of earlier
// versions are without it.
type shapeField struct {
	of       reflect.Type
	optional bool
}

// hasShape adds what is wrong with a document that is to become a value of a type.
func (p *Problems) hasShape(data []byte, of reflect.Type, more map[string]reflect.Type) {
	s := shape{newReader(data), p, map[reflect.Type]map[string]shapeField{}}
	if more == nil || data[s.next()] != '{' {
		_ = s.value(nil, of) // the text is valid
		return
	}
	fields := s.fields(of) // of a type that reads itself, with what else it reads
	for name, t := range more {
		fields[name] = shapeField{of: t}
	}
	_ = s.object(nil, fields, nil)
}

// fields are those of a struct, with those of the structs in it that have no name.
func (s *shape) fields(t reflect.Type) map[string]shapeField {
	if known, ok := s.types[t]; ok {
		return known
	}
	all := map[string]shapeField{}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			for name, field := range s.fields(f.Type) {
				all[name] = field
			}
		case f.IsExported() && name != "" && name != "-":
			all[name] = shapeField{f.Type, strings.Contains(options, "omit") || f.Tag.Get("optional") == "true"}
		}
	}
	s.types[t] = all
	return all
}

var (
	ownJSON = reflect.TypeFor[json.Unmarshaler]()
	ownText = reflect.TypeFor[encoding.TextUnmarshaler]()

	ofNumber    = reflect.TypeFor[figure.Number]()
	ofQuantiles = reflect.TypeFor[figure.Quantiles]()
	ofProblem   = reflect.TypeFor[diag.Diagnostic]()
)

// value looks at the next value.
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
	list := t.Kind() == reflect.Array || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8
	switch {
	case list && c == '[':
		return s.list(at, t.Elem())
	case t.Kind() == reflect.Struct && c == '{':
		return s.object(at, s.fields(t), nil)
	case t.Kind() == reflect.Map && c == '{':
		return s.object(at, nil, t.Elem())
	case c == 'n' && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map):
		return s.pass()
	}
	if want, ok := kindOf(t, c); !ok {
		s.found.Add(at.String(), diag.Unexpected, beginning(c), want)
	}
	return s.pass()
}

// kindOf says what of a type begins in JSON, and whether a byte begins it.
func kindOf(t reflect.Type, c byte) (want string, ok bool) {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object", false
	case reflect.Array:
		return "an array", false
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return "an array", false
		}
		return "a string", c == '"'
	case reflect.String:
		return "a string", c == '"'
	case reflect.Bool:
		return "true or false", c == 't' || c == 'f'
	}
	return "a number", c == '-' || '0' <= c && c <= '9'
}

// beginning says what begins with a byte in JSON.
func beginning(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// list looks at the items of an array.
func (s *shape) list(at *where, of reflect.Type) error {
	open, err := s.Token()
	if err != nil {
		return err
	}
	return s.each(open, func(_ string, i int) error { return s.value(at.item(i), of) })
}

// object looks at the fields of a struct or, if fields is nil, of a map.
func (s *shape) object(at *where, fields map[string]shapeField, of reflect.Type) error {
	seen := map[string]bool{}
	open, err := s.Token()
	if err != nil {
		return err
	}
	err = s.each(open, func(name string, _ int) error {
		below := at.field(name)
		if seen[name] {
			s.found.Add(below.String(), diag.Twice)
		}
		seen[name] = true
		switch field, known := fields[name]; {
		case of != nil:
			return s.value(below, of)
		case known:
			return s.value(below, field.of)
		}
		return s.pass()
	})
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !fields[name].optional && !seen[name] {
			s.found.Add(at.field(name).String(), diag.Missing)
		}
	}
	return err
}
