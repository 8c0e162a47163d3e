package qos

import (
	"slices"

	"berth/engine/qos/qoskind"
)

// askShapes asks for the distribution of each policy's deficits, for the violins of
// figure 7. If it is not available, as for a saved result, there are boxes.
func (v *View) askShapes(r *result) {
	for _, one := range r.there() {
		query := qoskind.ShapesQuery{Classes: r.report.Classes}
		var shapes []qoskind.Shape
		var err error
		v.Later(func() { shapes, err = askSide(v, one, qoskind.ShapesQuestion, query) }, func() {
			if err == nil {
				r.figures.addShapes(one.policy.Title(), shapes)
			}
		})
	}
}

func (f *figures) addShapes(title string, shapes []qoskind.Shape) {
	f.deficits = slices.Clone(f.deficits) // charts compare what they are given
	for i := range f.deficits {
		box := &f.deficits[i]
		at := slices.IndexFunc(shapes, func(s qoskind.Shape) bool { return s.Name == box.Group && box.Name == title })
		if at >= 0 {
			box.Shape = shapes[at].Density
		}
	}
}
