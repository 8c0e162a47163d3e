package qos

import (
	"slices"

	"berth/app/chart"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
)

// pinned are the policies of the pinned result, none without one.
func (v *View) pinned() []*qoskind.PolicyReport {
	var all []*qoskind.PolicyReport
	if r := v.Pinned(); r != nil {
		body := qoskind.ReportOf(r)
		for i := range body.Policies {
			all = append(all, &body.Policies[i])
		}
	}
	return all
}

// titled is the policy of that title, nil if it is not among them.
func titled(policies []*qoskind.PolicyReport, title string) *qoskind.PolicyReport {
	if i := slices.IndexFunc(policies, func(p *qoskind.PolicyReport) bool { return p.Title == title }); i >= 0 {
		return policies[i]
	}
	return nil
}

// markPinned puts the pinned result behind the bars and curves on screen, and into
// the tables by how much it differs.
func (v *View) markPinned() {
	r, was := v.result, v.pinned()
	r.rows = r.classRows(was)
	f := r.figures
	f.penalties, f.work = slices.Clone(f.penalties), slices.Clone(f.work) // charts compare what they are given
	owed, operations := map[string]float64{}, map[string]float64{}
	behind := curves{counts: map[string][]chart.Counts{}}
	for _, p := range was {
		operations[p.Title] = float64(p.Run.Operations)
		behind.addSeries(p, f.styles[p.Title])
		for _, c := range append(slices.Clone(p.Run.Classes), p.Run.All) {
			owed[penaltyOf(p, &c)] = float64(c.Penalty)
			behind.addCounts(p, &c, f.styles[p.Title])
		}
	}
	putBehind(f.penalties, owed)
	putBehind(f.work, operations)
	f.over = curves{counts: map[string][]chart.Counts{}, queue: chart.OverPinned(behind.queue, f.queue), preempted: chart.OverPinned(behind.preempted, f.preempted)}
	for class, now := range f.counts {
		for _, c := range behind.counts[class] {
			c.Name, c.Behind = chart.PinnedName(c.Name), true
			f.over.counts[class] = append(f.over.counts[class], c)
		}
		f.over.counts[class] = append(f.over.counts[class], now...)
	}
}

func putBehind(bars []chart.Bar, was map[string]float64) {
	for i := range bars {
		bars[i].Was = nil
		if x, ok := was[bars[i].Label]; ok {
			bars[i].Was = &x
		}
	}
}

// penaltyOf labels the penalty of a class under a policy.
func penaltyOf(p *qoskind.PolicyReport, c *qos.ClassFigures) string {
	return p.Title + ", " + c.Name
}
