package script

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// ObjectAttribute is an attribute of objects that wrap a T.
type ObjectAttribute[T any] struct {
	Name, Help string
	Unit       string // "" for none
	Reads      Reads
	Of         func(T) (starlark.Value, error)
}

// Reads is the kind of data that an attribute depends on.
type Reads uint8

// The kinds of data. A function that reads only attributes with ReadsKind returns the same result
// for all objects of the same kind.
const (
	ReadsState Reads = iota // the state of the run
	ReadsKind               // only the kind of the object, such as the class of a request
)

// Type is a type of objects that are passed to policies.
type Type[T any] struct {
	Name, Help string
	Attributes []ObjectAttribute[T]
	place      map[string]int
}

// NewType returns a type with attributes. It panics if two attributes have the same name.
func NewType[T any](name, help string, attributes ...ObjectAttribute[T]) *Type[T] {
	t := &Type[T]{Name: name, Help: help, Attributes: attributes, place: map[string]int{}}
	for i, a := range attributes {
		if _, twice := t.place[a.Name]; twice {
			panic("script: " + name + " has " + a.Name + " twice")
		}
		t.place[a.Name] = i
	}
	return t
}

// Object is an object of a type. It is valid only during one call of the policy.
type Object[T any] struct {
	of   *Type[T]
	call *Call
	made uint64 // number of the call that the object was made for
	it   T
	more func(name string) (starlark.Value, error) // looks up further attributes; may be nil
}

// Object returns an object for the current call.
func (t *Type[T]) Object(c *Call, it T) *Object[T] {
	return &Object[T]{of: t, call: c, made: c.number, it: it}
}

// With sets a function that looks up attributes that the type does not list. It must return (nil,
// nil) for an unknown name.
func (o *Object[T]) With(more func(name string) (starlark.Value, error)) *Object[T] {
	o.more = more
	return o
}

// It returns the wrapped value, or an error if the call that the object was made for has ended.
func (o *Object[T]) It() (it T, err error) {
	if o.made != o.call.number {
		return it, fmt.Errorf("this %s belongs to an earlier call: keep its id or figures instead", o.of.Name)
	}
	return o.it, nil
}

// Attr implements [starlark.HasAttrs].
func (o *Object[T]) Attr(name string) (starlark.Value, error) {
	it, err := o.It()
	if err != nil {
		return nil, err
	}
	if i, ok := o.of.place[name]; ok {
		a := &o.of.Attributes[i]
		if a.Reads != ReadsKind {
			o.call.readState = true
		}
		return a.Of(it)
	}
	o.call.readState = true
	if o.more != nil {
		if v, err := o.more(name); v != nil || err != nil {
			return v, err
		}
	}
	return nil, starlark.NoSuchAttrError(fmt.Sprintf("a %s has no %s; it has %s", o.of.Name, name, strings.Join(o.AttrNames(), ", ")))
}

// AttrNames implements [starlark.HasAttrs].
func (o *Object[T]) AttrNames() []string {
	var names []string
	for i := range o.of.Attributes {
		names = append(names, o.of.Attributes[i].Name)
	}
	slices.Sort(names)
	return names
}

// String implements [starlark.Value].
func (o *Object[T]) String() string { return "<" + o.of.Name + ">" }

// Type implements [starlark.Value].
func (o *Object[T]) Type() string { return o.of.Name }

// Freeze implements [starlark.Value].
func (o *Object[T]) Freeze() {}

// Truth implements [starlark.Value].
func (o *Object[T]) Truth() starlark.Bool { return true }

// Hash implements [starlark.Value].
func (o *Object[T]) Hash() (uint32, error) {
	return 0, fmt.Errorf("a %s cannot be a key: use its id", o.of.Name)
}

// Refusal is the result of refuse("…"); its text is the reason.
type Refusal string

// String implements [starlark.Value].
func (r Refusal) String() string { return "refuse(" + starlark.String(r).String() + ")" }

// Type implements [starlark.Value].
func (r Refusal) Type() string { return "refusal" }

// Freeze implements [starlark.Value].
func (r Refusal) Freeze() {}

// Truth implements [starlark.Value].
func (r Refusal) Truth() starlark.Bool { return false }

// Hash implements [starlark.Value].
func (r Refusal) Hash() (uint32, error) { return starlark.String(r).Hash() }
