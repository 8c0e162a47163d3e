package federate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/parameter"
	"berth/engine/show"
)

func documentOf(in *inputs) any { return &in.options }

func idOf(p *parameter.Parameter) string { return "fed-" + p.Flag() }

func idsOf(rows []parameter.Parameter) []string {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = idOf(&rows[i])
	}
	return ids
}

func group(name string) []parameter.Parameter {
	return slices.DeleteFunc(federatekind.Parameters(), func(p parameter.Parameter) bool { return p.Group != name })
}

// option draws the field of a parameter; an empty field means the default.
func (v *View) option(p *parameter.Parameter) app.UI {
	unset := ""
	if !p.Required {
		unset = cmp.Or(p.Usual, p.Text(p.Default))
	}
	return v.Form.ParameterFieldOf(idOf(p), p.In(p.Unit), p, unset, documentOf, setOption(p))
}

// optionNamed draws a switch or a choice by name.
func (v *View) optionNamed(name string) app.UI {
	p := parameter.Named(federatekind.Parameters(), name)
	return v.Form.ParameterField(idOf(p), p, "", documentOf)
}

func setOption(p *parameter.Parameter) lab.Setter[*inputs] {
	return func(in *inputs, text string) error {
		if text == "" && !p.Required {
			return p.Set(&in.options, nil)
		}
		x, err := p.Parse(text)
		if err != nil {
			return err
		}
		return p.Set(&in.options, &x)
	}
}

const (
	seedID      = "fed-seed"
	seedLabel   = "First seed"
	sharesID    = "fed-shares"
	sharesLabel = "Shares of the users"
)

func (v *View) sharesField() app.UI {
	input := app.Input().Type("text").Spellcheck(false).Attr("autocomplete", "off").Placeholder("equal, without preemption").DataSet("testid", sharesID)
	return v.Form.Field(sharesID, sharesLabel, input, numbers(v.Inputs.options.Shares), setShares)
}

func setShares(in *inputs, text string) (err error) {
	in.options.Shares, err = parseNumbers(text)
	if err != nil || in.options.Shares == nil {
		return err
	}
	sum := 0.0
	for _, share := range in.options.Shares {
		sum += share
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("the shares sum to %s: expected 1, such as 0.1, 0.25, 0.15, 0.5", show.Number(math.Round(sum*1e9)/1e9))
	}
	return nil
}

func numbers(list []float64) string { return show.Joined(list, ", ", show.Number) }

// parseNumbers reads numbers separated by commas, semicolons or spaces. It returns nil for an empty
// text.
func parseNumbers(text string) ([]float64, error) {
	var list []float64
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		x, err := lab.ParseNumber(word, 0, math.MaxFloat64)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// looks returns the styles of the compared schedulers, by name. Styles differ as long as there are
// enough colours.
func looks(compared []string) map[string]chart.Style {
	places, all := make([]int, len(compared)), map[string]chart.Style{}
	for i, name := range compared {
		places[i] = placeOf(name)
	}
	for i, style := range chart.Apart(places) {
		all[compared[i]] = style
	}
	return all
}

// placeOf returns the index of a scheduler in [federate.Names]. The user's own policies come last.
func placeOf(name string) int {
	names := federate.Names()
	if i := slices.Index(names, federate.NameOf(name)); i >= 0 {
		return i
	}
	return len(names)
}

func (v *View) schedulerBoxes() app.UI {
	boxes := make([]app.UI, 0, len(federate.Names()))
	names := federate.Names()
	for _, t := range v.Inputs.options.Policies {
		names = append(slices.Clip(names), t.Name)
	}
	shown := looks(v.Inputs.options.Schedulers)
	for _, name := range names {
		plugin, _ := federate.Lookup(name)
		boxes = append(boxes, app.Div().Class("scheduler").Title(plugin.Description).Body(
			app.Span().Class("swatch").Style("background", cmp.Or(shown[name], chart.StyleAt(placeOf(name))).Color()),
			v.Form.Checkbox("fed-scheduler-"+name, name, federatekind.Has(v.Inputs.options.Schedulers, name),
				func(in *inputs, on bool) { in.setScheduler(name, on) }),
		))
	}
	return app.Div().Class("schedulers checks").DataSet("rove", "yes").Role("group").Aria("label", "Schedulers").Body(boxes...)
}
