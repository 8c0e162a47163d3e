package figure

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// Object is an object of JSON that keeps the order of its members.
type Object []Member

// Member is a value with its name.
type Member struct {
	Name  string
	Value any
}

// NewObject makes an object of paths, which are strings, each before its value.
func NewObject(pairs ...any) (o Object) {
	for i := 0; i < len(pairs); i += 2 {
		o.Put(pairs[i].(string), pairs[i+1])
	}
	return o
}

// Put adds a value at a path: "times.mean" is the member mean of the object times.
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

// PutSome is Put of a value that is not the zero value of its type.
func (o *Object) PutSome(path string, value any) {
	if !reflect.ValueOf(value).IsZero() {
		o.Put(path, value)
	}
}

// Add puts the figures of a subject at their paths. Figures without a path are left out.
func (o *Object) Add(all []Figure, subject any) {
	for i := range all {
		if f := &all[i]; f.Path != "" {
			o.Put(f.Path, f.Of(subject))
		}
	}
}

// AddEstimates puts estimates of figures at their keys.
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
		name, _ := json.Marshal(m.Name) // text
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(append(append(name, ':'), value...))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
