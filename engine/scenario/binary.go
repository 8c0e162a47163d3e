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
// varints, and a struct is the sequence of its fields that JSON would write.

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

// layout describes a struct in binary form.
type layout struct {
	fields []int // indices; none if asJSON
	asJSON bool  // it writes its own JSON, which has more than its fields
}

var layouts sync.Map // by type

func layoutOf(t reflect.Type) layout {
	if known, ok := layouts.Load(t); ok {
		return known.(layout)
	}
	var l layout
	for i := range t.NumField() {
		if f := t.Field(i); (f.IsExported() || f.Anonymous) && f.Tag.Get("json") != "-" {
			l.fields = append(l.fields, i)
		}
	}
	if l.asJSON = reflect.PointerTo(t).Implements(toJSON) && len(l.fields) < t.NumField(); l.asJSON {
		l.fields = nil
	}
	layouts.Store(t, l)
	return l
}

func appendBinary(to []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return binary.AppendUvarint(to, map[bool]uint64{true: 1}[v.Bool()])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(to, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(to, v.Uint())
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(to, math.Float64bits(v.Float()))
	case reflect.String:
		return append(binary.AppendUvarint(to, uint64(v.Len())), v.String()...)
	case reflect.Struct:
		l := layoutOf(v.Type())
		if l.asJSON {
			to = appendText(to, v)
		}
		for _, i := range l.fields {
			to = appendBinary(to, v.Field(i))
		}
		return to
	case reflect.Array:
		return appendElements(to, v)
	case reflect.Interface: // a value of a JSON document
		return appendText(to, v)
	}
	if v.IsNil() {
		return append(to, 0)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return appendBinary(append(to, 1), v.Elem())
	case reflect.Slice:
		return appendElements(binary.AppendUvarint(to, uint64(v.Len()+1)), v)
	}
	to = binary.AppendUvarint(to, uint64(v.Len()+1))
	for key, value := range v.Seq2() { // of a map
		to = appendBinary(appendBinary(to, key), value)
	}
	return to
}

// appendText appends the JSON of a value as a string.
func appendText(to []byte, v reflect.Value) []byte {
	text, err := appendOther(nil, v)
	if err != nil {
		panic(err) // impossible: reports and answers consist of values that JSON can write
	}
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

func appendElements(to []byte, v reflect.Value) []byte {
	for i := range v.Len() {
		to = appendBinary(to, v.Index(i))
	}
	return to
}

// binaryReader reads values from the rest of a text. Its strings share the memory of the text.
type binaryReader struct {
	rest    string
	damaged bool
}

func (p *binaryReader) read(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(p.number() != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x := p.number()
		v.SetInt(int64(x>>1) ^ -int64(x&1)) // see binary.AppendVarint
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(p.number())
	case reflect.Float64:
		var bits [8]byte
		copy(bits[:], p.take(8))
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(bits[:])))
	case reflect.String:
		v.SetString(p.take(p.number()))
	case reflect.Struct:
		l := layoutOf(v.Type())
		if l.asJSON {
			p.readText(v)
		}
		for _, i := range l.fields {
			p.read(v.Field(i))
		}
	case reflect.Array:
		p.readEach(v)
	case reflect.Interface:
		p.readText(v)
	default:
		if n, some := p.length(); some {
			p.readSome(v, n)
		}
	}
}

// readSome reads a pointer, slice or map that is not nil and has n elements.
func (p *binaryReader) readSome(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.read(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		p.readEach(v)
	default:
		v.Set(reflect.MakeMapWithSize(v.Type(), n))
		for range n {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			p.read(key)
			p.read(value)
			v.SetMapIndex(key, value)
		}
	}
}

// readText reads a value from its JSON.
func (p *binaryReader) readText(v reflect.Value) {
	err := json.Unmarshal([]byte(p.take(p.number())), v.Addr().Interface())
	p.damaged = p.damaged || err != nil
}

func (p *binaryReader) readEach(v reflect.Value) {
	for i := range v.Len() {
		p.read(v.Index(i))
	}
}

// length reads a number of elements, each of at least one byte; false stands for nil.
func (p *binaryReader) length() (n int, some bool) {
	x := p.number()
	if x > uint64(len(p.rest))+1 {
		p.damaged = true
		return 0, false
	}
	return int(x) - 1, x > 0
}

func (p *binaryReader) number() uint64 {
	x, size := binary.Uvarint([]byte(p.rest[:min(len(p.rest), binary.MaxVarintLen64)]))
	p.take(uint64(max(size, 0)))
	p.damaged = p.damaged || size <= 0
	return x
}

// take returns the next n bytes, or none if the text is too short.
func (p *binaryReader) take(n uint64) string {
	if n > uint64(len(p.rest)) {
		p.damaged = true
		return ""
	}
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken
}
