package lab

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/show"
)

// Player plays a sequence of steps as a film and pauses at each step. The view draws the steps.
type Player struct{ film, films int }

// Playing reports whether a film runs.
func (p *Player) Playing() bool { return p.film > 0 }

// Pause ends the film at the current step.
func (p *Player) Pause() { p.film = 0 }

// Toggle pauses the film. If none runs, it starts a film and calls first to show the
// first step.
func (p *Player) Toggle(first func()) {
	if p.Playing() {
		p.Pause()
		return
	}
	p.begin()
	first()
}

func (p *Player) begin() {
	p.films++
	p.film = p.films
}

// Rest calls next after the given time, unless the user paused the film or moved to another step
// meanwhile.
func (p *Player) Rest(page app.Context, while time.Duration, next func()) {
	if !p.Playing() {
		return
	}
	p.begin()
	film := p.film
	page.After(while, func(app.Context) {
		if film == p.film {
			next()
		}
	})
}

// Controls describes the controls of a player: a sentence, buttons and a slider.
type Controls struct {
	ID         string // data-testid: "player"
	Part       string // beginning of the data-testids of the text, the slider and the play button: "player-"
	Label      string // "Steps of the search"
	Step       string // "Step of the search"; its first word is in the sentence
	Play       string // "Play"
	At, Last   int64  // position of the slider, from 0
	First      int64  // number of position 0 in the sentence, 0 or 1
	Text       string
	Back, Next app.UI
	More       []app.UI // further controls, after the slider
	Toggle     func()
	Seek       func(int64)
}

// Controls draws the controls that c describes. The play button pauses a running film.
func (p *Player) Controls(c Controls) app.UI {
	icon, label := "play", c.Play
	if p.Playing() {
		icon, label = "pause", "Pause"
	}
	noun, _, _ := strings.Cut(c.Step, " ")
	place := fmt.Sprintf("%s %s of %s: ", noun, ui.Count(c.At+c.First), ui.Count(c.Last+c.First))
	return app.Section().Class("player").DataSet("testid", c.ID).Aria("label", c.Label).Body(
		app.P().Class("player-text").Role("status").DataSet("testid", c.Part+"text").Body(
			app.Span().Class("figures").Text(place), app.Text(show.Words(c.Text))),
		app.Div().Class("row").Body(append([]app.UI{
			c.Back,
			ui.IconButton(icon, label).DataSet("testid", c.Part+"play").OnClick(func(app.Context, app.Event) { c.Toggle() }, app.EventScope(label)),
			c.Next,
			Slider(c.Step, place+c.Text, c.At, c.Last, "input", c.Seek).DataSet("testid", c.Part+"step"),
		}, c.More...)...),
	)
}

// Steps returns the controls of a list of n steps: two buttons, a slider and the number
// of the current step. at is the index of that step, from 0. on is the event of the
// slider that calls seek.
func Steps(button func(by int, end bool) app.HTMLButton, label string, at, n int, on string, seek func(int)) []app.UI {
	one, of := ui.Count(int64(at+1)), ui.Count(int64(n))
	return []app.UI{
		button(-1, at == 0),
		Slider(label, one+" of "+of, int64(at), int64(n-1), on, func(step int64) { seek(int(step)) }),
		app.Span().Class("figures").Text(one + "/" + of),
		button(+1, at == n-1),
	}
}

// PlayedAt returns the time, in seconds, of the player in the element [arrangement.PlayerID];
// NaN for no player.
func (a *arrangement[I]) PlayedAt() float64 {
	if app.IsServer {
		return math.NaN() // only a browser has the player
	}
	slider := app.Window().Get("document").Call("querySelector", "#"+a.PlayerID()+" input[type=range]")
	if !slider.Truthy() {
		return math.NaN()
	}
	return slider.Get("valueAsNumber").Float()
}

// Slider selects a step from 0 to last. on is the event that calls seek: "input" while
// the user drags, or "change" afterward.
func Slider(label, text string, at, last int64, on string, seek func(int64)) app.HTMLInput {
	slider := app.Input().Type("range").Min(0).Max(last).Aria("label", label).Aria("valuetext", text)
	return ui.Taking(ui.Showing(slider, strconv.FormatInt(at, 10)), on, func(_ app.Context, value string) {
		if step, err := strconv.ParseInt(value, 10, 64); err == nil {
			seek(step)
		}
	})
}
