package scenario

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"berth/engine/parameter"
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

// omitted reports whether JSON omits a field with a value.
func omitted(f *parameter.Field, v reflect.Value) bool {
	switch {
	case f.Omits == "omitempty" && slices.Contains([]reflect.Kind{reflect.Slice, reflect.Map, reflect.Array, reflect.String}, v.Kind()):
		return v.Len() == 0
	case f.Omits == "omitempty" && v.Kind() == reflect.Struct:
		return false
	}
	return f.Omits != "" && v.IsZero()
}
