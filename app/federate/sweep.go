package federate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/parameter"
)

// sweepIDs are the ids of what edits the values of the swept parameters.
var sweepIDs = []string{"fed-sweep-values-1", "fed-sweep-values-2"}

// sweepForm chooses one or two parameters and their values.
func (v *View) sweepForm() app.UI {
	rows := []app.UI{
		app.P().Class("hint").Text("Each scheduler runs with each seed at each value, or at each pair of values for two parameters."),
	}
	for i := range min(len(v.Inputs.options.Sweep)+1, len(sweepIDs)) {
		rows = append(rows, v.sweepRow(i))
	}
	if len(v.Inputs.options.Sweep) > 0 {
		rows = append(rows, app.P().Class("hint").Text(ui.Counted(v.Inputs.options.Runs(), "run")+" in all."))
	}
	return app.Div().Body(rows...)
}

func (v *View) sweepRow(i int) app.UI {
	swept := federatekind.Sweep{}
	if i < len(v.Inputs.options.Sweep) {
		swept = v.Inputs.options.Sweep[i]
	}
	options := []app.UI{ui.Option("", "nothing")}
	for _, p := range federatekind.SweepParameters() {
		options = append(options, ui.Option(p.Name, labelOf(p)))
	}
	id := fmt.Sprintf("fed-sweep-%d", i+1)
	label := "Sweep over"
	if i > 0 {
		label = "and over"
	}
	return app.Div().Class("sweep-row").Body(
		ui.Field(id, label, ui.Select(id, swept.Parameter, func(parameter string) { v.chooseSwept(i, parameter) }, options...).DataSet("testid", id)),
		app.If(swept.Parameter != "", func() app.UI { return v.line(valuesField(i, parameterOf(swept.Parameter).Unit)) }),
		v.WrongText(sweepIDs[i]),
	)
}

// parameterOf is the parameter of that name.
func parameterOf(name string) parameter.Parameter {
	for _, p := range federatekind.SweepParameters() {
		if p.Name == name {
			return p
		}
	}
	return parameter.Parameter{Name: name, Title: name}
}

// labelOf is a parameter with its unit, which its field, its sweep and its charts share.
func labelOf(p parameter.Parameter) string { return p.In(p.Unit) }

// valuesField edits the values of the swept parameter i, in the unit of its own field.
func valuesField(i int, unit string) field {
	return field{
		id: sweepIDs[i], label: labelOf(parameter.Parameter{Title: "Values", Unit: unit}), placeholder: "100, 200, 500",
		text: func(in *inputs) string {
			if i < len(in.options.Sweep) {
				return strings.Join(shownValues(in.options.Sweep[i]), ", ")
			}
			return ""
		},
		set: func(in *inputs, text string) error {
			values, err := parseFigures(text)
			if err == nil && len(values) == 0 {
				err = errors.New("there is no value: expected numbers such as 100, 200, 500")
			}
			if err != nil {
				return err
			}
			p := parameterOf(in.options.Sweep[i].Parameter)
			for k := range values {
				values[k] /= p.Scale()
			}
			in.options.Sweep[i].Values = values
			return nil
		},
	}
}

// shownValues are the values of a sweep in the unit of the parameter.
func shownValues(s federatekind.Sweep) []string {
	p := parameterOf(s.Parameter)
	texts := make([]string, len(s.Values))
	for i, x := range s.Values {
		texts[i] = p.Text(x)
	}
	return texts
}

// chooseSwept sweeps another parameter, with values around its present one.
func (v *View) chooseSwept(i int, parameter string) {
	delete(v.Refused, sweepIDs[i])
	v.Edit("change the sweep", func(in *inputs) {
		sweep := in.options.Sweep
		switch {
		case parameter == "" && i < len(sweep):
			in.options.Sweep = append(sweep[:i:i], sweep[i+1:]...)
		case parameter == "":
		case i < len(sweep):
			in.options.Sweep[i] = federatekind.Sweep{Parameter: parameter, Values: in.around(parameter)}
		default:
			in.options.Sweep = append(sweep, federatekind.Sweep{Parameter: parameter, Values: in.around(parameter)})
		}
	})
}

// around are values to begin with: half of, as much as and twice what there is,
// as far as they are right.
func (in *inputs) around(name string) []float64 {
	p := parameterOf(name)
	x := p.Value(&in.options)
	values := []float64{x / 2, x, 2 * x}
	if x == 0 {
		values = []float64{0, 0.5, 1}
	}
	for i := range values {
		if p.Whole {
			values[i] = math.Floor(values[i])
		}
	}
	values = slices.DeleteFunc(values, func(x float64) bool {
		trial := in.Clone()
		return p.Check(x) != nil || p.Set(&trial.options, &x) != nil || max(trial.options.GMs, trial.options.LMs) > trial.options.Workers
	})
	return slices.Compact(values)
}

// showSweep looks at a sweep that begins, and away from one that is gone.
func (v *View) showSweep() {
	switch sweep := len(v.Inputs.options.Sweep) > 0; {
	case sweep && !v.swept():
		v.tab = tabSweep
	case !sweep && v.tab == tabSweep:
		v.tab = tabDistribution
	}
}

// sweepName says which parameters are swept: "workers × heartbeat".
func sweepName(sweep []federatekind.Sweep) string {
	names := make([]string, len(sweep))
	for i, s := range sweep {
		names[i] = lowered(parameterOf(s.Parameter).Title)
	}
	return strings.Join(names, " × ")
}

// lowered is a label within a sentence. What begins with an abbreviation or the
// name of a scheduler stays.
func lowered(label string) string {
	if len(label) > 1 && unicode.IsUpper(rune(label[1])) || strings.Contains(label, ": ") {
		return label
	}
	return strings.ToLower(label[:1]) + label[1:]
}
