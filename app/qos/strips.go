package qos

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// shownStrip is how many cells a strip has at most.
const shownStrip = 1000

// askStrips has the availabilities of the requests binned, policy by policy.
// askSide asks about the requests of one run; it blocks.
func askSide[Query, Answer any](v *View, one *run, question *scenario.Question[Query, Answer], q Query) (a Answer, err error) {
	files := map[string]bridge.Blob{}
	if err := one.Result.PutArrays(files, qoskind.SideFiles(qoskind.FirstSide, 0)); err != nil {
		return a, err
	}
	return bridge.AskTool(v.Page, v.Engine, question, q, files)
}

func (v *View) askStrips(r *result) {
	there := r.there()
	found := make([][]qoskind.Strip, len(there))
	for i, one := range there {
		query := qoskind.StripsQuery{Classes: r.report.Classes, Max: shownStrip}
		r.figures.strips = append(r.figures.strips, r.roomFor(one)...)
		r.figures.stripsAwaited++
		var strips []qoskind.Strip
		var err error
		v.Later(func() { strips, err = askSide(v, one, qoskind.StripsQuestion, query) }, func() {
			if err != nil {
				r.figures.stripsProblem = err.Error()
			}
			found[i] = strips
			r.figures.stripsAwaited--
			if r.figures.stripsAwaited == 0 {
				r.figures.strips = r.stripsOf(there, found)
			}
		})
	}
}

// roomFor are the strips of a run before they are there.
func (r *result) roomFor(one *run) []chart.Strip {
	var strips []chart.Strip
	for _, class := range r.classNames() {
		if classFigures(&one.did.Run, class) != nil {
			strips = append(strips, chart.Strip{Group: class, Name: one.policy.Title()})
		}
	}
	return strips
}

// stripsOf puts the strips of a class together.
func (r *result) stripsOf(there []*run, found [][]qoskind.Strip) []chart.Strip {
	var all []chart.Strip
	for _, class := range r.classNames() {
		for i, strips := range found {
			for _, s := range strips {
				if s.Name == class {
					all = append(all, chart.Strip{Group: class, Name: there[i].policy.Title(), Values: s.Mean, Limit: s.SLO})
				}
			}
		}
	}
	return all
}

// availability has what each controller and each request got (figures 4 and 5),
// and how that is spread.
func (v *View) availability() []app.UI {
	f := v.result.figures
	all := []app.UI{v.controlled(), &chart.Strips{
		ID: "qos-strips", TestID: "qos-strips", Title: "Availability of each request, in order of arrival",
		Empty: f.stripsProblem, Waiting: f.stripsAwaited > 0, Item: "request", Value: "availability", Items: f.strips,
	}}
	var spread []app.UI
	for _, class := range v.result.classNames() {
		spread = append(spread, &chart.Histogram{
			ID: "qos-histogram-" + slug(class), Title: "Availability of " + class, XLabel: "availability", YLabel: "requests",
			Edges: f.edges, Series: f.over.counts[class],
		})
	}
	return append(all, app.Div().Class("tiles").Body(spread...))
}
