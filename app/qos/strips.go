package qos

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/engine/qos/qoskind"
)

// stripsQuery asks for strips of at most this number of cells, of the one policy of a part.
var stripsQuery = qoskind.StripsQuery{Max: 1000}

// askStrips has the availabilities of the requests binned, policy by policy. The strips of a class
// are together, and there before their values.
func (v *View) askStrips(r *result) {
	f := r.figures // further seeds may make others before the answers
	for _, class := range r.classNames() {
		for _, one := range r.there() {
			if one.did.Run.Class(class) != nil {
				f.strips = append(f.strips, chart.Strip{Group: class, Name: one.policy.Title()})
			}
		}
	}
	for _, one := range r.there() {
		f.stripsAwaited++
		lab.AskOf(v.Lab, nil, one.Result, qoskind.StripsQuestion, stripsQuery, func(strips []qoskind.Strip, err error) {
			if err != nil {
				f.stripsProblem = err.Error()
			}
			f.stripsAwaited--
			f.strips = slices.Clone(f.strips) // charts compare what they are given
			for i := range f.strips {
				to := &f.strips[i]
				if k := slices.IndexFunc(strips, func(s qoskind.Strip) bool { return s.Name == to.Group }); k >= 0 && to.Name == one.policy.Title() {
					to.Values, to.Limit = strips[k].Mean, strips[k].SLO
				}
			}
		})
	}
}

// availability shows the availability of each controller and each request (figures 4 and 5), and
// its distribution.
func (v *View) availability() []app.UI {
	f := v.result.figures
	all := []app.UI{v.controlled(), v.stripsChart()}
	var spread []app.UI
	for _, class := range v.result.classNames() {
		spread = append(spread, &chart.Chart{ID: "qos-histogram-" + slug(class), Title: "Availability of " + class,
			Of: chart.Histogram{XLabel: "availability", YLabel: "requests", Edges: f.edges, Series: f.counts[class]}})
	}
	return append(all, app.Div().Class("tiles").Body(spread...))
}

// stripsChart shows the availability of each request.
func (v *View) stripsChart() app.UI {
	f := v.result.figures
	return &chart.Chart{ID: "qos-strips", Title: "Availability of each request, in order of arrival", Empty: f.stripsProblem, Waiting: f.stripsAwaited > 0,
		Of: chart.Strips{Item: "request", Value: "availability", Items: f.strips}}
}

// askShapes asks for the distribution of each policy's deficits, for the violins of
// figure 7. Without an answer there are boxes.
func (v *View) askShapes(r *result) {
	f := r.figures // a further seed may make others before the answers
	for _, one := range r.there() {
		lab.AskOf(v.Lab, nil, one.Result, qoskind.ShapesQuestion, qoskind.ShapesQuery{}, func(shapes []qoskind.Density, err error) {
			if err == nil {
				f.addShapes(one.policy.Title(), shapes)
			}
		})
	}
}

func (f *figures) addShapes(title string, shapes []qoskind.Density) {
	f.deficits = slices.Clone(f.deficits) // charts compare what they are given
	for i := range f.deficits {
		box := &f.deficits[i]
		at := slices.IndexFunc(shapes, func(s qoskind.Density) bool { return s.Name == box.Group && box.Name == title })
		if at >= 0 {
			box.Shape = shapes[at].Density
		}
	}
}
