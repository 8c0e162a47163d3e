package shell

import (
	"sort"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// palette is a list of commands that the user filters by typing: a combobox with a list box, as
// ARIA defines them.
type palette struct {
	app.Compo

	Commands []Command
	OnRun    func(ctx app.Context, c Command)

	pattern string
	at      int // index of the marked command in the filtered list
}

// OnMount puts the caret into the field.
func (p *palette) OnMount(ctx app.Context) { ui.Focus(ctx, "palette-field") }

// Render draws the field and the commands that fit.
func (p *palette) Render() app.UI {
	found := filter(p.Commands, p.pattern)
	field := app.Input().Type("text").ID("palette-field").Role("combobox").
		Placeholder("Type part of its name").AutoComplete(false).Spellcheck(false).
		Aria("label", "Command").Aria("controls", "palette-list").Aria("expanded", true).
		OnInput(p.input).OnKeyDown(p.press)
	if len(found) > 0 {
		field.Aria("activedescendant", p.optionID(p.at))
	}
	return app.Div().Class("palette").Body(
		field,
		app.Ul().ID("palette-list").Role("listbox").Aria("label", "Commands").Body(
			app.Range(found).Slice(func(i int) app.UI { return p.option(i, found[i]) }),
		),
		app.If(len(found) == 0, func() app.UI { return app.P().Class("empty").Text("No command matches.") }),
	)
}

func (p *palette) optionID(i int) string { return "palette-" + strconv.Itoa(i) }

func (p *palette) option(i int, c Command) app.UI {
	return app.Li().ID(p.optionID(i)).Role("option").Aria("selected", i == p.at).
		OnClick(func(ctx app.Context, _ app.Event) { p.OnRun(ctx, c) }, app.EventScope(c.ID, p.pattern)).
		Body(
			app.Span().Text(c.Name),
			app.Span().Class("keys").Body(keyCaps(c.Keys)...),
		)
}

func (p *palette) input(ctx app.Context, _ app.Event) {
	p.pattern = ctx.JSSrc().Get("value").String()
	p.at = 0
}

func (p *palette) press(ctx app.Context, e app.Event) {
	found := filter(p.Commands, p.pattern)
	if len(found) == 0 {
		return
	}
	switch e.Get("key").String() {
	case "ArrowDown":
		p.at = (p.at + 1) % len(found)
	case "ArrowUp":
		p.at = (p.at + len(found) - 1) % len(found)
	case "Enter":
		p.OnRun(ctx, found[p.at])
	default:
		return
	}
	e.PreventDefault()
	ctx.Defer(func(app.Context) {
		if option := app.Window().GetElementByID(p.optionID(p.at)); option.Truthy() {
			option.Call("scrollIntoView", map[string]any{"block": "nearest"})
		}
	})
}

// most limits the list of commands. A list of all jobs would be slow, and too long to read.
const most = 50

// filter returns the commands whose names fit the pattern, best first. Commands with the same score
// keep their order, and things come after commands.
func filter(commands []Command, pattern string) []Command {
	type scored struct {
		Command
		score int
	}
	var fits []scored
	for _, c := range commands {
		score := -1
		switch {
		case !c.Thing:
			score = fuzzy(pattern, c.Name)
		case hasWords(pattern, c.Name):
			score = 0
		}
		if score >= 0 {
			fits = append(fits, scored{c, score})
		}
	}
	sort.SliceStable(fits, func(i, j int) bool { return fits[j].score < fits[i].score })
	found := make([]Command, min(len(fits), most))
	for i := range found {
		found[i] = fits[i].Command
	}
	return found
}
