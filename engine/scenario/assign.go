package scenario

import (
	"berth/engine/diag"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Assign puts what was read into a Go value, which must be zero. encoding/json
// would do it too, but names neither the path of an unknown field nor more than
// one problem.
func Assign(root, to any, found *Problems) {
	found.assign(nil, root, reflect.ValueOf(to).Elem())
}

// AssignAt is [Assign] of a value that stands at a path of the document.
func AssignAt(path string, root, to any, found *Problems) {
	found.assign((*where)(nil).field(path), root, reflect.ValueOf(to).Elem())
}

// OfTree is a type with a form of its own in documents.
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
	case reflect.Interface: // of any
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
		p.refuseOthers(at, fields, fieldNames(to.Type()))
	}
}

// assignFields puts the fields of an object into those of a struct and of what is
// embedded in it, and says how many there are in both.
func (p *Problems) assignFields(at *where, fields map[string]any, to reflect.Value) (known int) {
	for i := range to.NumField() {
		f := to.Type().Field(i)
		name := fieldName(f)
		if f.Anonymous {
			known += p.assignFields(at, fields, to.Field(i))
		} else if value, ok := fields[name]; ok && name != "-" {
			known++
			p.assign(at.field(name), value, to.Field(i))
		}
	}
	return known
}

// fieldNames are the names in JSON of the fields of a struct.
func fieldNames(of reflect.Type) (names []string) {
	for field := range of.Fields() {
		if name := fieldName(field); field.Anonymous {
			names = append(names, fieldNames(field.Type)...)
		} else if name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// refuseOthers adds a problem for each field that is not known.
func (p *Problems) refuseOthers(at *where, fields map[string]any, known []string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(known, name) {
			p.Add(at.field(name).String(), diag.UnknownField, strings.Join(known, ", "))
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

func (p *Problems) assignScalar(at *where, from any, to reflect.Value) {
	number, isNumber := from.(json.Number)
	var expected string
	switch to.Kind() {
	case reflect.String:
		if s, ok := from.(string); ok {
			to.SetString(s)
			return
		}
		expected = "a string"
	case reflect.Bool:
		if b, ok := from.(bool); ok {
			to.SetBool(b)
			return
		}
		expected = "true or false"
	case reflect.Float64:
		if f, err := strconv.ParseFloat(string(number), 64); isNumber && err == nil {
			to.SetFloat(f)
			return
		}
		expected = "a number"
		if isNumber {
			expected = "a number up to 1.8e308"
		}
	case reflect.Int, reflect.Int64:
		if n, err := strconv.ParseInt(string(number), 10, 64); isNumber && err == nil {
			to.SetInt(n)
			return
		}
		expected = "a whole number"
	case reflect.Uint64:
		if n, err := strconv.ParseUint(string(number), 10, 64); isNumber && err == nil {
			to.SetUint(n)
			return
		}
		expected = "a whole number from 0 to 2^64-1"
	}
	p.Add(at.String(), diag.Unexpected, Describe(from), expected)
}

// Describe says what a value of the tree is, in a few words.
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
