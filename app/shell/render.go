package shell

import (
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Render draws the page. Its controls are filled once go-app has drawn it.
func (f *Frame) Render() app.UI {
	if f.page.Context != nil {
		f.page.Defer(func(app.Context) { ui.FillControls(false) })
	}
	var header, status app.UI
	if f.Embedded {
		status = f.embedLine()
	} else {
		header, status = f.header(), f.statusLine()
	}
	return app.Div().Class("frame").Body(
		f.skips(),
		f.printHead(),
		header,
		f.banners(),
		app.Main().ID("main").TabIndex(-1).Body(f.slots()...),
		status,
		app.Div().Class("toasts").Role("status").Aria("live", "polite").Aria("atomic", false), // controls.js fills it
		&ui.Dialog{ID: "palette", Class: "dialog-palette", Title: "Find a command",
			Open: f.dialog == dialogPalette, OnClose: f.closeDialog, Body: f.palette},
		&ui.Dialog{ID: "help", Title: "Shortcuts",
			Open: f.dialog == dialogHelp, OnClose: f.closeDialog, Body: f.help},
	)
}

// printHead is the head of a printed page: title, time, the address that opens it, and the hashes
// of scenario and result. On screen, other parts of the page show these.
func (f *Frame) printHead() app.UI {
	s := f.status[f.Path]
	head := app.Div().Class("print-head").Aria("hidden", true)
	if f.printed.IsZero() {
		return head
	}
	return head.Body(
		app.P().Body(app.Strong().Text(s.Title)),
		app.P().Text("Printed on "+f.printed.Format("2006-01-02 15:04 MST")+" from "+f.address),
		word(s.Scenario, "scenario "+s.Scenario+", "),
		word(s.Result, "result "+s.Result+", engine "+s.Engine),
	)
}

// beforePrint records the time and the address for the printed page.
func (f *Frame) beforePrint(app.Context, app.Event) {
	f.printed = time.Now()
	f.address = app.Window().Get("location").Get("href").String()
}

// skips are links to the content and to the parts of the view. They come first in the order of Tab.
func (f *Frame) skips() app.UI {
	links := []app.UI{skip("main", "content", func(ctx app.Context) { ui.Focus(ctx, "main") })}
	for _, c := range f.commands[f.Path] {
		if c.Part != "" {
			links = append(links, skip(c.ID, c.Part, c.Do))
		}
	}
	return app.Nav().Class("skips").DataSet("rove", "yes").Aria("label", "Parts of the page").Body(links...)
}

func skip(id, part string, do func(app.Context)) app.UI {
	return app.A().Class("skip").Href("#"+id).Text("Skip to the "+part).OnClick(func(ctx app.Context, e app.Event) {
		e.PreventDefault()
		e.Call("stopPropagation")
		do(ctx)
	}, app.EventScope(id, part))
}

func (f *Frame) header() app.UI {
	return app.Header().Class("top").DataSet("rove", "yes").Body(
		app.A().Class("brand").Href("/").Aria("label", "Berth, home").Body(ui.Icon("berth"), app.Span().Text("Berth")),
		app.Nav().Aria("label", "Systems").Body(
			app.Range(places).Slice(func(i int) app.UI {
				if places[i].Aside {
					return nil
				}
				return f.place(places[i])
			}),
		),
		app.Div().Class("top-tools").DataSet("rove", "yes").Role("toolbar").Aria("label", "Tools").Body(
			ui.IconButton("command", "Commands (Ctrl+K)").OnClick(func(ctx app.Context, _ app.Event) { f.openDialog(dialogPalette)(ctx) }),
			ui.IconButton("help", "Shortcuts (?)").OnClick(func(app.Context, app.Event) { f.dialog = dialogHelp }),
			ui.IconButton(themeName(f.theme), "Theme: "+themeName(f.theme)).
				DataSet("testid", "theme").DataSet("first", "yes").OnClick(func(ctx app.Context, _ app.Event) { f.switchTheme(ctx) }),
			app.Span().Class("private").Title("Everything is computed on this machine; nothing is uploaded.").
				Body(ui.Icon("lock"), app.Span().Text("stays here")),
			f.shareButton(),
		),
	)
}

// embedLine links an embedded page to the full page.
func (f *Frame) embedLine() app.UI {
	return app.Footer().Class("embed-line").Body(
		app.A().Href(Address(f.Path)).Target("_blank").Rel("noopener").DataSet("testid", "embed-open").
			Body(ui.Icon("berth"), app.Span().Text("Open in Berth")).OnClick(f.openWhole),
	)
}

// openWhole opens the full page with the same state, which the address has after the #.
func (f *Frame) openWhole(ctx app.Context, e app.Event) {
	e.PreventDefault()
	app.Window().Call("open", Address(f.Path)+app.Window().Get("location").Get("hash").String(), "_blank", "noopener")
}

func (f *Frame) place(v View) app.UI {
	link := app.A().Class("place").Href(v.Path).Text(v.Name)
	if v.Path == f.Path {
		link.Aria("current", "page")
	}
	return link
}

func (f *Frame) shareButton() app.UI {
	button := ui.Button("share", "Share").Aria("label", "Share").Class("primary").DataSet("testid", "share").OnClick(f.share)
	_, ok := f.command(CommandShare)
	return ui.Disabled(button, !ok)
}

func (f *Frame) share(ctx app.Context, _ app.Event) {
	if c, ok := f.command(CommandShare); ok {
		c.Do(ctx)
	}
}

// banners shows the error of the current view, the announcement of a new version and the notices.
// The alert element is always in the document, so that screen readers watch it. The banners are
// anchored at the bottom of the page. The error changes most and is on top, and each notice is
// above the older ones, so that no button moves while the user aims at it.
func (f *Frame) banners() app.UI {
	alert := app.Div().Class("alert").Role("alert").DataSet("testid", "error")
	if text := f.errors[f.Path]; text == "" {
		alert.Hidden(true)
	} else {
		alert.Body(
			ui.Icon("error"),
			app.P().Text(text),
			ui.IconButton("close", "Dismiss the error").OnClick(func(app.Context, app.Event) { delete(f.errors, f.Path) }),
		)
	}
	return app.Div().Class("notices").Body(
		alert,
		app.Div().Role("status").Body(app.If(f.update != "", func() app.UI {
			text := "A new version of Berth is ready."
			if f.update == "gone" {
				text = "Berth has a new version, and a file of this one is gone."
			}
			return app.Div().Class("banner").DataSet("testid", "update-notice").Body(
				app.P().Text(text+" Your inputs are kept."),
				ui.Button("", "Update").OnClick(func(app.Context, app.Event) {
					app.Window().Call("dispatchEvent", app.Window().Get("Event").New("berth:update-apply"))
				}),
				ui.Button("", "Later").OnClick(func(app.Context, app.Event) { f.update = "" }),
			)
		}), app.Range(f.notices).Slice(func(i int) app.UI { return f.notice(f.notices[i]) })),
	)
}

func (f *Frame) notice(m noticeMessage) app.UI {
	if m.path != "" && m.path != f.Path {
		return nil
	}
	n := m.notice
	return app.Div().Class("banner").DataSet("testid", n.ID).Body(
		app.P().Text(n.Text),
		app.Range(n.Actions).Slice(func(i int) app.UI {
			return ui.Button("", n.Actions[i].Name).OnClick(func(ctx app.Context, _ app.Event) {
				f.dropNotice(m)
				n.Actions[i].Do(ctx)
			}, app.EventScope(m.path, n.ID, n.Text, i))
		}),
		ui.IconButton("close", "Dismiss").OnClick(func(app.Context, app.Event) { f.dropNotice(m) }, app.EventScope(m.path, n.ID)),
	)
}

// slots returns one element per view. Hidden views keep their elements.
func (f *Frame) slots() []app.UI {
	var slots []app.UI
	known := false
	for _, v := range places {
		slot := app.Div().Class("view")
		if view := f.views[v.Path]; view != nil {
			slot.Body(view)
		}
		if v.Path != f.Path {
			slot.Hidden(true)
		}
		known = known || v.Path == f.Path
		slots = append(slots, slot)
	}
	if !known {
		slots = append(slots, ui.Empty("There is no page at this address.", app.A().Href("/").Text("Go to "+home().Name)))
	}
	return slots
}

func (f *Frame) palette() app.UI {
	return &palette{Commands: append(f.allCommands(), f.found...), OnRun: f.runFromPalette}
}

func (f *Frame) runFromPalette(ctx app.Context, c Command) {
	f.dialog = dialogNone
	c.Do(ctx)
}

func (f *Frame) help() app.UI {
	var rows []app.UI
	for _, c := range f.allCommands() {
		if len(c.Keys) > 0 {
			rows = append(rows, app.Tr().Body(app.Td().Body(keyCaps(c.Keys)...), app.Td().Text(c.Name)))
		}
	}
	rows = append(rows,
		app.Tr().Body(app.Td().Body(keyCaps([]string{"Esc"})...), app.Td().Text("Close what is open")))
	return app.Table().Class("shortcuts").Body(
		app.Caption().Text("Single letters are not shortcuts while you type. On a Mac, Ctrl is ⌘."),
		app.TBody().Body(rows...),
	)
}

// keyCaps draws the keys of a command; "or" separates alternatives.
func keyCaps(keys []string) []app.UI {
	var caps []app.UI
	for i, sequence := range keys {
		if i > 0 {
			caps = append(caps, app.Text(" or "))
		}
		for key := range strings.FieldsSeq(strings.ReplaceAll(sequence, "+", " ")) {
			caps = append(caps, app.Kbd().Text(key))
		}
	}
	return caps
}
