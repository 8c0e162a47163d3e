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

func init() {
	placement.Language.Register(placementPlugin)
	qos.Language.Register(qosPlugin)
	federate.Language.Register(federatePlugin)
}

// Laboratory is a lab for which policies can be written.
type Laboratory struct {
	Kind      string // kind of its scenarios
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

// Laboratories are the labs that accept texts, in display order.
var Laboratories = []Laboratory{placementLaboratory, qosLaboratory, federateLaboratory}

// LaboratoryOf returns the lab whose functions a text defines.
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

// begin starts a run of a program and returns its functions by name.
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

// compile compiles a text of the lab without running it.
func (l *Laboratory) compile(t policy.Text) (*script.Program, error) {
	p, err := compile(t)
	if err == nil && !l.defines(p) {
		err = p.Wrong("", noPolicyOf, l.Kind, known())
	}
	return p, err
}

// TypeReference documents a type of objects.
type TypeReference struct {
	Name, Help string
	Attributes []AttributeReference
}

// AttributeReference documents an attribute.
type AttributeReference struct{ Name, Unit, Help string }

func referenceOf[T any](t *script.Type[T]) TypeReference {
	r := TypeReference{Name: t.Name, Help: t.Help}
	for _, a := range t.Attributes {
		r.Attributes = append(r.Attributes, AttributeReference{a.Name, a.Unit, a.Help})
	}
	return r
}
