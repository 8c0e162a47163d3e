package qoskind

import (
	"context"
	"slices"

	"berth/engine/qos"
	"berth/engine/stats"
)

// ShapesQuery asks how the deficits under a policy, from 0, are spread with the first
// seed (figure 7).
type ShapesQuery struct {
	Policy int
}

// ShapePoints is how many points a shape has.
const ShapePoints = 64

// Density is the density of the deficits of a class, or of all classes under the
// name "all", at evenly spaced points from the least deficit to the largest, in
// parts of its peak.
type Density struct {
	Name    string
	Density []float64
}

// Shapes returns the shape of each class whose deficits differ.
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
