package federatekind

import (
	"math"

	"berth/engine/scenario"
)

// Sweep is a parameter and the values that it takes, one after the other. Two
// of them take all pairs, the values of the second fastest.
type Sweep struct {
	Parameter string    `json:"parameter"`
	Values    []float64 `json:"values"`
}

// SweepParameter is a parameter that can be swept.
type SweepParameter struct {
	Name, Label string
	Unit        string // "" of numbers
	Whole       bool   // the values are whole numbers

	set func(*Document, float64)
}

var sweepParameters = []SweepParameter{
	{"workers", "Workers", "", true, func(d *Document, v float64) { d.Workers = int(v) }},
	{"gms", "Global Masters", "", true, func(d *Document, v float64) { d.GMs = int(v) }},
	{"lms", "Local Masters", "", true, func(d *Document, v float64) { d.LMs = int(v) }},
	{"load", "Load", "", false, func(d *Document, v float64) { d.Load = &v }},
	{"heartbeat", "Heartbeat", "s", false, func(d *Document, v float64) { d.Heartbeat = &v }},
	{"delay", "Delay of a message", "s", false, func(d *Document, v float64) { d.Delay = &v }},
	{"launchDelay", "Transfer of a launch", "s", false, func(d *Document, v float64) { d.LaunchDelay = &v }},
	{"interference", "Interference", "", false, func(d *Document, v float64) { d.Interference = v }},
	{"probes", "Sparrow's probes", "", true, func(d *Document, v float64) { d.Sparrow = &Sparrow{Probes: int(v)} }},
}

// SweepParameters lists the parameters that can be swept.
func SweepParameters() []SweepParameter { return sweepParameters }

func lookupParameter(name string) (SweepParameter, bool) {
	for _, p := range sweepParameters {
		if p.Name == name {
			return p, true
		}
	}
	return SweepParameter{}, false
}

// allows reports whether a value can be taken at all; whether it is right for
// the document is for Validate to say.
func (p SweepParameter) allows(v float64) bool {
	return math.Abs(v) <= 1e9 && (!p.Whole || v == math.Trunc(v))
}

// points returns the values of the swept parameters at each point; without a
// sweep a single point has none.
func (d *Document) points() [][]float64 {
	all := [][]float64{{}}
	for _, s := range d.Sweep {
		var next [][]float64
		for _, p := range all {
			for _, v := range s.Values {
				next = append(next, append(p[:len(p):len(p)], v))
			}
		}
		all = next
	}
	return all
}

// at returns the document at a point, without its sweep.
func (d *Document) at(point []float64) Document {
	x := *d
	x.Sweep = nil
	for i, s := range d.Sweep {
		p, _ := lookupParameter(s.Parameter)
		p.set(&x, point[i])
	}
	return x
}

// runs is how many simulations the document stands for.
func (d *Document) runs() int {
	n := d.seeds() * len(d.Schedulers)
	for _, s := range d.Sweep {
		n *= len(s.Values)
	}
	return n
}

// Parts returns each simulation that the document stands for as a document of
// its own: by point, then by seed, then by scheduler.
func (d *Document) Parts() []scenario.Document { return scenario.Documents(d.parts()) }

func (d *Document) parts() []*Document {
	var all []*Document
	for _, point := range d.points() {
		for k := range uint64(d.seeds()) {
			for i := range d.Schedulers {
				x := d.at(point)
				x.Seed, x.Seeds = d.Seed+k, 0
				x.Schedulers = d.Schedulers[i : i+1 : i+1]
				if d.Trace.Recipe != nil {
					recipe := *d.Trace.Recipe
					recipe.Seed += k
					x.Trace.Recipe = &recipe
				}
				all = append(all, &x)
			}
		}
	}
	return all
}

func (d *Document) seeds() int { return max(1, d.Seeds) }
