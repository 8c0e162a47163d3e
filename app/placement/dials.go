package placement

import (
	"slices"
	"strconv"
	"strings"

	"berth/app/lab"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// mostDialled limits the what-ifs that have a dial by default, not counting φ.
const mostDialled = 2

// sensitive holds the what-ifs with the largest influence on the result, according to the search
// for the best placement. They stay until the graphs change, so that no dial moves while the user
// drags it.
type sensitive struct {
	of    *inputs
	first []placementkind.Sensitivity
}

func (s *sensitive) hear(in *inputs, all []placementkind.Sensitivity) {
	if s.stillOf(in) {
		return
	}
	*s = sensitive{of: in, first: all[:min(len(all), mostDialled)]}
}

func (s *sensitive) stillOf(in *inputs) bool {
	return s.of != nil && slices.Equal(s.of.graphs(), in.graphs())
}

// dials returns the dials of the what-ifs with the largest influence, as the engine
// computed it, and of φ. If the engine computed none, as for large problems, it offers
// the prices of the most used clusters.
func (v *View) dials() []lab.Dial[*inputs] {
	var all []lab.Dial[*inputs]
	if v.sensitive.stillOf(v.Inputs) {
		for _, s := range v.sensitive.first {
			all = append(all, v.whatIfDial(s.Change))
		}
	}
	for _, j := range v.picture.byUse {
		if len(all) == mostDialled {
			break
		}
		c := v.picture.Overview.Clusters[j]
		d := v.whatIfDial("price " + word(c.ID) + " ×")
		if c.Jobs > 0 && !slices.ContainsFunc(all, func(other lab.Dial[*inputs]) bool { return other.ID == d.ID }) {
			all = append(all, d)
		}
	}
	phi := placementkind.ParameterNamed("phi")
	d := lab.ParameterDial("phi", phi.Title, phi, documentOf, lab.SetParameter(phi, documentOf))
	d.High = min(d.High, 4*phi.Default)
	return append(all, d)
}

// word quotes an id with spaces for a what-if.
func word(id string) string {
	if strings.Contains(id, " ") {
		return `"` + id + `"`
	}
	return id
}

// whatIfDial returns a dial for the factor of a what-if. lead is the text before the factor:
// "price ID ×", "room ID ×" or "latency ×".
func (v *View) whatIfDial(lead string) lab.Dial[*inputs] {
	kind, id, _ := strings.Cut(strings.TrimSuffix(lead, " ×"), " ")
	id = strings.Trim(id, `"`)
	name := id
	for _, c := range v.picture.Overview.Clusters {
		if c.ID == id {
			name = show.Text(c.Name)
		}
	}
	label := map[string]string{"price": "Price of " + name + " ×", "room": "Room in " + name + " ×", "latency": "Latencies ×"}[kind]
	return lab.Dial[*inputs]{
		ID: strings.TrimSuffix(kind+"-"+id, "-"), Label: label, Low: 0, High: 3,
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
			if text != "1" && text != "0.99" { // the dial steps from 0.99 to 1.02, so 0.99 counts as 1
				others = append(others, lead+text)
			}
			in.options.WhatIf = others
			return isFactor(text)
		},
	}
}
