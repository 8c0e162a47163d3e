package placement

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// decisions is the film of an answer of a cluster: how many decisions have fallen.
type decisions struct {
	fallen  int
	playing int // number of the film that runs; 0 for none
	films   int
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
		x.film.playing = 0
	}
}

// playDecisions begins a film, from the first decision where the last one is shown, or
// ends it.
func (v *View) playDecisions() {
	x := &v.clusterAsk
	if x.film.playing > 0 {
		x.film.playing = 0
		return
	}
	if x.film.fallen == len(x.answer.Steps) {
		x.film.fallen = 0
	}
	x.film.films++
	x.film.playing = x.film.films
	v.goOnDeciding(x.film.playing)
}

func (v *View) goOnDeciding(film int) {
	v.Page.After(pause, func(app.Context) {
		if x := &v.clusterAsk; film == x.film.playing {
			v.decide(x.film.fallen + 1)
			if x.film.playing > 0 {
				v.goOnDeciding(film)
			}
		}
	})
}

// decisionsPlayer is the player of the decisions of an answer, above the nodes and the pods
// that they have taken so far.
func (v *View) decisionsPlayer() app.UI {
	x := &v.clusterAsk
	steps := x.answer.Steps
	if len(steps) == 0 {
		return ui.None()
	}
	at := x.film.fallen
	text := "Before the first decision."
	if at > 0 {
		text = steps[at-1].Sentence()
	}
	icon, label := "play", "Play the decisions"
	if x.film.playing > 0 {
		icon, label = "pause", "Pause"
	}
	step := func(icon, label, id string, to int, end bool) app.UI {
		return ui.Disabled(ui.IconButton(icon, label).DataSet("testid", id), end).OnClick(func(app.Context, app.Event) { v.decide(to) }, app.EventScope(id, to))
	}
	return app.Section().Class("player").DataSet("testid", "decisions").Aria("label", "Decisions of the scheduler").Body(
		app.P().Class("player-text").Role("status").DataSet("testid", "decisions-text").Body(
			app.Span().Class("figures").Text(fmt.Sprintf("Decision %s of %s: ", ui.Count(int64(at)), ui.Count(int64(len(steps))))), app.Text(show.Words(text))),
		app.Div().Class("row").Body(
			step("left", "Previous decision", "decisions-previous", at-1, at == 0),
			ui.IconButton(icon, label).DataSet("testid", "decisions-play").OnClick(func(app.Context, app.Event) { v.playDecisions() }, app.EventScope(label)),
			step("right", "Next decision", "decisions-next", at+1, at == len(steps)),
			ui.Taking(ui.Showing(app.Input().Type("range").Min(0).Max(len(steps)), strconv.Itoa(at)).
				DataSet("testid", "decisions-step").Aria("label", "Decision").Aria("valuetext", text), "input", func(_ app.Context, value string) {
				if to, err := strconv.Atoi(value); err == nil {
					v.decide(to)
				}
			}),
		),
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
