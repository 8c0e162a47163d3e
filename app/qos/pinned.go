package qos

import (
	"slices"

	"berth/engine/qos/qoskind"
)

// markPinned puts the penalties of the pinned result behind those on screen.
func (v *View) markPinned() {
	was := map[string]float64{}
	if r := v.Pinned(); r != nil {
		body := qoskind.ReportOf(r)
		for i := range body.Policies {
			p := &body.Policies[i]
			for _, c := range append(slices.Clone(p.Run.Classes), p.Run.All) {
				was[penaltyOf(p, &c)] = float64(c.Penalty)
			}
		}
	}
	f := v.result.figures
	f.penalties = slices.Clone(f.penalties) // charts compare what they are given
	for i := range f.penalties {
		f.penalties[i].Was = nil
		if x, ok := was[f.penalties[i].Label]; ok {
			f.penalties[i].Was = &x
		}
	}
}

// penaltyOf labels the penalty of a class under a policy.
func penaltyOf(p *qoskind.PolicyReport, c *qoskind.ClassFigures) string {
	return p.Title + ", " + c.Name
}
