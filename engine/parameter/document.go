package parameter

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// JSONPath returns the path of the parameter in the document.
func (p *Parameter) JSONPath() string { return cmp.Or(p.Path, p.Name) }

// Get returns the value at the path of the parameter in a document, which is a pointer to a struct.
// It finds fields by their keys in JSON; see [Field]. given is false if the document has no value
// there, or a zero that JSON would omit. An integer time is in nanoseconds; Get converts it to
// seconds. A name that is not among the choices gives -1.
func (p *Parameter) Get(document any) (x float64, given bool) {
	v := find(reflect.ValueOf(document), p.JSONPath())
	switch {
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt() && p.Time():
		return float64(v.Int()) / 1e9, true
	case v.CanInt():
		return float64(v.Int()), true
	case v.Kind() == reflect.Bool && v.Bool():
		return 1, true
	case v.Kind() == reflect.String && p.Choices != nil:
		return float64(p.choice(v.String())), true
	}
	return 0, v.Kind() == reflect.Bool
}

// Value returns the value in a document, or the default if it has none.
func (p *Parameter) Value(document any) float64 {
	if x, given := p.Get(document); given {
		return x
	}
	return p.Default
}

// Named returns the name of the choice in a document, or the default if it has none.
func (p *Parameter) Named(document any) string {
	v := find(reflect.ValueOf(document), p.JSONPath())
	if p.Required || v.IsValid() && v.String() != "" {
		return v.String()
	}
	return p.Choices[int(p.Default)].Name
}

func (p *Parameter) choice(name string) int {
	return slices.IndexFunc(p.Choices, func(c Choice) bool { return c.Name == name })
}

// find returns the value at a path, the zero Value if there is none.
func find(v reflect.Value, path string) reflect.Value {
	key, rest, _ := strings.Cut(path, ".")
	switch v.Kind() {
	case reflect.Pointer:
		return find(v.Elem(), path) // of a nil pointer, Elem is the zero Value
	case reflect.Struct:
		if f := FieldNamed(FieldsOf(v.Type()), key); f != nil {
			if field := v.FieldByIndex(f.Index); f.Omits != "omitempty" || !field.IsZero() {
				return find(field, rest)
			}
		}
	case reflect.Map:
		return find(v.MapIndex(reflect.ValueOf(key)), rest)
	case reflect.Float64, reflect.Int, reflect.Int64, reflect.Bool, reflect.String:
		return v
	}
	return reflect.Value{}
}

// Set sets the value in a document, or removes it if x is nil; see [Parameter.Get]. It replaces
// pointers and maps, because other documents may share their targets, and sets them to nil if
// nothing is left in them. A path that the document does not have is an error.
func (p *Parameter) Set(document any, x *float64) error {
	if !p.set(reflect.ValueOf(document).Elem(), p.JSONPath(), x) {
		return fmt.Errorf("the document has no number %s", p.JSONPath())
	}
	return nil
}

func (p *Parameter) set(v reflect.Value, path string, x *float64) bool {
	key, rest, _ := strings.Cut(path, ".")
	switch v.Kind() {
	case reflect.Pointer:
		return p.setPointer(v, path, x)
	case reflect.Struct:
		f := FieldNamed(FieldsOf(v.Type()), key)
		return f != nil && p.set(v.FieldByIndex(f.Index), rest, x)
	case reflect.Map:
		return path != "" && p.setKey(v, key, rest, x)
	}
	return path == "" && p.put(v, x)
}

// put sets one field, to its zero value if x is nil.
func (p *Parameter) put(v reflect.Value, x *float64) bool {
	switch {
	case x == nil:
		v.SetZero()
	case v.CanFloat():
		v.SetFloat(*x)
	case v.CanInt() && p.Time():
		v.SetInt(Nanoseconds(*x))
	case v.CanInt():
		v.SetInt(int64(*x))
	case v.Kind() == reflect.Bool:
		v.SetBool(*x != 0)
	case v.Kind() == reflect.String && *x >= 0 && int(*x) < len(p.Choices):
		v.SetString(p.Choices[int(*x)].Name)
	default:
		return false
	}
	return true
}

// mostSeconds exceeds every time that a document may have, and does not overflow as nanoseconds.
const mostSeconds = 1e9

// Nanoseconds converts seconds. Values out of range stay out of range, and NaN becomes negative.
func Nanoseconds(seconds float64) int64 {
	if !(seconds >= -mostSeconds) {
		seconds = -mostSeconds
	}
	return int64(math.Round(min(seconds, mostSeconds) * 1e9))
}

func (p *Parameter) setPointer(v reflect.Value, path string, x *float64) bool {
	to := reflect.New(v.Type().Elem())
	if !v.IsNil() {
		to.Elem().Set(v.Elem())
	}
	if !p.set(to.Elem(), path, x) {
		return false
	}
	v.Set(to)
	if x == nil && to.Elem().IsZero() {
		v.SetZero()
	}
	return true
}

func (p *Parameter) setKey(v reflect.Value, key, rest string, x *float64) bool {
	value := reflect.New(v.Type().Elem()).Elem()
	copied := reflect.MakeMap(v.Type())
	for at, old := range v.Seq2() {
		copied.SetMapIndex(at, old)
		if at.String() == key {
			value.Set(old)
		}
	}
	if !p.set(value, rest, x) {
		return false
	}
	if x == nil && value.IsZero() {
		value = reflect.Value{} // removes the key
	}
	copied.SetMapIndex(reflect.ValueOf(key), value)
	v.Set(copied)
	if copied.Len() == 0 {
		v.SetZero()
	}
	return true
}
