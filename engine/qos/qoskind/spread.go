package qoskind

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/qos"
	"berth/engine/stats"
)

// Limits of a spread.
const (
	MaxStrip    = 1000 // values of a strip
	ShapePoints = 64   // points of a density
)

// Spread describes the distribution of a class's availabilities under one policy.
type Spread struct {
	Name string // of the class; "all" for all classes, which have no strip
	SLO  float64
	// Strip has the availabilities in order of arrival (figures 4 and 5): one value per request, or
	// the means of consecutive requests if there are too many.
	Strip []float64
	// Shape is the density of the deficits (figure 7), relative to its peak, at evenly spaced points
	// between the smallest and the largest deficit; nil if all are equal.
	Shape []float64
}

// Spread returns the spread of each class with requests, then the spread of all classes.
func (e *Prepared) Spread(_ context.Context, q PolicyQuery) ([]Spread, error) {
	if q.Policy < 0 || q.Policy >= len(e.result) {
		return nil, fmt.Errorf("there is no policy %d: %d have run, from 0", q.Policy, len(e.result))
	}
	availability, class := e.result[q.Policy].Arrays()
	return spreadOf(qos.FromArrays(e.report.Classes, availability, class), e.report.Classes, MaxStrip), nil
}

func spreadOf(r *qos.Result, classes []qos.Class, most int) (spreads []Spread) {
	values := make([][]float64, len(classes))
	for i := range r.Requests {
		a, class := r.Availability(i)
		values[class] = append(values[class], a)
	}
	var all []float64
	for i, c := range classes {
		n := len(values[i])
		if n == 0 {
			continue
		}
		s := Spread{Name: c.Name, SLO: c.SLO}
		for bin := range slices.Chunk(values[i], (n+most-1)/most) {
			s.Strip = append(s.Strip, stats.Mean(bin))
		}
		deficits := qos.DeficitsOf(values[i], c.SLO)
		all = append(all, deficits...)
		s.Shape = shape(deficits)
		spreads = append(spreads, s)
	}
	return append(spreads, Spread{Name: "all", Shape: shape(all)})
}

func shape(deficits []float64) []float64 {
	slices.Sort(deficits)
	return stats.Density(deficits, ShapePoints)
}
