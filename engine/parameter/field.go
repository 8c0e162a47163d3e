package parameter

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"

	"berth/engine/diag"
)

// Field is a field of a struct in JSON, possibly of an embedded struct. Its tag names it, or
// [diag.FieldName] if there is no tag. It is optional if its tag has omitempty or omitzero, or if
// it has optional:"true" because documents of earlier versions lack it.
type Field struct {
	reflect.StructField
	Key      string
	Omits    string // the option of the tag
	Optional bool
}

var fieldCache sync.Map // by type

// FieldsOf returns the fields of a struct in their order.
func FieldsOf(t reflect.Type) []Field {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]Field)
	}
	var all []Field
	visible := appendFields(nil, t, nil)
	for _, f := range visible { // an outer field hides the fields of embedded structs
		if !slices.ContainsFunc(visible, func(o Field) bool { return o.Key == f.Key && len(o.Index) < len(f.Index) }) {
			all = append(all, f)
		}
	}
	fieldCache.Store(t, all)
	return all
}

func appendFields(all []Field, t reflect.Type, above []int) []Field {
	for i := range t.NumField() {
		f := t.Field(i)
		f.Index = append(slices.Clip(above), i)
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch {
		case key == "-":
		case f.Anonymous && key == "" && of.Kind() == reflect.Struct:
			all = appendFields(all, of, f.Index)
		case f.IsExported():
			all = append(all, Field{f, cmp.Or(key, diag.FieldName(f.Name)), options, strings.Contains(options, "omit") || f.Tag.Get("optional") == "true"})
		}
	}
	return all
}

// FieldNamed returns the field with a key, nil for none.
func FieldNamed(all []Field, key string) *Field {
	for i := range all {
		if all[i].Key == key {
			return &all[i]
		}
	}
	return nil
}
