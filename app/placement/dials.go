package placement

import (
	"slices"
	"strconv"
	"strings"

	"berth/app/lab"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// dials are the prices of the clusters that are used most, and φ.
func (v *View) dials() []lab.Dial[*inputs] {
	var all []lab.Dial[*inputs]
	for _, j := range v.picture.byUse {
		if c := v.picture.Overview.Clusters[j]; c.Jobs > 0 && len(all) < 2 {
			all = append(all, priceDial(c.ID, show.Text(c.Name)))
		}
	}
	phi := placementkind.ParameterNamed("phi")
	d := lab.ParameterDial("phi", phi.Title, phi, documentOf, lab.SetParameter(phi, documentOf))
	d.High = min(d.High, 4*phi.Default)
	return append(all, d)
}

// priceDial multiplies the prices of a cluster, as a what-if does.
func priceDial(cluster, name string) lab.Dial[*inputs] {
	lead := "price " + cluster + " ×"
	return lab.Dial[*inputs]{
		ID: "price-" + cluster, Label: "Price of " + name + " ×", Low: 0, High: 3,
		Value: func(in *inputs) float64 {
			for _, text := range in.options.WhatIf {
				if factor, found := strings.CutPrefix(text, lead); found {
					x, _ := strconv.ParseFloat(factor, 64)
					return x
				}
			}
			return 1
		},
		Set: func(in *inputs, text string) error {
			others := slices.DeleteFunc(slices.Clone(in.options.WhatIf), func(text string) bool { return strings.HasPrefix(text, lead) })
			if text != "1" && text != "0.99" { // the position next to 1 stands for it
				others = append(others, lead+text)
			}
			in.options.WhatIf = others
			return isFactor(text)
		},
	}
}
