package shell

import (
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

const (
	dialogNone    = ""
	dialogPalette = "palette"
	dialogHelp    = "help"
)

// Frame is the page: the header, the status line and all views.
type Frame struct {
	app.Compo

	Path     string // path of the view that is shown; "" if the address leads nowhere
	Embedded bool   // inside another page, without navigation

	views    map[string]app.Composer
	commands map[string][]Command
	finders  map[string]func() []Command
	found    []Command // found by the view when the palette opened
	files    map[string]func([]ui.File)
	status   map[string]Status
	errors   map[string]string
	notices  []noticeMessage

	theme      string
	dialog     string
	reproduces bool      // the status line shows the identifiers that reproduce the result
	pending    string    // first key of a sequence
	printed    time.Time // when the page was last printed
	address    string    // address of the page at that time
	update     string    // "available" if a new version is ready, "gone" if the server no longer has this one
	missing    []string  // files that the page would lack offline
	listeners  []func()  // functions that remove the listeners of the window
	page       app.Context
}

// OnInit makes the first view.
func (f *Frame) OnInit() {
	f.views = map[string]app.Composer{}
	f.commands = map[string][]Command{}
	f.finders = map[string]func() []Command{}
	f.files = map[string]func([]ui.File){}
	f.status = map[string]Status{}
	f.errors = map[string]string{}
	f.visit()
}

// OnMount starts to listen to the views and to the window.
func (f *Frame) OnMount(ctx app.Context) {
	f.page = ctx
	f.theme = ui.Stored(themeKey)
	ctx.Handle(actionTell, func(ctx app.Context, a app.Action) { a.Value.(func(app.Context, *Frame))(ctx, f) })
	ctx.Handle(actionNotice, f.takeNotice)
	ctx.Handle(actionAnnounce, func(_ app.Context, a app.Action) { app.Window().Get("berth").Call("announce", a.Value.(string)) })
	f.listen(ctx, "keydown", f.press)
	f.listen(ctx, "drop", f.drop)
	f.listen(ctx, "paste", f.paste)
	f.listen(ctx, "beforeprint", f.beforePrint)
	f.listen(ctx, "berth:update-available", f.updateAvailable)
	f.listen(ctx, "berth:offline-partial", f.offlineChanged)
	f.listen(ctx, "berth:offline-ready", f.offlineChanged)
	f.listeners = append(f.listeners, ui.WatchControls(ctx))
	// The event may have come before the listener existed.
	f.updateAvailable(ctx, app.Event{})
	f.offlineChanged(ctx, app.Event{})
}

// rootData returns a data attribute of the document, which scripts of the site set.
func rootData(name string) app.Value {
	return app.Window().Get("document").Get("documentElement").Get("dataset").Get(name)
}

// OnPreRender does the work of OnMount in the build, which has no browser.
func (f *Frame) OnPreRender(ctx app.Context) { f.OnMount(ctx) }

// OnUpdate creates the view that the user went to.
func (f *Frame) OnUpdate(app.Context) { f.visit() }

// OnNav sets the title of the page.
func (f *Frame) OnNav(ctx app.Context) { f.retitle(ctx) }

func (f *Frame) listen(ctx app.Context, event string, handle app.EventHandler) {
	f.listeners = append(f.listeners, ui.Listen(ctx, event, handle))
}

// OnDismount removes the listeners of the window.
func (f *Frame) OnDismount() {
	for _, end := range f.listeners {
		end()
	}
	f.listeners = nil
}

// visit creates the current view at its first visit.
func (f *Frame) visit() {
	for _, v := range places {
		if v.Path == f.Path && f.views[v.Path] == nil {
			f.views[v.Path] = v.New()
		}
	}
}

func (f *Frame) takeNotice(_ app.Context, a app.Action) {
	m := a.Value.(noticeMessage)
	f.dropNotice(m)
	if m.notice.Text != "" {
		f.notices = slices.Insert(f.notices, 0, m)
	}
}

func (f *Frame) dropNotice(m noticeMessage) {
	f.notices = slices.DeleteFunc(f.notices, func(n noticeMessage) bool { return n.path == m.path && n.notice.ID == m.notice.ID })
}

func (f *Frame) retitle(ctx app.Context) {
	title := "Berth"
	for _, v := range places {
		if v.Path == f.Path {
			title = v.Name + " · " + title
		}
	}
	if name := f.status[f.Path].Title; name != "" {
		title = name + " · " + title
	}
	ctx.Page().SetTitle(title)
}

// press runs the command of a key, if any.
func (f *Frame) press(ctx app.Context, e app.Event) {
	key := stroke(e.Get("key").String(), e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool(), e.Get("altKey").Bool(), e.Get("shiftKey").Bool())
	if key == "" || f.dialog != dialogNone || !works(key, typingIn(e.Get("target"))) {
		ctx.PreventUpdate()
		return
	}
	command, rest := match(f.allCommands(), f.pending, key)
	f.pending = rest
	if command == nil {
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
	ui.Settle(ctx, command.Do)
}

// typingIn returns the kind of field or editor that contains target.
func typingIn(target app.Value) typing {
	if !target.Get("closest").Truthy() {
		return nowhere
	}
	switch {
	case target.Call("closest", ".editor [contenteditable]").Truthy():
		return inEditor
	case target.Call("closest", "textarea, select, [contenteditable], "+
		"input:not([type=checkbox], [type=radio], [type=button], [type=range], [type=file])").Truthy():
		return inField
	}
	return nowhere
}

// paste handles a paste outside of fields and dialogs like a drop.
func (f *Frame) paste(ctx app.Context, e app.Event) {
	if typingIn(e.Get("target")) != nowhere || app.Window().Get("document").Call("querySelector", "dialog[open]").Truthy() {
		ctx.PreventUpdate()
		return
	}
	f.drop(ctx, e)
}

// drop passes files that miss every drop zone to the view.
func (f *Frame) drop(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	ui.Dropped(ctx, e, func(ctx app.Context, files []ui.File) {
		if take := f.files[f.Path]; take != nil && len(files) > 0 {
			ui.Settle(ctx, func(app.Context) { take(files) })
		}
	})
}

func (f *Frame) updateAvailable(app.Context, app.Event) {
	f.update = ""
	if update := rootData("update"); update.Truthy() {
		f.update = update.String()
	}
}

func (f *Frame) offlineChanged(app.Context, app.Event) {
	f.missing = nil
	if missing := rootData("offlineMissing"); missing.Truthy() {
		f.missing = strings.Fields(missing.String())
	}
}

// allCommands returns the commands that can run now, the view's own first.
func (f *Frame) allCommands() []Command {
	commands := slices.Clone(f.commands[f.Path])
	for _, v := range places {
		c := Command{ID: "go" + v.Path, Name: "Go to " + v.Name, Do: func(ctx app.Context) { ctx.Navigate(Address(v.Path)) }}
		if v.Key != "" {
			c.Keys = []string{"g " + v.Key}
		}
		commands = append(commands, c)
	}
	return append(commands,
		Command{ID: "theme", Name: "Switch between light and dark", Do: f.switchTheme},
		Command{ID: "help", Name: "List the shortcuts", Keys: []string{"?"}, Do: f.openDialog(dialogHelp)},
		Command{ID: "palette", Name: "Find a command", Keys: []string{"Ctrl+k", "/"}, Do: f.openDialog(dialogPalette)},
	)
}

// command returns the current view's command with an id.
func (f *Frame) command(id string) (Command, bool) {
	for _, c := range f.commands[f.Path] {
		if c.ID == id {
			return c, true
		}
	}
	return Command{}, false
}

func (f *Frame) openDialog(name string) func(app.Context) {
	return func(app.Context) {
		f.dialog, f.found = name, nil
		if find := f.finders[f.Path]; find != nil && name == dialogPalette {
			f.found = find()
		}
	}
}

func (f *Frame) closeDialog(app.Context) { f.dialog = dialogNone }

func (f *Frame) switchTheme(app.Context) {
	f.theme = nextTheme(f.theme, systemIsDark())
	applyTheme(f.theme)
}
