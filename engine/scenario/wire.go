package scenario

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// JSON has the body of a scenario or report in a field with the name of its kind.

// withBody writes a scenario or a report as JSON. It leaves out a nil body and a body of
// an unknown kind.
func withBody(v any, kind string, body any) ([]byte, error) {
	all := reflect.ValueOf(v)
	object := []byte{'{'}
	for i := range all.NumField() {
		f := all.Type().Field(i)
		name, value := fieldName(f), all.Field(i).Interface
		switch {
		case f.Name == "Body":
			if _, known := Lookup(kind); !known || body == nil {
				continue
			}
			name, value = kind, func() any { return body }
		case !f.IsExported() || all.Field(i).IsZero() && strings.HasSuffix(f.Tag.Get("json"), ",omitempty"):
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

// fieldName returns the name of a field in JSON.
func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
