package qos

import (
	"slices"

	"berth/app/lab"
	"berth/engine/show"
)

// dials returns the SLOs of the classes as dials, the least important class first, because it is
// the first to lose capacity that another class gains.
func (v *View) dials() []lab.Dial[*inputs] {
	var all []lab.Dial[*inputs]
	for i, c := range slices.Backward(v.Inputs.classes()) {
		all = append(all, lab.Dial[*inputs]{
			ID: "slo-" + slug(c.Name), Label: "SLO of " + show.Text(c.Name), Low: 0.01, High: 1,
			Value: func(in *inputs) float64 {
				if classes := in.classes(); i < len(classes) {
					return classes[i].SLO
				}
				return 0
			},
			Set: func(in *inputs, text string) (err error) {
				classes := slices.Clone(in.classes())
				if i >= len(classes) {
					return nil
				}
				classes[i].SLO, err = lab.ParseNumber(text, 0.01, 1)
				classes[i].Bonus = nil // the bounds of the bonus belong to the old SLO
				in.options.Classes = classes
				return err
			},
		})
	}
	return all
}
