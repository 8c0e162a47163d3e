package chart

import (
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// Columns is a long list of figures. Its script gets one array per field instead of one object per
// element, because one call per figure would take seconds.
type Columns[D any] []D

func (Columns[D]) columns() {}

// Names are the names of series, each in the style of its name and place; Parts are the names of
// the parts of a whole.
type (
	Names []string
	Parts []string
)

// spec converts figures for their script. A struct becomes an object whose properties are named
// after its fields ("xLabel"), without fields that are nil or NaN. Elements of a list with the same
// name share a style. place is the index of that name, which selects the style if Style is "".
func spec(v reflect.Value, place int) any {
	switch x := v.Interface().(type) {
	case Names:
		return styled(x, StyleOf)
	case Parts:
		return styled(x, func(_ string, i int) Style { return PartAt(i) })
	case interface{ columns() }:
		return array(v.Type().Elem(), memoryOf(v))
	}
	switch {
	case v.Kind() == reflect.Struct:
		return object(v, place)
	case v.Kind() == reflect.Pointer:
		return v.Elem().Interface()
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		places := map[string]int{}
		all := make([]any, v.Len())
		for i := range all {
			name := nameOf(v.Index(i))
			if _, known := places[name]; !known {
				places[name] = len(places)
			}
			all[i] = object(v.Index(i), places[name])
		}
		return all
	}
	return v.Interface()
}

func styled(names []string, style func(name string, place int) Style) []any {
	all := make([]any, len(names))
	for i, name := range names {
		all[i] = map[string]any{"name": name, "style": string(style(name, i))}
	}
	return all
}

func object(v reflect.Value, place int) map[string]any {
	all := map[string]any{}
	for field, value := range v.Fields() {
		name := property(field.Name)
		switch x := value.Interface().(type) {
		case Style:
			if x == "" {
				x = StyleOf(nameOf(v), place)
			}
			all[name] = string(x)
		case float64:
			if !math.IsNaN(x) {
				all[name] = x
			}
		default:
			if value.Kind() != reflect.Pointer || !value.IsNil() {
				all[name] = spec(value, 0)
			}
		}
	}
	return all
}

// nameOf returns the Name or the Label of an element of a list; "" if it has neither.
func nameOf(v reflect.Value) string {
	for _, field := range []string{"Name", "Label"} {
		if name := v.FieldByName(field); name.IsValid() {
			return name.String()
		}
	}
	return ""
}

func property(field string) string {
	if all := strings.ToUpper(field); all == field {
		return strings.ToLower(field)
	}
	return strings.ToLower(field[:1]) + field[1:]
}

// memory describes n values of a type that are step bytes apart.
type memory struct {
	at           unsafe.Pointer
	offset, step uintptr
	n            int
}

func memoryOf(list reflect.Value) memory {
	return memory{list.UnsafePointer(), 0, list.Type().Elem().Size(), list.Len()}
}

// array returns the values of a column as one list. It reads them from memory, because a loop over
// reflected values takes twenty times as long. A column of structs becomes an object with an array
// for each field. A column of lists becomes one array of all their elements, and the property first
// holds the index at which each list begins.
func array(of reflect.Type, m memory) any {
	switch of.Kind() {
	case reflect.Float64:
		return values[float64](m)
	case reflect.Int:
		return column(values[int](m), func(x int) int32 { return int32(x) })
	case reflect.Int32:
		return values[int32](m)
	case reflect.Bool:
		return values[uint8](m) // 0 or 1
	case reflect.String:
		return values[string](m)
	case reflect.Struct:
		all := map[string]any{}
		for field := range of.Fields() {
			all[property(field.Name)] = array(field.Type, memory{m.at, m.offset + field.Offset, m.step, m.n})
		}
		return all
	}
	first, all := []int32{0}, 0
	for i := range m.n {
		all += len(*(*[]struct{})(m.value(i)))
	}
	parts := reflect.MakeSlice(of, 0, all)
	for i := range m.n {
		parts = reflect.AppendSlice(parts, reflect.NewAt(of, m.value(i)).Elem())
		first = append(first, int32(parts.Len()))
	}
	lists := array(of.Elem(), memoryOf(parts)).(map[string]any)
	lists["first"] = first
	return lists
}

func (m memory) value(i int) unsafe.Pointer { return unsafe.Add(m.at, m.offset+uintptr(i)*m.step) }

func values[D any](m memory) []D {
	all := make([]D, m.n)
	for i := range all {
		all[i] = *(*D)(m.value(i))
	}
	return all
}
