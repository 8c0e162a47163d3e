package parameter

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
)

// JSONPath is the path of the parameter in the document.
func (p *Parameter) JSONPath() string { return cmp.Or(p.Path, p.Name) }

// Get returns the value that a document, a pointer to a struct, has at the path
// of the parameter by its JSON tags; false if it has none. A zero that the
// document leaves out when it is written is none.
func (p *Parameter) Get(document any) (x float64, given bool) {
	return get(reflect.ValueOf(document), p.JSONPath())
}

// Value returns the value of a document, the default if it has none.
func (p *Parameter) Value(document any) float64 {
	if x, given := p.Get(document); given {
		return x
	}
	return p.Default
}

func get(v reflect.Value, path string) (float64, bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return get(v.Elem(), path)
		}
	case reflect.Struct:
		key, rest, _ := strings.Cut(path, ".")
		field, omitted := fieldOf(v, key)
		if field.IsValid() && !(omitted && field.IsZero()) {
			return get(field, rest)
		}
	case reflect.Map:
		key, rest, _ := strings.Cut(path, ".")
		if value := v.MapIndex(reflect.ValueOf(key)); value.IsValid() {
			return get(value, rest)
		}
	case reflect.Float64:
		return v.Float(), true
	case reflect.Int, reflect.Int64:
		return float64(v.Int()), true
	}
	return 0, false
}

// fieldOf returns the field that is called so in JSON, and whether its zero is
// left out there.
func fieldOf(v reflect.Value, name string) (field reflect.Value, omitted bool) {
	for i := range v.NumField() {
		tag, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if tag == name {
			return v.Field(i), options == "omitempty"
		}
	}
	return reflect.Value{}, false
}

// Set puts a value into a document, or takes it away; see [Parameter.Get]. What
// a pointer or a map of the document leads to is not written to, but replaced,
// and nil if nothing is left in it. The error is of a path that the document does
// not have.
func (p *Parameter) Set(document any, x *float64) error {
	if !set(reflect.ValueOf(document).Elem(), p.JSONPath(), x) {
		return fmt.Errorf("the document has no number %s", p.JSONPath())
	}
	return nil
}

func set(v reflect.Value, path string, x *float64) bool {
	key, rest, _ := strings.Cut(path, ".")
	switch v.Kind() {
	case reflect.Pointer:
		return setPointer(v, path, x)
	case reflect.Struct:
		field, _ := fieldOf(v, key)
		return field.IsValid() && set(field, rest, x)
	case reflect.Map:
		return path != "" && setKey(v, key, rest, x)
	case reflect.Float64:
		v.SetZero()
		if x != nil {
			v.SetFloat(*x)
		}
	case reflect.Int, reflect.Int64:
		v.SetZero()
		if x != nil {
			v.SetInt(int64(*x))
		}
	default:
		return false
	}
	return path == ""
}

func setPointer(v reflect.Value, path string, x *float64) bool {
	to := reflect.New(v.Type().Elem())
	if !v.IsNil() {
		to.Elem().Set(v.Elem())
	}
	if !set(to.Elem(), path, x) {
		return false
	}
	v.Set(to)
	if x == nil && to.Elem().IsZero() {
		v.SetZero()
	}
	return true
}

func setKey(v reflect.Value, key, rest string, x *float64) bool {
	value := reflect.New(v.Type().Elem()).Elem()
	copied := reflect.MakeMap(v.Type())
	for at, old := range v.Seq2() {
		copied.SetMapIndex(at, old)
		if at.String() == key {
			value.Set(old)
		}
	}
	if !set(value, rest, x) {
		return false
	}
	if x == nil && value.IsZero() {
		value = reflect.Value{} // takes the key away
	}
	copied.SetMapIndex(reflect.ValueOf(key), value)
	v.Set(copied)
	if copied.Len() == 0 {
		v.SetZero()
	}
	return true
}
