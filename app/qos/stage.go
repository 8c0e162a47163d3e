package qos

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/show"
)

// mostRefused is how many hosts that could not take a request the card on the stage has.
const mostRefused = 4

// stagePane is the headline and the picture.
func (v *View) stagePane() app.UI {
	return app.Div().Class("result").Body(
		v.resultStatus(),
		v.RunProgress("Simulating"),
		lab.Picture(app.If(v.result != nil, v.livesChart)),
	)
}

// whyCard is the explanation of a decision in short.
func (v *View) whyCard() app.UI {
	w := &v.why
	switch {
	case w.problem != "":
		return ui.Problem(w.problem)
	case v.inexact():
		return app.P().Text(v.inexactText())
	case w.explanation == nil:
		return ui.Empty(v.noWhy())
	}
	e := w.explanation
	question := "Why can no host take " + subject(e.Request.ID, e.Request.Controller) + "?"
	if e.Chosen >= 0 {
		question = "Why does " + subject(e.Request.ID, e.Request.Controller) + " go to " + e.Candidates[e.Chosen].Host + "?"
	}
	refused := slices.DeleteFunc(slices.Clone(w.order), func(i int) bool { return e.Candidates[i].Feasible })
	listed := refused[:min(len(refused), mostRefused)]
	return v.Card(question, w.decision, v.decisions(),
		app.Div().Body(ui.Explained(show.Words(w.head()))...),
		app.If(len(listed) > 0, func() app.UI {
			return app.Div().Body(app.H3().Text("Refused"), app.Dl().Body(app.Range(listed).Slice(func(i int) app.UI {
				c := &e.Candidates[listed[i]]
				return app.Div().Body(app.Dt().Text(show.Text(c.Host)), app.Dd().Text(show.Words(c.Reason)))
			})))
		}),
		app.If(len(refused) > len(listed), func() app.UI {
			return app.P().Class("hint").Text("and " + ui.Counted(len(refused)-len(listed), "other host") + ".")
		}),
	)
}
