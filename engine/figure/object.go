package figure

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// Object is a JSON object that keeps the order of its members.
type Object []Member

// Member is a value with its name.
type Member struct {
	Name  string
	Value any
}

// NewObject returns an object from alternating paths (strings) and values; see [Object.Put].
func NewObject(pairs ...any) (o Object) {
	for i := 0; i < len(pairs); i += 2 {
		o.Put(pairs[i].(string), pairs[i+1])
	}
	return o
}

// Put appends a value at a path: "times.mean" is the member mean of the object times, which is
// created if needed.
func (o *Object) Put(path string, value any) {
	name, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		*o = append(*o, Member{name, value})
		return
	}
	for _, m := range *o {
		if within, ok := m.Value.(*Object); ok && m.Name == name {
			within.Put(rest, value)
			return
		}
	}
	within := &Object{}
	within.Put(rest, value)
	*o = append(*o, Member{name, within})
}

// PutSome is Put, except that it omits a zero value.
func (o *Object) PutSome(path string, value any) {
	if !reflect.ValueOf(value).IsZero() {
		o.Put(path, value)
	}
}

// Add puts the figures of a subject at their paths. It omits figures without a path.
func (o *Object) Add(all []Figure, subject any) {
	for i := range all {
		if f := &all[i]; f.Path != "" {
			o.Put(f.Path, f.Of(subject))
		}
	}
}

// AddEstimates puts the estimates of figures at their keys, including undefined ones.
func (o *Object) AddEstimates(all []Figure, e Estimates) {
	for i := range all {
		o.Put(all[i].Key, e.At(all[i].Key))
	}
}

// MarshalJSON implements [json.Marshaler].
func (o Object) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.Name) // strings always marshal
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(append(append(name, ':'), value...))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
