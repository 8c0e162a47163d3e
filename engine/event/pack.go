package event

import (
	"bytes"
	"errors"
	"reflect"
	"strconv"
)

// Columns are pointers to slices of int64, int32 or uint8.
type Columns []any

// Columns returns pointers to the columns of the log.
func (l *Log) Columns() Columns {
	return Columns{&l.At, &l.What, &l.Thing, &l.On, &l.By, &l.Value}
}

// Attachment returns the columns as text for [Log.Attach].
func (l *Log) Attachment() []byte { return l.Columns().Pack() }

// Attach restores the columns from the text of [Log.Attachment].
func (l *Log) Attach(data []byte) error { return l.Columns().Unpack(data) }

// Pack returns the columns as text, with a line for each column and commas between values. Text
// compresses best in pages that contain their results.
func (all Columns) Pack() (text []byte) {
	for k, column := range all {
		if k > 0 {
			text = append(text, '\n')
		}
		values := reflect.ValueOf(column).Elem()
		for i := range values.Len() {
			if i > 0 {
				text = append(text, ',')
			}
			if v := values.Index(i); v.CanUint() {
				text = strconv.AppendUint(text, v.Uint(), 10)
			} else {
				text = strconv.AppendInt(text, v.Int(), 10)
			}
		}
	}
	return text
}

var errDamaged = errors.New("the columns of the events are damaged")

// Unpack restores the columns from the text of [Columns.Pack]. Any other text is an error.
func (all Columns) Unpack(text []byte) error {
	rest, ok := text, true
	for k, column := range all {
		if k > 0 && (len(rest) == 0 || rest[0] != '\n') {
			return errDamaged
		} else if k > 0 {
			rest = rest[1:]
		}
		line := rest
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			line = rest[:end]
		}
		rest = rest[len(line):]
		switch column := column.(type) {
		case *[]int64:
			*column, ok = integers[int64](line)
		case *[]int32:
			*column, ok = integers[int32](line)
		case *[]uint8:
			*column, ok = integers[uint8](line)
		}
		if !ok {
			return errDamaged
		}
	}
	if len(rest) > 0 {
		return errDamaged
	}
	return nil
}

// integers are the numbers of a line, each as [strconv.AppendInt] writes it.
func integers[T uint8 | int32 | int64](line []byte) ([]T, bool) {
	if len(line) == 0 {
		return []T{}, true
	}
	all := make([]T, 0, 1+bytes.Count(line, []byte{','}))
	for i := 0; ; i++ { // behind the comma
		negative := i < len(line) && line[i] == '-'
		if negative {
			i++
		}
		first, x := i, uint64(0)
		for ; i < len(line) && line[i]-'0' < 10; i++ {
			if x > (1<<63)/10 {
				return nil, false
			}
			x = 10*x + uint64(line[i]-'0')
		}
		y := int64(x)
		if negative {
			y = -y
		}
		if i == first || line[first] == '0' && (i > first+1 || negative) || x != 0 && (y < 0) != negative || int64(T(y)) != y {
			return nil, false
		}
		all = append(all, T(y))
		if i == len(line) {
			return all, true
		}
		if line[i] != ',' {
			return nil, false
		}
	}
}
