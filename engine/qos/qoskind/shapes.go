package qoskind

import (
	"context"
	"slices"

	"berth/engine/qos"
	"berth/engine/stats"
)

// ShapesQuery asks for the distribution of the deficits under a policy with the first seed (figure
// 7). Policy is an index, from 0.
type ShapesQuery struct {
	Policy int
}

// ShapePoints is the number of points of a density.
const ShapePoints = 64

// Density is the density of the deficits of a class, or of all classes under the name "all". Its
// points are evenly spaced between the smallest and the largest deficit; values are relative to the
// peak.
type Density struct {
	Name    string
	Density []float64
}

// Shapes returns the density for each class whose deficits are not all equal.
func (e *Prepared) Shapes(_ context.Context, q ShapesQuery) ([]Density, error) {
	r, err := e.paired(q.Policy)
	if err != nil {
		return nil, err
	}
	shapes, all := []Density{}, []float64{}
	add := func(name string, deficits []float64) {
		slices.Sort(deficits)
		if density := stats.Density(deficits, ShapePoints); density != nil {
			shapes = append(shapes, Density{name, density})
		}
	}
	for i, c := range e.report.Classes {
		deficits := qos.DeficitsOf(r.Availabilities(i), c.SLO)
		all = append(all, deficits...)
		add(c.Name, deficits)
	}
	add("all", all)
	return shapes, nil
}
