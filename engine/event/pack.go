package event

import (
	"bytes"
	"errors"
	"reflect"
	"strconv"
)

// Columns are pointers to slices of integers.
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
	rest := text
	for _, column := range all {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		n := 0
		if len(line) > 0 {
			n = 1 + bytes.Count(line, []byte{','})
		}
		values := reflect.MakeSlice(reflect.TypeOf(column).Elem(), n, n)
		for i := range n {
			var number []byte
			number, line, _ = bytes.Cut(line, []byte{','})
			x, _ := strconv.ParseInt(string(number), 10, 64) // an invalid number fails the comparison below
			if v := values.Index(i); v.CanUint() {
				v.SetUint(uint64(x))
			} else {
				v.SetInt(x)
			}
		}
		reflect.ValueOf(column).Elem().Set(values)
	}
	if !bytes.Equal(all.Pack(), text) {
		return errDamaged
	}
	return nil
}
