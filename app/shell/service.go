package shell

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/show"
)

// The states of a [Status].
const (
	Idle    = "idle"
	Running = "running"
	Done    = "done"
	Partial = "partial" // finished, but some of the work was not possible
	Failed  = "error"
)

// Status is the content of the status line for a view.
type Status struct {
	State    string // Idle, Running, Done, Partial or Failed: selects the icon
	Message  string // "placed 20 of 20 · cost 2 321"
	Engine   string // name of the engine that made the result
	Seed     string // "" if nothing is random
	Scenario string // hash of the scenario, in full
	Result   string // hash of the result, in full
	Title    string // name of the scenario, for the title of the page
}

// IDs of commands that the frame refers to.
const (
	CommandRun   = "run"
	CommandShare = "share"
)

// Command is an action that users find by name or run with keys.
type Command struct {
	ID   string // unique within its view
	Name string // in the palette: "Run"

	// Keys that run the command: "r", "Ctrl+Enter", or two strokes in a row, "g p". While the user
	// types, only keys with Ctrl work. On a Mac, Ctrl means Cmd.
	Keys []string
	Do   func(ctx app.Context)

	// Thing marks an example, a job or another object: the palette matches whole words of its name
	// instead of single letters.
	Thing bool

	Part string // part of the view to go to, such as "result"; the page starts with a link to it
}

// Actions that the functions below send to the frame.
const (
	actionTell     = "berth/tell" // its value is a change of the frame
	actionNotice   = "berth/notice"
	actionAnnounce = "berth/announce"
)

// tell asks the frame to apply change.
func tell(ctx app.Context, change func(ctx app.Context, f *Frame)) {
	ctx.NewActionWithValue(actionTell, change)
}

type noticeMessage struct {
	path   string
	notice Notice
}

// Notice is a quiet line above a view: a fact, or a question that the user answers with one of its
// actions. The user can dismiss it.
type Notice struct {
	ID      string // also its data-testid
	Text    string
	Actions []Command // only Name and Do are used
}

// SetNotice shows a notice above the view at path, or above all views for "". It replaces the
// notice with the same ID; an empty text removes it.
func SetNotice(ctx app.Context, path string, n Notice) {
	n.Actions = bind(ctx, n.Actions)
	ctx.NewActionWithValue(actionNotice, noticeMessage{path, n})
}

// SetCommands replaces the commands of the view at path. They run with ctx.
func SetCommands(ctx app.Context, path string, commands []Command) {
	bound := bind(ctx, commands)
	tell(ctx, func(_ app.Context, f *Frame) { f.commands[path] = bound })
}

func bind(ctx app.Context, commands []Command) []Command {
	bound := make([]Command, len(commands))
	for i, c := range commands {
		do := c.Do
		c.Do = func(app.Context) { ctx.Dispatch(do) }
		bound[i] = c
	}
	return bound
}

// SetFinder sets a function that returns the objects that the palette can find by name while the
// view at path is shown.
func SetFinder(ctx app.Context, path string, found func() []Command) {
	tell(ctx, func(_ app.Context, f *Frame) { f.finders[path] = func() []Command { return bind(ctx, found()) } })
}

// OnFiles sets the handler of files that are dropped anywhere on the page while the view at path is
// shown.
func OnFiles(ctx app.Context, path string, take func(ctx app.Context, files []ui.File)) {
	bound := func(files []ui.File) {
		ctx.Dispatch(func(ctx app.Context) { take(ctx, files) })
	}
	tell(ctx, func(_ app.Context, f *Frame) { f.files[path] = bound })
}

// SetStatus replaces the status line for the view at path. Screen readers do not announce it,
// because the view has the same text next to its result.
func SetStatus(ctx app.Context, path string, status Status) {
	status.Message, status.Title = show.Words(status.Message), show.Text(status.Title)
	tell(ctx, func(page app.Context, f *Frame) {
		if f.status[path] == status {
			page.PreventUpdate()
			return
		}
		f.status[path] = status
		f.retitle(page)
	})
}

// SetError shows an error above the view at path, which screen readers announce at once; "" removes
// it.
func SetError(ctx app.Context, path, text string) {
	text = show.Words(text)
	tell(ctx, func(page app.Context, f *Frame) {
		if f.errors[path] == text {
			page.PreventUpdate()
		}
		f.errors[path] = text
	})
}

// Announce shows a text for a few seconds. Screen readers announce it at the next pause.
func Announce(ctx app.Context, text string) {
	ctx.NewActionWithValue(actionAnnounce, show.Words(text))
}

// Copy puts a text, or the Blob of a picture, on the clipboard and announces copied or, if the
// browser does not allow it, refused.
func Copy(ctx app.Context, what any, copied, refused string) {
	say := func(text string) func(app.Value) {
		return func(app.Value) { ctx.Dispatch(func(ctx app.Context) { Announce(ctx, text) }) }
	}
	ui.Await(app.Window().Get("berth").Call("copy", what), say(copied), say(refused))
}
