package qos

import (
	"slices"

	"berth/engine/qos/qoskind"
	"berth/wasm/bridge"
)

// askShapes asks for the distribution of each policy's deficits, for the violins of
// figure 7. Without an answer there are boxes.
func (v *View) askShapes(r *result) {
	f := r.figures // a further seed may make others before the answers
	for _, one := range r.there() {
		of := one.Result
		var shapes []qoskind.Shape
		var err error
		v.Later(func() {
			shapes, err = bridge.Ask(v.Page, v.Engine, of, qoskind.ShapesQuestion, qoskind.ShapesQuery{})
		}, func() {
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
