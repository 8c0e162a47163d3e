package qos

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

// stagePicture draws all policies one above the other, or two of them side by side.
func (v *View) stagePicture() app.UI {
	l := v.why.lives()
	if !v.beside.Open || l == nil || max(v.beside.Sides[0], v.beside.Sides[1]) >= len(l.Panels) {
		return v.why.livesChart()
	}
	names := make([]string, len(l.Panels))
	for i, p := range l.Panels {
		names[i] = p.Name
	}
	return v.Pins.BesidePane(&v.beside, names, func() {}, v.why.sideChart)
}

// compareOnStage opens or closes the side-by-side view of two policies.
func (v *View) compareOnStage() {
	pictured := 0
	if v.result != nil && v.why.lives() != nil {
		pictured = len(v.why.lives().Panels)
	}
	v.Pins.CompareOnStage(&v.beside, 0, lab.FirstOf(pictured))
}

// whyCard draws the short explanation of a decision.
func (v *View) whyCard() app.UI {
	e := v.why.explained().Answer
	if e == nil {
		return v.why.unexplained()
	}
	question := "Why can no host take " + qoskind.Called(e.Request.ID, e.Request.Controller) + "?"
	if e.Chosen >= 0 {
		question = "Why does " + qoskind.Called(e.Request.ID, e.Request.Controller) + " go to " + e.Candidates[e.Chosen].Host + "?"
	}
	refused := slices.DeleteFunc(slices.Clone(e.order), func(i int) bool { return e.Candidates[i].Feasible })
	return v.Stage.Card(question, v.why.decision, v.why.decisions(),
		app.Div().Body(ui.Explained(show.Words(e.head()))...),
		lab.Refused(len(refused), "other host", func(i int) (name, why string) {
			return e.Candidates[refused[i]].Host, string(e.Candidates[refused[i]].Reason)
		}),
	)
}
