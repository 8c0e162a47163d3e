package placement

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/show"
)

// mostFirst limits the clusters in the card of a step.
const mostFirst = 4

// whyCard draws the short explanation of a job.
func (w *why) whyCard() app.UI {
	switch {
	case w.view.result == nil:
		return ui.Empty("Berth says here why each job is where it is.")
	case w.view.picture.pictureView() == nodesView:
		return w.view.clusterAsk.nodesCard()
	case w.problem != "":
		return ui.Problem(w.problem)
	case w.whyPlayed():
		return w.playedCard()
	case w.view.challenge.on() && w.explanation != nil:
		return w.view.challenge.card()
	case w.explanation == nil:
		return app.P().Text("Explaining …")
	}
	e := w.explanation
	return w.view.Stage.Card(questionOf(e), w.step, w.steps(),
		w.attemptNote(),
		app.P().Text(show.Words(answerOf(e))),
		app.P().Text(show.Words(neighbourhood(e))),
		lab.Refused(len(e.Refusals), "other cluster", func(i int) (name, why string) { return e.Refusals[i].Name, e.Refusals[i].Text }),
		w.view.moveTo(),
		app.P().Class("hint").Text("Click or tap a job to see why it is there; drag it to put it elsewhere."),
	)
}

// playedCard lists the first clusters that the job of the played step can choose from.
func (w *why) playedCard() app.UI {
	s := w.view.play.shown
	first := s.Row.PA[:min(len(s.Row.PA), mostFirst)]
	return w.view.Stage.Card("Which cluster takes "+s.Row.Name+"?", int(s.Step), int(s.Steps),
		app.P().Text(show.Words(s.Text)+"."),
		app.Div().Body(ui.Explained("Its PA has the clusters by CM over NAM:")...),
		app.Dl().Body(app.Range(first).Slice(func(i int) app.UI {
			c := &first[i]
			return app.Div().Body(app.Dt().Text(show.Text(c.Name)), app.Dd().Class("figures").Text(
				fmt.Sprintf("%s / %s = %s", ui.Number(c.CM), ui.Number(c.NAM), ui.Number(c.Ratio))))
		})),
		app.P().Class("hint").Text(ui.Counted(len(s.Row.Refusals), "cluster")+" refuse it at this step."),
	)
}

func questionOf(e *placement.Explanation) string {
	i := slices.IndexFunc(e.PA, func(c placement.Candidate) bool { return c.Chosen })
	if i < 0 {
		return "Why is " + e.Name + " not placed?"
	}
	return "Why is " + e.Name + " on " + e.PA[i].Name + "?"
}

// answerOf describes the rank of the job's cluster among the clusters that could take the job.
func answerOf(e *placement.Explanation) string {
	i := slices.IndexFunc(e.PA, func(c placement.Candidate) bool { return c.Chosen })
	if i < 0 {
		return "No cluster could take it after the jobs before it."
	}
	chosen, could := e.PA[i], len(e.PA)
	if could == 1 {
		return fmt.Sprintf("%s is the only cluster that could take it. It costs %s there.", chosen.Name, show.Money(chosen.CM))
	}
	text := fmt.Sprintf("%s is the %s choice of the %d clusters that could take it. It costs %s there", chosen.Name, ordinal(i+1), could, show.Money(chosen.CM))
	if e.Order == "" {
		text = fmt.Sprintf("It costs %s there. The heuristic would try %s %s of the %d clusters that could take it", show.Money(chosen.CM), chosen.Name, ordinal(i+1), could)
	} else if i+1 < could {
		text += fmt.Sprintf(", on %s %s", e.PA[i+1].Name, show.Money(e.PA[i+1].CM))
	}
	text += "."
	if tried := slices.ContainsFunc(e.PA[:i], func(c placement.Candidate) bool { return c.Tried }); tried {
		text += " Better ones were tried and undone: a later job could not be placed."
	}
	return text
}
