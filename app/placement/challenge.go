package placement

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// challenge is a placement that the user makes by hand, to compare with the best known one. It
// begins with the placement on screen and does not change the inputs.
type challenge struct {
	view *View

	of     *result // result that it began with; nil for none
	shown  int     // strategy that it began with
	placed []*byHand
	hand   *placementkind.Hand // of the placement in the picture; nil before the first
	drawn  lab.Latest
}

// byHand is a placement of all jobs.
type byHand struct{ placementkind.Assignment }

// on reports whether the placement by hand is on screen.
func (c *challenge) on() bool {
	v := c.view
	return c.of != nil && c.of == v.result && c.shown == v.shown && v.Phase == lab.Done && v.picture.pictureView() == drawing.ResultView
}

// unsuited says why a challenge is not possible; "" if it is.
func (c *challenge) unsuited() string {
	r := c.view.result
	switch {
	case r == nil || c.view.Phase != lab.Done || c.view.picture.pictureView() != drawing.ResultView:
		return "Run the inputs first"
	case len(r.deployments()) != 1 || r.priceless():
		return "A challenge needs one deployment, and prices"
	case !complete(r.report(c.view.shown)):
		return "A challenge begins with a placement of all jobs"
	}
	return ""
}

// button begins or ends the challenge.
func (c *challenge) button() app.UI {
	why := c.unsuited()
	title := why
	if why == "" {
		title = "Place the jobs by hand, and see how far you are from the cheapest possible"
	}
	return ui.Disabled(ui.Button("pin", "Challenge"), why != "").Title(title).Aria("pressed", c.on()).DataSet("testid", "challenge").
		OnClick(func(app.Context, app.Event) { c.toggle() })
}

func (c *challenge) toggle() {
	v := c.view
	if c.on() {
		c.of = nil
		v.picture.listJobs()
		v.picture.draw()
		shell.Announce(v.Page, "The challenge has ended.")
		return
	}
	v.comparison.beside.Open = false
	*c = challenge{view: v, of: v.result, shown: v.shown}
	c.put(v.result.report(v.shown).Deployments[0].Placement)
	v.Tab = ""
}

// now is the placement by hand.
func (c *challenge) now() *byHand { return c.placed[len(c.placed)-1] }

func (c *challenge) put(a placementkind.Assignment) {
	c.placed = append(c.placed, &byHand{a})
	c.draw()
}

// move puts a job on a cluster, even if the cluster refuses it: a later move may make room.
func (c *challenge) move(job, cluster string) {
	a := slices.Clone(c.now().Assignment)
	at := slices.IndexFunc(a, func(x placementkind.Assigned) bool { return x.Job == job })
	if at >= 0 && a[at].Cluster != cluster {
		a[at].Cluster = cluster
		c.put(a)
	}
}

// takeBack undoes the last move.
func (c *challenge) takeBack() {
	if n := len(c.placed); n > 1 {
		c.placed = c.placed[:n-1]
		c.draw()
	}
}

// draw draws the placement by hand and marks the jobs that the user moved. The headline
// changes together with the picture.
func (c *challenge) draw() {
	placements, ask, sketched := []placementkind.Assignment{c.now().Assignment}, c.ask(""), sketch{}
	draw := c.view.comparison.sketchOf(placements)
	lab.Ask(&c.drawn, c.view.Later, func() (hand *placementkind.Hand, err error) {
		if hand, err = ask(); err == nil {
			sketched, err = draw()
		}
		return hand, err
	}, func(hand *placementkind.Hand, err error) {
		if c.on() {
			c.hand = hand
			c.view.picture.showDrawing(sketched, err)
			c.view.picture.moved = movedBetween(placementsOf(c.of.report(c.shown)), placements)
			c.view.Tell()
		}
	})
}

// ask returns the question about the placement by hand, with the moves of a job unless that
// is "".
func (c *challenge) ask(job string) func() (*placementkind.Hand, error) {
	run, strategy := c.of.at(c.shown)
	query := placementkind.HandQuery{Strategy: strategy, Placement: c.now().Assignment, Job: job}
	return func() (*placementkind.Hand, error) {
		return bridge.Ask(c.view.Page, c.view.Engine, run, placementkind.HandQuestion, query)
	}
}

// headline compares the cost of the placement by hand with the lowest possible cost.
func (c *challenge) headline() headline {
	h := headline{text: "By hand", other: -1}
	hand := c.hand
	switch {
	case hand == nil:
	case len(hand.Refused) > 0:
		first := hand.Refused[0]
		h.text = "By hand: " + show.Count(len(hand.Refused), "job") + show.Verb(len(hand.Refused), " does", " do") + " not fit"
		h.details = []string{show.Words(first.Name + ": " + first.Text + ".")}
	case hand.Cost != nil:
		h.text, h.cost = c.of.placedAll()+" by hand", show.Money(*hand.Cost)
		h.best, h.details = distance(*hand.Cost, c.of.target())
	}
	return h
}

// target is the best known placement, with the best known lower bound.
func (r *result) target() placementkind.Certainty {
	t := r.certainty(r.report(r.cheapest()))
	if r.seeks() {
		if p := r.best.reached(); p != nil {
			t.Bound = max(t.Bound, p.Bound)
			if p.Cost.Defined() {
				t.Total = min(t.Total, float64(p.Cost))
			}
		}
	}
	return t
}

// distance describes the distance of a cost from the lowest possible cost, and whether it is
// proved.
func distance(cost float64, target placementkind.Certainty) (text string, details []string) {
	if !target.Proved {
		details = []string{fmt.Sprintf("Best found: %s, lower bound %s. No optimum is proved.", show.Money(target.Total), show.Money(target.Bound))}
		return placementkind.Certainty{Total: cost, Bound: target.Bound}.Above(), details
	}
	c := placementkind.Certainty{Total: cost, Bound: target.Total}
	if cost-target.Total <= provedWithin*cost {
		return "the cheapest possible (proved)", []string{"You reached it."}
	}
	return c.Gap() + " above the cheapest possible", []string{"The cheapest possible costs " + show.Money(target.Total) + " (proved)."}
}

// consequence describes the cost of a job on a cluster while the others stay, or the reason why the
// cluster refuses it.
func (c *challenge) consequence(job string, cluster drawing.ClusterUse) (text string, refused bool) {
	hand := lab.Know(c.view.Lab, [3]any{"hand", c.now(), job}, c.ask(job)).Answer
	if hand == nil {
		return "", false
	}
	return moveText(hand.Moves, cluster, "")
}

// card draws the moves of the chosen job, and the button that takes the last move back.
func (c *challenge) card() app.UI {
	e, clusters := c.view.why.explanation, c.view.picture.Overview.Clusters
	at := slices.IndexFunc(c.now().Assignment, func(a placementkind.Assigned) bool { return a.Job == e.Job })
	if at < 0 {
		return ui.None()
	}
	on := c.now().Assignment[at].Cluster
	return c.view.Stage.Card("Where should "+e.Name+" go?", c.view.why.step, c.view.why.steps(),
		app.Label().Class("move-to inline").Body(app.Span().Text("Move to"),
			ui.Select("challenge-move", on, func(cluster string) { c.move(c.view.why.explanation.Job, cluster) }, ui.Options(len(clusters), func(i int) (value, text string) {
				text = clusters[i].Name
				if known, _ := c.consequence(e.Job, clusters[i]); known != "" {
					text = known
				}
				return clusters[i].ID, text
			})...).Class("inline").DataSet("testid", "challenge-move")),
		app.Div().Class("row").Body(
			ui.Disabled(ui.Button("undo", "Take the move back"), len(c.placed) < 2).DataSet("testid", "challenge-back").OnClick(func(app.Context, app.Event) { c.takeBack() }),
			app.Span().Class("figures").Text(ui.Counted(len(c.placed)-1, "move")),
		),
		app.P().Class("hint").Text("Drag jobs to other clusters, or choose one and move it here. The others stay where they are."),
	)
}
