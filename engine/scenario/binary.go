package scenario

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"reflect"
)

// Workers send the body of a report to the page in binary form, which the page decodes several
// times as fast as JSON: floating-point numbers take 8 bytes, other numbers and lengths are varints,
// and a struct is the sequence of its exported fields.

// appendBinary appends a value.
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
		for i := range v.NumField() {
			if field := v.Field(i); field.CanInterface() {
				to = appendBinary(to, field)
			}
		}
		return to
	case reflect.Array:
		return appendElements(to, v)
	case reflect.Interface: // a value of a JSON document
		text, err := json.Marshal(v.Interface())
		if err != nil {
			panic(err) // impossible: the body has been encoded for its hash
		}
		return appendBinary(to, reflect.ValueOf(string(text)))
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

// readBinary sets v, which must be zero, to the value that a text has in binary form.
func readBinary(text []byte, v reflect.Value) error {
	p := binaryReader{rest: string(text)}
	p.read(v)
	if p.damaged || p.rest != "" {
		return errors.New("the body of the report is damaged")
	}
	return nil
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
		for i := range v.NumField() {
			if field := v.Field(i); field.CanSet() {
				p.read(field)
			}
		}
	case reflect.Array:
		p.readEach(v)
	case reflect.Interface:
		p.damaged = json.Unmarshal([]byte(p.take(p.number())), v.Addr().Interface()) != nil || p.damaged
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
