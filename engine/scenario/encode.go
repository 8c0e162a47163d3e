package scenario

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"berth/engine/parameter"
	"berth/engine/show"
)

// Encode returns the canonical bytes of a scenario: indented JSON, with fields in the order of the
// Go types, and a newline at the end. Equal scenarios have equal bytes. It returns nil if a number
// is not finite, which [Scenario.Validate] rejects.
func Encode(s Scenario) []byte {
	data, _ := JSON(s)
	return data
}

// EncodeReport returns the bytes of a report, in the same form. All programs write these
// bytes.
func EncodeReport(r *Report) []byte {
	data, _ := JSON(r)
	return data
}

// JSON returns a value as indented JSON with a newline at the end. [diag.FieldName] gives the names
// of fields.
func JSON(v any) ([]byte, error) {
	data, err := compact(v)
	if err != nil {
		return nil, err
	}
	return indent(data), nil
}

// compact writes JSON on one line.
func compact(v any) ([]byte, error) {
	data, err := appendJSON(nil, reflect.ValueOf(v))
	return show.JSON(append(data, '\n')), err
}

// indent formats valid JSON.
func indent(data []byte) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, data, "", "  ")
	return b.Bytes()
}

// appendJSON appends the JSON of a value. Only structs differ from encoding/json: [diag.FieldName]
// names a field without a tag.
func appendJSON(to []byte, v reflect.Value) ([]byte, error) {
	if !v.IsValid() {
		return append(to, "null"...), nil
	}
	switch formOf(v.Type()) {
	case scalar:
		return appendScalar(to, v)
	case other:
		return appendOther(to, v)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return appendJSON(to, v.Elem())
	case reflect.Struct:
		return appendStruct(to, v)
	case reflect.Array:
		return appendEach(to, v)
	}
	switch {
	case v.IsNil():
		return append(to, "null"...), nil
	case v.Kind() == reflect.Slice:
		return appendEach(to, v)
	}
	return appendMap(to, v)
}

func appendStruct(to []byte, v reflect.Value) (_ []byte, err error) {
	separator := byte('{')
	for _, f := range parameter.FieldsOf(v.Type()) {
		value, missing := v.FieldByIndexErr(f.Index) // missing for an embedded pointer that is nil
		if missing != nil || omitted(&f, value) {
			continue
		}
		to = append(append(append(to, separator, '"'), f.Key...), '"', ':')
		if to, err = appendJSON(to, value); err != nil {
			return nil, err
		}
		separator = ','
	}
	if separator == '{' {
		to = append(to, '{')
	}
	return append(to, '}'), nil
}

func appendEach(to []byte, v reflect.Value) (_ []byte, err error) {
	to = append(to, '[')
	for i := range v.Len() {
		if i > 0 {
			to = append(to, ',')
		}
		if to, err = appendJSON(to, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return append(to, ']'), nil
}

func appendMap(to []byte, v reflect.Value) (_ []byte, err error) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	to = append(to, '{')
	for i, key := range keys {
		if i > 0 {
			to = append(to, ',')
		}
		if to, err = appendScalar(to, key); err != nil {
			return nil, err
		}
		if to, err = appendJSON(append(to, ':'), v.MapIndex(key)); err != nil {
			return nil, err
		}
	}
	return append(to, '}'), nil
}

// appendScalar appends most scalars without encoding/json, which is slow for single values.
func appendScalar(to []byte, v reflect.Value) ([]byte, error) {
	switch {
	case v.Kind() == reflect.Bool:
		return strconv.AppendBool(to, v.Bool()), nil
	case v.CanInt():
		return strconv.AppendInt(to, v.Int(), 10), nil
	case v.CanUint():
		return strconv.AppendUint(to, v.Uint(), 10), nil
	case v.Kind() == reflect.Float64:
		if x := v.Float(); x == 0 || math.Abs(x) >= 1e-6 && math.Abs(x) < 1e21 { // others have an exponent
			return strconv.AppendFloat(to, x, 'f', -1, 64), nil
		}
	case v.Kind() == reflect.String && !strings.ContainsFunc(v.String(), func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }):
		return append(append(append(to, '"'), v.String()...), '"'), nil
	}
	return appendOther(to, v)
}

// appendOther appends the JSON of a value that contains no structs of this project.
func appendOther(to []byte, v reflect.Value) ([]byte, error) {
	of := v.Interface()
	if v.CanAddr() {
		of = v.Addr().Interface()
	}
	b := bytes.NewBuffer(to)
	if own, ok := of.(json.Marshaler); ok && v.Kind() != reflect.Pointer {
		data, err := own.MarshalJSON()
		if err == nil {
			err = json.Compact(b, data)
		}
		return b.Bytes(), err
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false) // escaped text would be longer and harder to read
	err := e.Encode(of)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// form is the way in which values of a type are written.
type form int

const (
	withFields form = iota // they may contain structs without their own MarshalJSON
	scalar                 // a number, a string or a truth value
	other                  // as encoding/json does
)

var (
	toJSON = reflect.TypeFor[json.Marshaler]()
	toText = reflect.TypeFor[encoding.TextMarshaler]()

	formCache sync.Map // by type
)

func formOf(t reflect.Type) form {
	if known, ok := formCache.Load(t); ok {
		return known.(form)
	}
	is := other
	switch t.Kind() {
	case reflect.Struct, reflect.Interface:
		is = withFields
	case reflect.Map:
		if t.Key().Kind() == reflect.String && formOf(t.Elem()) == withFields {
			is = withFields
		}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		if formOf(t.Elem()) == withFields {
			is = withFields
		}
	default:
		is = scalar
	}
	if p := reflect.PointerTo(t); t == reflect.TypeFor[json.Number]() || p.Implements(toJSON) || p.Implements(toText) {
		is = other
	}
	formCache.Store(t, is)
	return is
}

// Hash identifies the inputs: 16 hexadecimal digits over the canonical bytes of the
// scenario without its name. Texts are replaced by their SHA-256, because encoding
// megabytes of text as JSON takes longer than placing them.
func (s Scenario) Hash() string {
	s = s.Clone()
	s.Name = ""
	for _, slot := range s.Slots() {
		slot.digest()
	}
	return hashOf(Encode(s))
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
