package federate

import (
	"berth/app/lab"
	"berth/engine/federate"
	"berth/engine/parameter"
)

// interarrival is the parameter of generated traces that says how often jobs come.
const interarrival = "interarrival"

// dials are how much there is to do, how many workers do it, and how old the copies of
// the state may become.
func (v *View) dials() []lab.Dial[*inputs] {
	var all []lab.Dial[*inputs]
	if t := v.Inputs.trace; t != nil && t.Recipe != nil && t.Recipe.Parameters[interarrival] > 0 {
		all = append(all, lab.Dial[*inputs]{
			ID: "load", Label: "Time between jobs, s", Low: 0.1, High: 3, Value: func(in *inputs) float64 {
				if in.trace == nil || in.trace.Recipe == nil {
					return 0
				}
				return in.trace.Recipe.Parameters[interarrival]
			},
			Set: func(in *inputs, text string) error {
				x, err := lab.ParseNumber(text, 0.01, 1e6)
				if err != nil || in.trace == nil || in.trace.Recipe == nil {
					return err
				}
				recipe := *in.trace.Recipe
				in.trace = lab.RecipeSource(in.trace.Name, recipe)
				return (&parameter.Parameter{Path: "parameters." + interarrival}).Set(in.trace.Recipe, &x)
			},
		})
	}
	for _, d := range []struct {
		name      string
		low, high float64
	}{{"workers", 10, 210}, {"heartbeat", 0.1, 30}} {
		p := parameter.Named(federate.Parameters(), d.name)
		dial := lab.ParameterDial(idOf(p), p.In(p.Unit), p, documentOf, setOption(p))
		dial.Low, dial.High = d.low, d.high
		all = append(all, dial)
	}
	return all
}
