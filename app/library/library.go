package library

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/store"
)

// Path is the path of the library below the root of the site.
const Path = "/library"

// Library lists the scenarios and runs that the browser keeps.
type Library struct {
	app.Compo
	shelf *Shelf
	open  func(ctx app.Context, name string, s scenario.Scenario)             // shows a scenario in its own view
	pair  func(ctx app.Context, name string, before, after scenario.Scenario) // compares two scenarios

	page           app.Context
	saved, history []item
	broken         []store.Broken
	rows, rowsSize int // results of runs: their number and their bytes
	loaded         bool
	asked          int       // number of the last request for the lists; an earlier request may finish after it
	renaming       string    // id of the entry whose name is being edited
	comparing      string    // id of the first entry of a pair; "": none
	deleted        []removal // Undo restores the last one first
}

// item is an entry of a list with its key figures.
type item struct {
	store.Entry
	figures string
	earlier string // note that an earlier engine computed them, or ""
}

// removal is a deleted entry with its list.
type removal struct {
	store.Entry
	saved bool
}

// New returns the library. open shows a scenario in the view of its kind; pair shows
// the comparison of two scenarios there.
func New(shelf *Shelf, open func(app.Context, string, scenario.Scenario), pair func(ctx app.Context, name string, before, after scenario.Scenario)) *Library {
	return &Library{shelf: shelf, open: open, pair: pair}
}

// OnMount reads the lists.
func (l *Library) OnMount(ctx app.Context) {
	l.page = ctx
	shell.SetStatus(ctx, Path, shell.Status{State: shell.Idle, Message: "Saved scenarios and recent runs"})
	shell.OnFiles(ctx, Path, l.importFiles)
	l.shelf.Tell(ctx)
	l.shelf.added = func() { ctx.Dispatch(l.OnNav) }
	l.refresh()
}

// OnPreRender does the work of OnMount in the build, which has no browser.
func (l *Library) OnPreRender(ctx app.Context) { l.OnMount(ctx) }

// OnNav reads the lists again, because other views may have saved entries since.
func (l *Library) OnNav(ctx app.Context) {
	if shell.Active(ctx, Path) {
		l.refresh()
	}
}

// later runs work off the page's goroutine, then calls then on it, or shows the error of the work.
func (l *Library) later(what string, work func(ctx context.Context) error, then func()) {
	var err error
	l.page.Async(func() {
		err = work(l.page)
		l.page.Dispatch(func(app.Context) {
			if err != nil {
				shell.SetError(l.page, Path, what+": "+err.Error())
				return
			}
			then()
		})
	})
}

// act is later for an action of the user; it clears earlier errors first.
func (l *Library) act(what string, work func(ctx context.Context) error, then func()) {
	shell.SetError(l.page, Path, "")
	l.later(what, work, then)
}

func (l *Library) refresh() {
	if l.page.Context == nil {
		return // not mounted yet
	}
	l.asked++
	asked := l.asked
	var saved, history []item
	var broken []store.Broken
	var rows, size int
	l.later("The library could not be read", func(ctx context.Context) (err error) {
		s := l.shelf.get(ctx)
		saved, err = items(ctx, s, s.Saved)
		if err != nil {
			return err
		}
		history, err = items(ctx, s, s.History)
		if err != nil {
			return err
		}
		broken, err = s.Broken(ctx)
		if err != nil {
			return err
		}
		rows, size, err = s.RowsKept(ctx)
		return err
	}, func() {
		if asked == l.asked {
			l.rows, l.rowsSize = rows, size
			damaged := func(e item) bool {
				return slices.ContainsFunc(broken, func(b store.Broken) bool { return b.ID == e.ID })
			}
			l.saved, l.history, l.broken, l.loaded = slices.DeleteFunc(saved, damaged), slices.DeleteFunc(history, damaged), broken, true
		}
	})
}

func items(ctx context.Context, s *store.Store, list func(context.Context) ([]store.Entry, error)) ([]item, error) {
	entries, err := list(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]item, len(entries))
	for i, e := range entries {
		all[i].Entry = e
		if report, err := s.Result(ctx, e.Hash); err == nil {
			all[i].figures, all[i].earlier = keyFigures(report)
		}
	}
	return all, nil
}

// Render draws the two lists.
func (l *Library) Render() app.UI {
	return app.Div().Class("library").Body(
		app.H1().Text("Library"),
		app.P().Class("note").Text("The scenarios that you saved and your last runs. Only this browser keeps them."),
		app.Div().Class("row").Body(
			ui.Button("download", "Export everything").OnClick(l.exportAll),
			&ui.DropZone{ID: "library-import", TestID: "library-import", Label: "Import a file",
				Hint: "a library or a scenario, .json", Accept: ".json,.gz,application/json,application/gzip", Limit: store.MaxArchive, OnFiles: l.importFiles},
		),
		app.If(len(l.deleted) > 0, func() app.UI {
			return app.P().Class("banner").Body(app.Span().Text("Deleted."),
				ui.Button("undo", "Undo").OnClick(l.undelete))
		}),
		app.Section().DataSet("testid", "library-list").Aria("label", "Saved and recent scenarios").Body(
			app.H2().Text("Saved"),
			l.list(l.saved, true, "Nothing is saved yet. Press Save next to Run to save a scenario."),
			app.H2().Text("History"),
			l.list(l.history, false, "No run yet. This list keeps your last 50 runs."),
			app.If(len(l.broken) > 0, l.brokenList),
		),
		app.If(l.loaded, l.rowsKept),
	)
}

// rowsKept shows how many results of experiments are kept, and offers to remove them.
func (l *Library) rowsKept() app.UI {
	return app.Section().Aria("label", "Results of experiments").Body(
		app.H2().Text("Results of experiments"),
		app.P().Body(app.Span().DataSet("testid", "rows-kept").Text(rowsText(l.rows, l.rowsSize))),
		app.If(l.rows > 0, func() app.UI {
			return ui.Button("trash", "Remove these results").DataSet("testid", "rows-clear").OnClick(l.clearRows)
		}),
	)
}

func (l *Library) list(items []item, saved bool, empty string) app.UI {
	switch {
	case !l.loaded:
		return app.P().Text("Reading …")
	case len(items) == 0 && len(l.broken) > 0:
		return ui.Empty("Nothing here can be read. What is damaged is listed below.")
	case len(items) == 0:
		return ui.Empty(empty, app.A().Href("/placement").Text("Go to Placement"))
	}
	return app.Ul().Class("entries").Body(app.Range(items).Slice(func(i int) app.UI {
		return l.entry(items[i], saved)
	}))
}

func (l *Library) brokenList() app.UI {
	return app.Div().DataSet("testid", "library-broken").Body(
		app.H2().Text("Damaged"),
		app.P().Class("hint").Text(ui.Counted(len(l.broken), "damaged record")+" in this browser. Save each as a file, to repair it or to send it to the authors, then delete it. What can be read is listed above."),
		app.Ul().Class("entries").Body(app.Range(l.broken).Slice(func(i int) app.UI {
			id := l.broken[i].ID
			name := fmt.Sprintf("%.60s", id)
			return app.Li().Class("entry").Body(
				app.Div().Class("entry-what").Body(app.Strong().Text(name), app.Small().Text(l.broken[i].Reason)),
				app.Div().Class("row").Body(
					ui.Button("download", "Save as a file").Aria("label", "Save "+name+" as a file").
						OnClick(func(app.Context, app.Event) { l.saveRecord(id) }, app.EventScope("save", id)),
					ui.IconButton("trash", "Delete "+name+" permanently").
						OnClick(func(app.Context, app.Event) { l.deleteRecord(id) }, app.EventScope("delete", id)),
				),
			)
		})),
	)
}

func (l *Library) entry(e item, saved bool) app.UI {
	return app.Li().Class("entry").Body(
		app.Div().Class("entry-what").Body(
			l.title(e),
			app.Small().Text(about(e)),
			app.If(e.earlier != "", func() app.UI {
				return app.Small().DataSet("testid", "earlier-engine").Body(app.Span().Text("These figures were "+e.earlier+". "),
					ui.Button("play", "Run again").Aria("label", "Run "+nameOf(e)+" again").DataSet("testid", "earlier-engine-run").
						OnClick(func(app.Context, app.Event) { l.openEntry(e.ID) }, app.EventScope("again", e.ID)))
			}),
		),
		app.Div().Class("row").Body(
			ui.Button("right", "Open").Aria("label", "Open "+nameOf(e)).
				OnClick(func(app.Context, app.Event) { l.openEntry(e.ID) }, app.EventScope("open", e.ID)),
			l.compareButton(e),
			app.If(saved, func() app.UI {
				return ui.Button("", "Rename").Aria("label", "Rename "+nameOf(e)).
					OnClick(func(ctx app.Context, _ app.Event) { l.startRename(ctx, e.ID) }, app.EventScope("rename", e.ID))
			}),
			ui.IconButton("trash", "Delete "+nameOf(e)).
				OnClick(func(app.Context, app.Event) { l.deleteEntry(e.ID, saved) }, app.EventScope("delete", e.ID)),
		),
	)
}

// compareButton chooses the first entry of a pair, then the second.
func (l *Library) compareButton(e item) app.UI {
	text, label := "Compare", "Compare "+nameOf(e)+" with another one"
	switch l.comparing {
	case "":
	case e.ID:
		text, label = "Comparing …", "Comparing … "+nameOf(e)
	default:
		text, label = "Compare with this", "Compare with this: "+nameOf(e)
	}
	return ui.Button("", text).Aria("label", label).Aria("pressed", l.comparing == e.ID).DataSet("testid", "library-compare").
		OnClick(func(app.Context, app.Event) { l.compare(e.ID) }, app.EventScope("compare", e.ID))
}

func (l *Library) title(e item) app.UI {
	if l.renaming != e.ID {
		return app.Strong().Text(nameOf(e))
	}
	name := ui.Showing(app.Input().Type("text").ID("library-rename").Aria("label", "New name").MaxLength(store.MaxName), e.Name)
	return ui.Taking(name, "change", func(_ app.Context, text string) { l.rename(e.ID, text) }, e.ID).OnKeyDown(l.leaveRename)
}

func nameOf(e item) string {
	return show.Text(cmp.Or(e.Name, "unnamed"))
}

// about returns the line under a name: the time, the scenario's hash and the key figures.
func about(e item) string {
	text := time.UnixMilli(e.Entry.Saved).Format("2 January 2006, 15:04") + " · scenario " + ui.Short(e.Hash) + " · " + ui.Bytes(int64(e.Size))
	if e.figures != "" {
		text += " · " + e.figures
	}
	return text
}
