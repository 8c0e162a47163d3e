package federatekind

import (
	"strings"

	"berth/engine/scenario"
)

// Sweep is a parameter with values that are used one after the other. Two sweeps give all pairs of
// values, and the second sweep varies fastest.
type Sweep struct {
	Parameter string    `json:"parameter"`
	Values    []float64 `json:"values"`
}

// compared are the figures that an experiment shows first.
var compared = []string{
	"allocation.mean", "allocation.p50", "allocation.p99", "allocation.max", "jobDelay.p50",
	"inconsistencies", "repartitions", "preemptionAttempts", "preemptions",
}

// Varies implements [scenario.Varied].
func (d *Document) Varies() scenario.Variation {
	x := *d
	x.Sweep, x.Seeds = nil, 0
	v := scenario.Variation{Base: &x, Seeds: d.Seeds, Figures: compared}
	for _, s := range d.Sweep {
		p, _ := swept(s.Parameter)
		path := "/" + Name + "/" + strings.ReplaceAll(p.JSONPath(), ".", "/")
		v.Swept = append(v.Swept, scenario.Swept{Name: s.Parameter, Path: path, Values: s.Values})
	}
	for _, f := range shown() {
		v.Figures = append(v.Figures, f.Name)
	}
	return v
}

// Runs implements [scenario.Document].
func (d *Document) Runs() []scenario.Subject { return scenario.SubjectsOf(d.Schedulers, d.Seeds) }

// One implements [scenario.Document].
func (d *Document) One(scheduler, seed int) scenario.Document { return d.row(scheduler, seed) }

func (d *Document) row(scheduler, seed int) *Document {
	x := *d
	x.Seeds, x.Schedulers = 0, d.Schedulers[scheduler:scheduler+1:scheduler+1]
	return New("", x).Reseed(uint64(seed)).Body.(*Document)
}
