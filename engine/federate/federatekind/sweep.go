package federatekind

import (
	"strings"

	"berth/engine/scenario"
	"berth/engine/study"
)

// Sweep is a parameter and the values that it takes, one after the other. Two
// of them take all pairs, the values of the second fastest.
type Sweep struct {
	Parameter string    `json:"parameter"`
	Values    []float64 `json:"values"`
}

// points returns the values of the swept parameters at each point, which is a cell of
// the experiment that the sweep is; without a sweep a single point has none.
func (d *Document) points() [][]float64 {
	_, factors, _ := d.Unswept()
	cells := study.Combinations(factors, study.Full)
	all := make([][]float64, len(cells))
	for i, levels := range cells {
		all[i] = make([]float64, len(levels))
		for f, level := range levels {
			all[i][f] = d.Sweep[f].Values[level]
		}
	}
	return all
}

// at returns the document at a point, without its sweep.
func (d *Document) at(point []float64) Document {
	x := *d
	x.Sweep = nil
	for i, s := range d.Sweep {
		p, _ := swept(s.Parameter)
		_ = p.Set(&x, &point[i]) // every parameter has a place in the document
	}
	return x
}

// Runs is how many simulations the document stands for.
func (d *Document) Runs() int {
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
				x.Seeds, x.Schedulers = 0, d.Schedulers[i:i+1:i+1]
				all = append(all, New("", x).Reseed(k).Body.(*Document))
			}
		}
	}
	return all
}

func (d *Document) seeds() int { return max(1, d.Seeds) }

// Unswept implements [study.Sweeper]: a swept parameter is a factor.
func (d *Document) Unswept() (base scenario.Document, factors []study.Factor, seeds int) {
	x := *d
	x.Sweep, x.Seeds = nil, 0
	for _, s := range d.Sweep {
		p, _ := swept(s.Parameter)
		path := "/" + Name + "/" + strings.ReplaceAll(p.JSONPath(), ".", "/")
		factors = append(factors, study.Factor{Name: s.Parameter, Path: path, Levels: study.Values(s.Values...)})
	}
	return &x, factors, d.Seeds
}
