package lab

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/parameter"
)

// ParameterField is the field of a parameter of a document among the inputs. Its
// placeholder is unset or, if that is "", the description of the parameter's default.
func (f *entryForm[I]) ParameterField(id string, p *parameter.Parameter, unset string, document func(in I) any) app.UI {
	return f.ParameterFieldOf(id, ui.WithUnit(p.Title, p.Unit), p, unset, document, SetParameter(p, document))
}

// ParameterFieldOf is [entryForm.ParameterField] with a given label and setter, for a parameter
// whose change affects other values.
func (f *entryForm[I]) ParameterFieldOf(id, label string, p *parameter.Parameter, unset string, document func(in I) any, set Setter[I]) app.UI {
	switch {
	case p.Switch:
		return f.Checkbox(id, p.Title, p.Value(document(f.lab.Inputs)) != 0, func(in I, on bool) { _ = set(in, strconv.FormatBool(on)) })
	case p.Choices != nil:
		options := ui.Options(len(p.Choices), func(i int) (value, text string) {
			return p.Choices[i].Name, cmp.Or(p.Choices[i].Title, p.Choices[i].Name)
		})
		list := ui.Select(id, p.Named(document(f.lab.Inputs)), func(name string) {
			f.lab.Edit("change the "+strings.ToLower(p.Title), func(in I) { _ = set(in, name) })
		}, options...).DataSet("testid", id)
		if p.Hint != "" {
			list.Title(p.Hint)
		}
		return ui.Field(id, p.Title, list)
	}
	unset = cmp.Or(unset, p.Usual)
	input := NumberInput(unset).DataSet("testid", id)
	if p.Hint != "" {
		input.Title(p.Hint)
	}
	text := p.Text(p.Value(document(f.lab.Inputs)))
	if _, given := p.Get(document(f.lab.Inputs)); !given && unset != "" {
		text = ""
	}
	return f.lab.Dials.Pinnable(f.Field(id, label, input, text, set), ParameterDial(id, label, p, document, set))
}

// SetParameter returns the setter for the field of a parameter. document returns the part of the
// inputs that has the parameter.
func SetParameter[I any](p *parameter.Parameter, document func(in I) any) Setter[I] {
	return func(in I, text string) error {
		x, err := ParseParameter(p, text)
		if err != nil {
			return err
		}
		return p.Set(document(in), x)
	}
}

// ParseParameter reads a value from a field in the display unit of the parameter. It returns nil
// for a default that depends on other values.
func ParseParameter(p *parameter.Parameter, text string) (*float64, error) {
	switch {
	case text == "" && p.Usual != "" && !p.Required:
		return nil, nil
	case p.Switch:
		return new(map[string]float64{"true": 1}[text]), nil
	case p.Choices != nil:
		return new(float64(slices.Index(p.Names(), text))), nil
	}
	if p.Whole {
		n, err := ParseWhole(text, int(p.Low), int(min(p.High, math.MaxInt)))
		return new(float64(n)), err
	}
	low := p.Low
	if p.OrZero {
		low = 0
	}
	x, err := ParseNumber(text, low*p.Scale(), p.High*p.Scale())
	if err != nil {
		return nil, err
	}
	x /= p.Scale()
	return &x, p.Check(x)
}

// ParameterDial is a dial over the whole range of a parameter, in its display unit.
func ParameterDial[I any](id, label string, p *parameter.Parameter, document func(in I) any, set Setter[I]) Dial[I] {
	scale := p.Scale()
	return Dial[I]{ID: id, Label: label, Low: p.Low * scale, High: p.High * scale, Whole: p.Whole, Set: set,
		Value: func(in I) float64 { return p.Value(document(in)) * scale }}
}
