package scenario

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// Scenarios and reports have their body in JSON in a field that is called like
// their kind. Their wire type is a struct of the same fields in the same order
// where each kind has a field in the place of Body, of which one is given.

// wireType returns the wire type of a struct with a Body.
func wireType(of reflect.Type, body func(*Kind) reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(of) {
		switch {
		case f.Name == "Body":
			for i, k := range kinds {
				fields = append(fields, reflect.StructField{
					Name: "Body" + strconv.Itoa(i), Type: body(k), Tag: reflect.StructTag(`json:"` + k.Name + `,omitempty"`),
				})
			}
		case f.IsExported():
			fields = append(fields, f)
		}
	}
	return reflect.StructOf(fields)
}

// wireOf returns a scenario or a report as a value of its wire type. A body that
// is nil or not of the kind is left out.
func wireOf(v any, kind string, body any) any {
	from := reflect.ValueOf(v)
	to := reflect.New(wireType(from.Type(), func(*Kind) reflect.Type { return reflect.TypeFor[any]() })).Elem()
	for i := range to.NumField() {
		if f := to.Type().Field(i); from.FieldByName(f.Name).IsValid() {
			to.Field(i).Set(from.FieldByName(f.Name))
		} else if body != nil && fieldName(f) == kind {
			to.Field(i).Set(reflect.ValueOf(body))
		}
	}
	return to.Interface()
}

// unwire reads JSON into a scenario or a report and returns its body.
func unwire[B any](data []byte, v any, body func(*Kind) B) (B, error) {
	to := reflect.ValueOf(v).Elem()
	from := reflect.New(wireType(to.Type(), func(k *Kind) reflect.Type { return reflect.TypeOf(body(k)) }))
	if err := json.Unmarshal(data, from.Interface()); err != nil {
		var none B
		return none, err
	}
	b, _ := fromWire[B](from.Elem(), to)
	return b, nil
}

// fromWire sets the fields of a scenario or a report but for the body, which it
// returns, with the names of the kinds of which there are other bodies.
func fromWire[B any](from, to reflect.Value) (body B, others []string) {
	kind := from.FieldByName("Kind").String()
	for i := range from.NumField() {
		f := from.Type().Field(i)
		switch field := to.FieldByName(f.Name); {
		case field.IsValid():
			field.Set(from.Field(i))
		case from.Field(i).IsNil():
		case fieldName(f) == kind:
			body = from.Field(i).Interface().(B)
		default:
			others = append(others, fieldName(f))
		}
	}
	return body, others
}

// fieldName is the name of a field of a kind in JSON.
func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func (k *Kind) document() Document { return k.Document() }
func (k *Kind) report() ReportBody { return k.Report() }
