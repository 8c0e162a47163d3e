package scenario

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"sync"
)

// Workers send the bodies of reports and answers to the page in binary form, which the page decodes
// several times as fast as JSON: floating-point numbers take 8 bytes, other numbers and lengths are
// varints, and a struct is the sequence of its fields that JSON would write. Values of other kinds,
// such as maps, are JSON in a string.

// Binary returns a value in binary form.
func Binary(v any) []byte { return appendBinary(nil, reflect.ValueOf(v)) }

// FromBinary sets the value that v points to, which must be zero, to a value in binary form. It
// returns an error if the data are damaged.
func FromBinary(data []byte, v any) error {
	r := binaryReader{rest: string(data)}
	r.read(reflect.ValueOf(v).Elem())
	if r.damaged || r.rest != "" {
		return errors.New("the binary form of a value is damaged")
	}
	return nil
}

var binaryFields sync.Map // by type of struct

// fieldsInBinary returns the indices of the fields of a struct, or nil for a struct that writes its
// own JSON with more than these fields.
func fieldsInBinary(t reflect.Type) (fields []int) {
	if known, ok := binaryFields.Load(t); ok {
		return known.([]int)
	}
	for i := range t.NumField() {
		if f := t.Field(i); (f.IsExported() || f.Anonymous) && f.Tag.Get("json") != "-" {
			fields = append(fields, i)
		}
	}
	if len(fields) < t.NumField() && reflect.PointerTo(t).Implements(toJSON) {
		fields = nil
	}
	binaryFields.Store(t, fields)
	return fields
}

func appendBinary(to []byte, v reflect.Value) []byte {
	switch kind := v.Kind(); {
	case v.CanInt():
		return binary.AppendVarint(to, v.Int())
	case v.CanUint():
		return binary.AppendUvarint(to, v.Uint())
	case kind == reflect.Float64:
		return binary.LittleEndian.AppendUint64(to, math.Float64bits(v.Float()))
	case kind == reflect.String:
		return append(binary.AppendUvarint(to, uint64(v.Len())), v.String()...)
	case kind == reflect.Struct && fieldsInBinary(v.Type()) != nil:
		for _, i := range fieldsInBinary(v.Type()) {
			to = appendBinary(to, v.Field(i))
		}
		return to
	case (kind == reflect.Pointer || kind == reflect.Slice) && v.IsNil():
		return append(to, 0)
	case kind == reflect.Pointer:
		return appendBinary(append(to, 1), v.Elem())
	case kind == reflect.Slice:
		to = binary.AppendUvarint(to, uint64(v.Len()+1))
		for i := range v.Len() {
			to = appendBinary(to, v.Index(i))
		}
		return to
	}
	text, err := appendOther(nil, v)
	if err != nil {
		panic(err) // impossible: reports and answers consist of values that JSON can write
	}
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// binaryReader reads values from the rest of a text. Its strings share the memory of the text.
type binaryReader struct {
	rest    string
	damaged bool
}

func (r *binaryReader) read(v reflect.Value) {
	switch kind := v.Kind(); {
	case v.CanInt():
		x := r.number()
		v.SetInt(int64(x>>1) ^ -int64(x&1)) // see binary.AppendVarint
	case v.CanUint():
		v.SetUint(r.number())
	case kind == reflect.Float64:
		var bits [8]byte
		copy(bits[:], r.take(8))
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(bits[:])))
	case kind == reflect.String:
		v.SetString(r.take(r.number()))
	case kind == reflect.Struct && fieldsInBinary(v.Type()) != nil:
		for _, i := range fieldsInBinary(v.Type()) {
			r.read(v.Field(i))
		}
	case kind == reflect.Pointer:
		if r.number() != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			r.read(v.Elem())
		}
	case kind == reflect.Slice:
		r.readSlice(v)
	default:
		err := json.Unmarshal([]byte(r.take(r.number())), v.Addr().Interface())
		r.damaged = r.damaged || err != nil
	}
}

// readSlice reads the elements, each of at least one byte, behind their number plus one; 0 is nil.
func (r *binaryReader) readSlice(v reflect.Value) {
	n := r.number()
	if r.damaged = r.damaged || n > uint64(len(r.rest))+1; r.damaged || n == 0 {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), int(n-1), int(n-1)))
	for i := range v.Len() {
		r.read(v.Index(i))
	}
}

func (r *binaryReader) number() uint64 {
	x, size := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	r.take(uint64(max(size, 0)))
	r.damaged = r.damaged || size <= 0
	return x
}

// take returns the next n bytes, or none if the text is too short.
func (r *binaryReader) take(n uint64) string {
	if n > uint64(len(r.rest)) {
		r.damaged = true
		return ""
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}
