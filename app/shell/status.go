package shell

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

var stateIcons = map[string]string{
	Running: "play",
	Done:    "check",
	Partial: "warning",
	Failed:  "error",
}

// StateIcon returns the icon of a state; an invisible element for Idle.
func StateIcon(state string) app.UI {
	if icon := stateIcons[state]; icon != "" {
		return ui.Icon(icon)
	}
	return ui.None()
}

// statusLine is the bottom of the page: the state of the current view and, on request, the
// identifiers that reproduce its result.
func (f *Frame) statusLine() app.UI {
	s := f.status[f.Path]
	version := app.Getenv("BERTH_VERSION") // hash of the build
	return app.Footer().Class("status").DataSet("rove", "yes").Body(
		app.Span().Class("status-message status-"+s.State).Body( // not announced: the result has the same text
			StateIcon(s.State),
			app.Span().Title(s.Message).Text(s.Message),
		),
		app.Span().Class("reproduce").ID("reproduce").Hidden(!f.reproduces).Body(
			word(version, "version "+ui.Short(version)),
			word(s.Seed, "seed "+s.Seed),
			word(s.Engine, "engine "+s.Engine),
			f.hash("scenario", s.Scenario),
			f.hash("result", s.Result),
		),
		app.Button().Type("button").Class("hash").Title("Show version, seed, engine and hashes").
			Aria("expanded", f.reproduces).Aria("controls", "reproduce").DataSet("testid", "reproduce").Text("reproduce").
			OnClick(func(app.Context, app.Event) { f.reproduces = !f.reproduces }),
		app.If(len(f.missing) > 0, func() app.UI {
			return app.Span().DataSet("testid", "offline-missing").Title("Not stored for offline use yet: " + strings.Join(f.missing, ", ")).
				Text("offline: " + ui.Counted(len(f.missing), "file") + " missing")
		}),
		app.Span().Class("private").Text("private: stays here"),
		app.Range(places).Slice(func(i int) app.UI {
			if !places[i].Aside {
				return nil
			}
			return f.place(places[i])
		}),
		// In a new tab, because the documentation is not part of the program.
		app.A().Class("place").Href("/docs").Target("_blank").Text("Documentation"),
	)
}

func word(value, text string) app.UI {
	return app.If(value != "", func() app.UI { return app.Span().Text(text) })
}

// hash returns a button that shows the beginning of a hash and copies all of it.
func (f *Frame) hash(name, value string) app.UI {
	return app.If(value != "", func() app.UI {
		return app.Button().Type("button").Class("hash").Title("Copy the hash of the "+name+": "+value).
			Text(name+" "+ui.Short(value)).
			OnClick(func(ctx app.Context, _ app.Event) {
				Copy(ctx, value, "The hash of the "+name+" was copied.", "The browser does not allow copying: "+value)
			}, app.EventScope(name, value))
	})
}
