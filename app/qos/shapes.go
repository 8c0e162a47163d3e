package qos

import (
	"slices"

	"berth/app/lab"
	"berth/engine/qos/qoskind"
)

// askShapes asks for the distribution of each policy's deficits, for the violins of
// figure 7. Without an answer there are boxes.
func (v *View) askShapes(r *result) {
	f := r.figures // a further seed may make others before the answers
	for _, one := range r.there() {
		lab.AskOf(v.Lab, nil, one.Result, qoskind.ShapesQuestion, qoskind.ShapesQuery{}, func(shapes []qoskind.Shape, err error) {
			if err == nil {
				f.addShapes(one.policy.Title(), shapes)
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
