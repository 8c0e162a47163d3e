package parquet

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"

	"berth/engine/csv"
)

// The physical types.
const (
	boolean = iota
	int32s
	int64s
	int96s
	floats
	doubles
	byteArrays
	fixedArrays
)

// meaning is what the numbers and texts of a column stand for.
type meaning uint8

const (
	asNumber meaning = iota
	asUnsigned
	asText
	asBytes
	asDay
	asDecimal
	asMoment
)

// form is how the values of a column are written.
type form struct {
	physical int
	width    int // bytes of a value, 0 of booleans and of texts, which have several
	meaning  meaning
	per      int64 // of moments: how many make a second
	scale    int64 // of decimals
}

// formOf reads the type of an element of the schema: the logical type, or the older
// converted type.
func formOf(e *node) form {
	f := form{physical: int(e.field(1).number)}
	f.width = [...]int{int32s: 4, int64s: 8, int96s: 12, floats: 4, doubles: 8, fixedArrays: int(max(min(e.field(2).number, maxText), 0))}[max(min(f.physical, fixedArrays), 0)]
	logical, converted := e.field(10), e.field(6).number
	whole := f.physical == int32s || f.physical == int64s
	switch {
	case f.physical == byteArrays:
		f.meaning = asText
	case f.physical == fixedArrays:
		f.meaning = asBytes
	case f.physical == int96s:
		f.meaning, f.per = asMoment, 1e9
	case logical.has(8) && whole:
		f.meaning, f.per = asMoment, perSecond(logical.field(8).field(2))
	case !e.has(6) || !whole:
	case converted == 9:
		f.meaning, f.per = asMoment, 1e3
	case converted == 10:
		f.meaning, f.per = asMoment, 1e6
	case converted == 6:
		f.meaning = asDay
	case converted == 5:
		f.meaning, f.scale = asDecimal, e.field(7).number
	case converted >= 11 && converted <= 14:
		f.meaning = asUnsigned
	}
	return f
}

// perSecond is how many of a logical type's unit make a second.
func perSecond(unit *node) int64 {
	switch {
	case unit.has(3):
		return 1e9
	case unit.has(2):
		return 1e6
	}
	return 1e3
}

// fixed is the value of width bytes.
func (f *form) fixed(b []byte) value {
	switch f.physical {
	case int32s, floats:
		return value{number: int64(int32(binary.LittleEndian.Uint32(b)))}
	case int64s, doubles:
		return value{number: int64(binary.LittleEndian.Uint64(b))}
	case int96s: // nanoseconds of a Julian day
		day := int64(binary.LittleEndian.Uint32(b[8:])) - 2440588
		return value{number: day*86400e9 + int64(binary.LittleEndian.Uint64(b))}
	}
	return value{text: b}
}

// plain reads values that are as they are.
func (f *form) plain(data []byte) func() (value, error) {
	at := 0
	switch {
	case f.physical == boolean:
		return func() (value, error) {
			n, err := bitsAt(data, at, 1)
			at++
			return value{number: int64(n)}, err
		}
	case f.width > 0:
		return func() (value, error) {
			if len(data)-at < f.width {
				return value{}, errValues
			}
			at += f.width
			return f.fixed(data[at-f.width : at]), nil
		}
	}
	return func() (value, error) {
		n, err := lengthAt(data[at:])
		if err != nil {
			return value{}, err
		}
		at += 4 + n
		return value{text: data[at-n : at]}, nil
	}
}

// split reads values whose first bytes come first, then their second ones, and so on.
func (f *form) split(data []byte) func() (value, error) {
	n, i := len(data)/f.width, 0
	one := make([]byte, f.width)
	return func() (value, error) {
		if i == n {
			return value{}, errValues
		}
		for k := range one {
			one[k] = data[k*n+i]
		}
		i++
		return f.fixed(one), nil
	}
}

// append appends a value as a cell.
func (f *form) append(to []byte, v value) []byte {
	switch f.physical {
	case boolean:
		return strconv.AppendBool(to, v.number != 0)
	case floats:
		return appendFloat(to, float64(math.Float32frombits(uint32(v.number))), 32)
	case doubles:
		return appendFloat(to, math.Float64frombits(uint64(v.number)), 64)
	case int32s:
		v.number = int64(int32(v.number)) // a difference may have gone round
	}
	switch f.meaning {
	case asText:
		return append(to, csv.Cell(string(v.text))...)
	case asBytes:
		return hex.AppendEncode(to, v.text)
	case asDay:
		return time.Unix(v.number*86400, 0).UTC().AppendFormat(to, time.DateOnly)
	case asMoment:
		at := time.Unix(floor(v.number, f.per), (v.number-floor(v.number, f.per)*f.per)*(1e9/f.per))
		return at.UTC().AppendFormat(to, time.RFC3339Nano)
	case asDecimal:
		return append(to, decimal(v.number, f.scale)...)
	case asUnsigned:
		if f.physical == int32s {
			v.number = int64(uint32(v.number))
		}
		return strconv.AppendUint(to, uint64(v.number), 10)
	}
	return strconv.AppendInt(to, v.number, 10)
}

func appendFloat(to []byte, x float64, bits int) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return to
	}
	return strconv.AppendFloat(to, x, 'g', -1, bits)
}

// floor divides, and rounds down.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// decimal writes a number with its last digits after a point.
func decimal(n, scale int64) string {
	if scale <= 0 || scale > 18 {
		return strconv.FormatInt(n, 10)
	}
	text, sign := strconv.FormatUint(uint64(max(n, -n)), 10), ""
	if n < 0 {
		sign = "-"
	}
	if missing := int(scale) + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	point := len(text) - int(scale)
	return sign + text[:point] + "." + text[point:]
}
