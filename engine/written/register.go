package written

import (
	"context"
	"slices"

	"berth/engine/federate"
	"berth/engine/placement"
	"berth/engine/policy"
	"berth/engine/qos"
	"berth/engine/script"
	"berth/engine/show"
)

// Register lets documents have policies that are written as text.
func Register() {
	placement.Language.Register(placementPlugin)
	qos.Language.Register(qosPlugin)
	federate.Language.Register(federatePlugin)
}

// A Laboratory is a system that policies are written for.
type Laboratory struct {
	Kind      string // name of its kind of scenarios
	Functions []Function
	Types     []TypeReference
	Settings  []Setting
}

// Function is a function that a text may define.
type Function struct {
	Name       string
	Parameters []string
	Help       string
}

// Setting is a value that a text may set at its top level.
type Setting struct{ Name, Help string }

// Laboratories are those that texts can be written for, in the order of the page.
var Laboratories = []Laboratory{placementLaboratory, qosLaboratory, federateLaboratory}

// LaboratoryOf picks the laboratory by the functions that a text defines.
func LaboratoryOf(t policy.Text) (*Laboratory, error) {
	p, err := compile(t)
	if err != nil {
		return nil, err
	}
	for i := range Laboratories {
		if l := &Laboratories[i]; l.defines(p) {
			return l, nil
		}
	}
	return nil, p.Wrong("", noPolicy, known())
}

func (l *Laboratory) defines(p *script.Program) bool {
	return slices.ContainsFunc(l.Functions, func(f Function) bool { return p.Defines(f.Name) })
}

func known() string {
	return show.Joined(Laboratories, "; ", func(l Laboratory) string {
		return l.Kind + " has " + show.Joined(l.Functions, ", ", func(f Function) string { return f.Name })
	})
}

func compile(t policy.Text) (*script.Program, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	return script.Compile(t)
}

// begin starts a program of a laboratory, and finds its functions.
func (l *Laboratory) begin(ctx context.Context, p *script.Program) (*script.Call, map[string]*script.Function, error) {
	c, err := p.Start(ctx, script.DefaultLimits)
	if err != nil {
		return nil, nil, err
	}
	functions := map[string]*script.Function{}
	for _, f := range l.Functions {
		if functions[f.Name], err = c.Function(f.Name, f.Parameters...); err != nil {
			return nil, nil, err
		}
	}
	return c, functions, nil
}

// compile compiles a text of a laboratory. It does not run it.
func (l *Laboratory) compile(t policy.Text) (*script.Program, error) {
	p, err := compile(t)
	if err == nil && !l.defines(p) {
		err = p.Wrong("", noPolicyOf, l.Kind, known())
	}
	return p, err
}

// TypeReference describes a type of objects, for the documentation.
type TypeReference struct {
	Name, Help string
	Attributes []AttributeReference
}

// AttributeReference describes an attribute.
type AttributeReference struct{ Name, Unit, Help string }

func referenceOf[T any](t *script.Type[T]) TypeReference {
	r := TypeReference{Name: t.Name, Help: t.Help}
	for _, a := range t.Attributes {
		r.Attributes = append(r.Attributes, AttributeReference{a.Name, a.Unit, a.Help})
	}
	return r
}
