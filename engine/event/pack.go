package event

import (
	"encoding/binary"
	"errors"
	"reflect"
)

// Columns are pointers to slices of numbers of a fixed size.
type Columns []any

// Columns returns the columns of a log.
func (l *Log) Columns() Columns {
	return Columns{&l.At, &l.What, &l.Thing, &l.On, &l.By, &l.Value}
}

// Attachment returns the columns as bytes that [Log.Attach] reads.
func (l *Log) Attachment() []byte { return l.Columns().Pack() }

// Attach replaces the columns by the columns that Attachment wrote.
func (l *Log) Attach(data []byte) error { return l.Columns().Unpack(data) }

// Pack returns the columns as bytes: of each its length in 4 bytes and its values, little-endian.
func (all Columns) Pack() (data []byte) {
	for _, column := range all {
		values := reflect.ValueOf(column).Elem()
		data = binary.LittleEndian.AppendUint32(data, uint32(values.Len()))
		data, _ = binary.Append(data, binary.LittleEndian, values.Interface()) // a slice has no errors
	}
	return data
}

var errDamaged = errors.New("the columns of the events are damaged")

// Unpack replaces the columns by the columns that Pack wrote. It refuses all other bytes.
func (all Columns) Unpack(data []byte) error {
	for _, column := range all {
		if len(data) < 4 {
			return errDamaged
		}
		n, list := int(binary.LittleEndian.Uint32(data)), reflect.TypeOf(column).Elem()
		data = data[4:]
		if n > len(data)/int(list.Elem().Size()) {
			return errDamaged
		}
		values := reflect.MakeSlice(list, n, n)
		used, err := binary.Decode(data, binary.LittleEndian, values.Interface())
		if err != nil {
			return err
		}
		data = data[used:]
		reflect.ValueOf(column).Elem().Set(values)
	}
	if len(data) > 0 {
		return errDamaged
	}
	return nil
}
