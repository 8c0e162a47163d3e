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

// decisions is the state of the film of an answer.
type decisions struct {
	lab.Player
	fallen int // number of decisions shown so far
}

// pause is the time that a film rests at each decision.
const pause = time.Second

// decide shows the cluster after the first fallen decisions.
func (x *askCluster) decide(fallen int) {
	if x.answer == nil {
		return
	}
	x.film.fallen = max(0, min(fallen, len(x.answer.Steps)))
	if x.film.fallen == len(x.answer.Steps) {
		x.film.Pause()
	}
	x.film.Rest(x.view.Page, pause, func() { x.decide(x.film.fallen + 1) })
}

// playDecisions starts or pauses the film. After the last decision the film starts
// again from the first.
func (x *askCluster) playDecisions() {
	x.film.Toggle(func() { x.decide(x.film.fallen % len(x.answer.Steps)) })
}

// decisionsPlayer draws the player of the decisions in an answer, above a board of the
// nodes with the pods that they have received so far.
func (x *askCluster) decisionsPlayer() app.UI {
	steps := x.answer.Steps
	if len(steps) == 0 {
		return ui.None()
	}
	at, text := x.film.fallen, "Before the first decision."
	if at > 0 {
		text = steps[at-1].Sentence()
	}
	step := func(icon, label, id string, to int, end bool) app.UI {
		return ui.Disabled(ui.IconButton(icon, label).DataSet("testid", id), end).OnClick(func(app.Context, app.Event) { x.decide(to) }, app.EventScope(id, to))
	}
	return app.Div().Body(
		x.film.Controls(lab.Controls{
			ID: "decisions", Part: "decisions-", Label: "Decisions of the scheduler", Step: "Decision", Play: "Play the decisions", At: int64(at), Last: int64(len(steps)), Text: text,
			Back: step("left", "Previous decision", "decisions-previous", at-1, at == 0), Next: step("right", "Next decision", "decisions-next", at+1, at == len(steps)),
			Toggle: x.playDecisions, Seek: func(to int64) { x.decide(int(to)) },
		}),
		decisionsBoard(steps, at),
	)
}

// mostChips limits the pods that are drawn.
const mostChips = 300

// decisionsBoard draws the nodes in the steps, with their pods after the first fallen decisions,
// and the waiting pods.
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
