package placement

import (
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// decisions is the film of an answer of a cluster.
type decisions struct {
	lab.Player
	fallen int // how many decisions have fallen
}

// pause is how long a film of decisions rests on each.
const pause = time.Second

// decide shows the cluster after this number of decisions.
func (v *View) decide(fallen int) {
	x := &v.clusterAsk
	if x.answer == nil {
		return
	}
	x.film.fallen = max(0, min(fallen, len(x.answer.Steps)))
	if x.film.fallen == len(x.answer.Steps) {
		x.film.Pause()
	}
	x.film.Rest(v.Page, pause, func() { v.decide(x.film.fallen + 1) })
}

// playDecisions begins a film, from the first decision where the last one is shown, or
// ends it.
func (v *View) playDecisions() {
	x := &v.clusterAsk
	x.film.Toggle(func() { v.decide(x.film.fallen % len(x.answer.Steps)) })
}

// decisionsPlayer is the player of the decisions of an answer, above the nodes and the pods
// that they have taken so far.
func (v *View) decisionsPlayer() app.UI {
	x := &v.clusterAsk
	steps := x.answer.Steps
	if len(steps) == 0 {
		return ui.None()
	}
	at, text := x.film.fallen, "Before the first decision."
	if at > 0 {
		text = steps[at-1].Sentence()
	}
	step := func(icon, label, id string, to int, end bool) app.UI {
		return ui.Disabled(ui.IconButton(icon, label).DataSet("testid", id), end).OnClick(func(app.Context, app.Event) { v.decide(to) }, app.EventScope(id, to))
	}
	return app.Div().Body(
		x.film.Controls(lab.Controls{
			ID: "decisions", Part: "decisions-", Label: "Decisions of the scheduler", Step: "Decision", Play: "Play the decisions", At: int64(at), Last: int64(len(steps)), Text: text,
			Back: step("left", "Previous decision", "decisions-previous", at-1, at == 0), Next: step("right", "Next decision", "decisions-next", at+1, at == len(steps)),
			Toggle: v.playDecisions, Seek: func(to int64) { v.decide(int(to)) },
		}),
		decisionsBoard(steps, at),
	)
}

// mostChips is how many pods are drawn.
const mostChips = 300

// decisionsBoard has the nodes that decisions are about, with the pods that are on them
// after some of these, and the pods that wait.
func decisionsBoard(steps []placementkind.ClusterStep, fallen int) app.UI {
	var nodes []string
	on := map[string][]app.UI{}
	note := func(node string) {
		if node != "" && !slices.Contains(nodes, node) {
			nodes = append(nodes, node)
		}
	}
	for i := range steps[:min(len(steps), mostChips)] {
		s := &steps[i]
		note(s.From)
		note(s.To)
		where := s.From
		if i < fallen {
			where = s.To
		}
		on[where] = append(on[where], jobChip(show.Text(s.Pod), i == fallen-1))
	}
	slices.Sort(nodes)
	boxes := []app.UI{app.Div().Class("board-waiting").Body(slices.Concat(
		[]app.UI{app.Span().Class("board-name").Text(ui.Counted(len(on[""]), "pod") + " without a node")}, on[""])...)}
	for _, node := range nodes {
		boxes = append(boxes, app.Div().Class("board-cluster").Body(slices.Concat(
			[]app.UI{app.Span().Class("board-name").Text(show.Text(node))}, on[node])...))
	}
	return app.Div().Class("board").DataSet("testid", "decisions-board").Role("group").Aria("label", "Nodes and the pods that are decided about").Body(boxes...)
}
