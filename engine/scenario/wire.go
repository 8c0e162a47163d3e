package scenario

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	"berth/engine/diag"
)

// JSON has the body of a scenario or report in a field with the name of its kind.

// withBody writes a scenario or a report as JSON. It omits a nil body and a body of an unknown
// kind.
func withBody(v any, kind string, body any) ([]byte, error) {
	all := reflect.ValueOf(v)
	object := []byte{'{'}
	for i := range all.NumField() {
		f := all.Type().Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		value := all.Field(i).Interface
		switch {
		case f.Name == "Body":
			if _, known := Lookup(kind); !known || body == nil {
				continue
			}
			name, value = kind, func() any { return body }
		case !f.IsExported() || all.Field(i).IsZero() && options == "omitempty":
			continue
		}
		data, err := compact(value())
		if err != nil {
			return nil, err
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(object, `"`+name+`":`...), bytes.TrimSpace(data)...)
	}
	return append(object, '}'), nil
}

// readBody reads the body of a kind from JSON into an empty body. The body is nil if the
// field is missing or null, or the kind is unknown.
func readBody[B any](data []byte, name string, body *B, empty func(*Kind) B) error {
	*body = *new(B)
	var fields map[string]json.RawMessage
	err := json.Unmarshal(data, &fields)
	text := fields[name]
	kind, known := Lookup(name)
	if text == nil || bytes.Equal(text, []byte("null")) || !known {
		return err
	}
	*body = empty(kind)
	return json.Unmarshal(text, *body)
}

// field is a field of a struct in JSON, possibly of an embedded struct. Its tag names it, or
// [diag.FieldName] if there is no tag. It is optional if its tag has omitempty or omitzero, or if
// it has optional:"true" because documents of earlier versions lack it.
type field struct {
	reflect.StructField
	name     string
	omits    string // the option of the tag
	optional bool
}

func (f *field) omitted(v reflect.Value) bool {
	switch {
	case f.omits == "omitempty" && slices.Contains([]reflect.Kind{reflect.Slice, reflect.Map, reflect.Array, reflect.String}, v.Kind()):
		return v.Len() == 0
	case f.omits == "omitempty" && v.Kind() == reflect.Struct:
		return false
	}
	return f.omits != "" && v.IsZero()
}

var fieldCache sync.Map // by type

// fieldsOf returns the fields of a struct in their order.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]field)
	}
	var all []field
	visible := appendFields(nil, t, nil)
	for _, f := range visible { // an outer field hides the fields of embedded structs
		if !slices.ContainsFunc(visible, func(o field) bool { return o.name == f.name && len(o.Index) < len(f.Index) }) {
			all = append(all, f)
		}
	}
	fieldCache.Store(t, all)
	return all
}

func appendFields(all []field, t reflect.Type, above []int) []field {
	for i := range t.NumField() {
		f := t.Field(i)
		f.Index = append(slices.Clip(above), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch {
		case name == "-":
		case f.Anonymous && name == "" && of.Kind() == reflect.Struct:
			all = appendFields(all, of, f.Index)
		case f.IsExported():
			all = append(all, field{f, cmp.Or(name, diag.FieldName(f.Name)), options, strings.Contains(options, "omit") || f.Tag.Get("optional") == "true"})
		}
	}
	return all
}

// fieldNamed returns the field with this name, nil for none.
func fieldNamed(all []field, name string) *field {
	for i := range all {
		if all[i].name == name {
			return &all[i]
		}
	}
	return nil
}
