package federate

import (
	"berth/app/lab"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/parameter"
)

// interarrival is the name of the parameter for the mean time between jobs in generated
// traces.
const interarrival = "interarrival"

// dials returns the time between jobs of a generated trace, the number of workers, and
// the heartbeat, which bounds the age of the masters' copies of the state.
func (v *View) dials() []lab.Dial[*inputs] {
	var all []lab.Dial[*inputs]
	if t := v.Inputs.trace(); t != nil && t.Recipe != nil && t.Recipe.Parameters[interarrival] > 0 {
		all = append(all, lab.Dial[*inputs]{
			ID: "load", Label: "Time between jobs, s", Low: 0.1, High: 3, Value: func(in *inputs) float64 {
				if in.trace() == nil || in.trace().Recipe == nil {
					return 0
				}
				return in.trace().Recipe.Parameters[interarrival]
			},
			Set: func(in *inputs, text string) error {
				x, err := lab.ParseNumber(text, 0.01, 1e6)
				if err != nil || in.trace() == nil || in.trace().Recipe == nil {
					return err
				}
				recipe := *in.trace().Recipe
				in.sources[federatekind.TraceSlot] = lab.RecipeSource(in.trace().Name, recipe)
				return (&parameter.Parameter{Path: "parameters." + interarrival}).Set(in.trace().Recipe, &x)
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
