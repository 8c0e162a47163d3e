package scenario

import (
	"berth/engine/diag"
	"berth/engine/parameter"
	"berth/engine/show"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// AssignAt decodes a tree at a path of the document into a Go value, which must be zero. Unlike
// encoding/json it reports all errors, and unknown fields with their paths.
func AssignAt(path string, root, to any, found *Problems) {
	found.assign((*where)(nil).field(path), root, reflect.ValueOf(to).Elem())
}

// AssignList decodes a list of objects, or an object whose only field is the list, and returns the
// path of the list. before, if not nil, may change each object.
func AssignList(name string, root, to any, found *Problems, before func(path string, row map[string]any)) (path string) {
	if _, bare := root.([]any); !bare {
		object, is := root.(map[string]any)
		if !is {
			found.Add("", diag.Unexpected, Describe(root), "an object")
			return name
		}
		path = name
		found.refuseOthers(nil, object, []parameter.Field{{Key: name}})
		if root, is = object[name]; !is {
			return path
		}
	}
	rows, _ := root.([]any)
	for i, row := range rows {
		if object, is := row.(map[string]any); is && before != nil {
			before(fmt.Sprintf("%s[%d]", path, i), object)
		}
	}
	AssignAt(path, root, to, found)
	return path
}

// OfTree is a type that decodes itself from a tree.
type OfTree interface {
	AssignTree(path string, from any, found *Problems)
}

func (p *Problems) assign(at *where, from any, to reflect.Value) {
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		p.assign(at, from, to.Elem())
	case reflect.Struct:
		p.assignStruct(at, from, to)
	case reflect.Slice:
		p.assignSlice(at, from, to)
	case reflect.Map:
		p.assignMap(at, from, to)
	case reflect.Interface: // only the empty interface: any value is valid
		if from != nil {
			to.Set(reflect.ValueOf(from))
		}
	default:
		p.assignScalar(at, from, to)
	}
}

func (p *Problems) assignStruct(at *where, from any, to reflect.Value) {
	if own, ok := to.Addr().Interface().(OfTree); ok {
		own.AssignTree(at.String(), from, p)
		return
	}
	fields, ok := from.(map[string]any)
	if !ok {
		p.Add(at.String(), diag.Unexpected, Describe(from), "an object")
		return
	}
	if p.assignFields(at, fields, to) < len(fields) {
		p.refuseOthers(at, fields, parameter.FieldsOf(to.Type()))
	}
}

// assignFields decodes the fields of an object into a struct, and returns the number of known
// fields.
func (p *Problems) assignFields(at *where, fields map[string]any, to reflect.Value) (known int) {
	for _, f := range parameter.FieldsOf(to.Type()) {
		if value, ok := fields[f.Key]; ok {
			known++
			p.assign(at.field(f.Key), value, to.FieldByIndex(f.Index))
		}
	}
	return known
}

// refuseOthers adds an error for each unknown field.
func (p *Problems) refuseOthers(at *where, fields map[string]any, known []parameter.Field) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if parameter.FieldNamed(known, name) == nil {
			p.Add(at.field(name).String(), diag.UnknownField, show.Joined(known, ", ", func(f parameter.Field) string { return f.Key }))
		}
	}
}

func (p *Problems) assignSlice(at *where, from any, to reflect.Value) {
	items, ok := from.([]any)
	if !ok {
		p.Add(at.String(), diag.Unexpected, Describe(from), "an array")
		return
	}
	to.Set(reflect.MakeSlice(to.Type(), len(items), len(items)))
	for i, item := range items {
		p.assign(at.item(i), item, to.Index(i))
	}
}

func (p *Problems) assignMap(at *where, from any, to reflect.Value) {
	fields, ok := from.(map[string]any)
	if !ok {
		p.Add(at.String(), diag.Unexpected, Describe(from), "an object")
		return
	}
	to.Set(reflect.MakeMap(to.Type()))
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := reflect.New(to.Type().Elem()).Elem()
		p.assign(at.field(name), fields[name], value)
		to.SetMapIndex(reflect.ValueOf(name), value)
	}
}

// scalars describe the types of fields with one value.
var scalars = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "true or false", reflect.Float64: "a number",
	reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Uint64: "a whole number from 0 to 2^64-1",
}

func (p *Problems) assignScalar(at *where, from any, to reflect.Value) {
	expected, fits := scalars[to.Kind()], false
	switch v := from.(type) {
	case string:
		if fits = to.Kind() == reflect.String; fits {
			to.SetString(v)
		}
	case bool:
		if fits = to.Kind() == reflect.Bool; fits {
			to.SetBool(v)
		}
	case json.Number:
		fits = json.Unmarshal([]byte(v), to.Addr().Interface()) == nil
		if to.CanFloat() {
			expected = "a number up to 1.8e308"
		}
	}
	if !fits {
		p.Add(at.String(), diag.Unexpected, Describe(from), expected)
	}
}

// Describe describes a value of a tree in a few words.
func Describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return "the number " + Shorten(v.String())
	case string:
		return fmt.Sprintf("the string %q", Shorten(v))
	case []any:
		return "an array"
	}
	return "an object"
}
