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
	Partial = "partial" // done, but not everything that was asked for
	Failed  = "error"
)

// Status is what the status line says about a view.
type Status struct {
	State    string // Idle, Running, Done, Partial or Failed: the mark in front
	Message  string // "placed 20 of 20 · cost 2 321"
	Engine   string // name of the engine that made the result
	Seed     string // "" where nothing is random
	Scenario string // hash of the scenario, in full
	Result   string // hash of the result, in full
	Title    string // name of the scenario, for the title of the page
}

// The commands that the frame itself refers to.
const (
	CommandRun   = "run"
	CommandShare = "share"
)

// Command is something that can be done by name.
type Command struct {
	ID   string // unique within its view
	Name string // in the palette: "Run"

	// Keys that run it: "r", "Ctrl+Enter", or two in a row, "g p". Those
	// without Ctrl wait while something is being typed. Ctrl stands for Cmd
	// on a Mac.
	Keys []string
	Do   func(ctx app.Context)

	// Thing is set of what is found by the words of its name rather than run by some
	// of its letters: an example, a job.
	Thing bool

	Part string // of the view that it goes to, "result": there is a link to it before all else
}

// What the functions below send to the frame.
const (
	actionCommands = "berth/commands"
	actionFinder   = "berth/finder"
	actionFiles    = "berth/files"
	actionStatus   = "berth/status"
	actionError    = "berth/error"
	actionNotice   = "berth/notice"
	actionAnnounce = "berth/announce"
)

type (
	commandsMessage struct {
		path     string
		commands []Command
	}
	finderMessage struct {
		path  string
		found func() []Command
	}
	filesMessage struct {
		path string
		take func([]ui.File)
	}
	statusMessage struct {
		path   string
		status Status
	}
	errorMessage  struct{ path, text string }
	noticeMessage struct {
		path   string
		notice Notice
	}
)

// Notice is a calm line above a view: something to know, or to decide by one of
// its actions. It can be dismissed.
type Notice struct {
	ID      string // also its data-testid
	Text    string
	Actions []Command // their Names and what they Do
}

// SetNotice shows a notice above the view at path, "" for all of them. It
// replaces the one that had its ID; without a text it takes that away.
func SetNotice(ctx app.Context, path string, n Notice) {
	n.Actions = bind(ctx, n.Actions)
	ctx.NewActionWithValue(actionNotice, noticeMessage{path, n})
}

// SetCommands replaces the commands of the view at path. They run with ctx.
func SetCommands(ctx app.Context, path string, commands []Command) {
	ctx.NewActionWithValue(actionCommands, commandsMessage{path, bind(ctx, commands)})
}

// bind makes commands run with ctx.
func bind(ctx app.Context, commands []Command) []Command {
	bound := make([]Command, len(commands))
	for i, c := range commands {
		do := c.Do
		c.Do = func(app.Context) { ctx.Dispatch(do) }
		bound[i] = c
	}
	return bound
}

// SetFinder sets what tells the palette of things that can be found by name while
// the view at path is shown.
func SetFinder(ctx app.Context, path string, found func() []Command) {
	ctx.NewActionWithValue(actionFinder, finderMessage{path, func() []Command { return bind(ctx, found()) }})
}

// OnFiles sets what becomes of files that are dropped anywhere on the page
// while the view at path is shown.
func OnFiles(ctx app.Context, path string, take func(ctx app.Context, files []ui.File)) {
	bound := func(files []ui.File) {
		ctx.Dispatch(func(ctx app.Context) { take(ctx, files) })
	}
	ctx.NewActionWithValue(actionFiles, filesMessage{path, bound})
}

// SetStatus replaces what the status line says about the view at path. It is not
// read out: the view says the same where its result stands.
func SetStatus(ctx app.Context, path string, status Status) {
	status.Message, status.Title = show.Words(status.Message), show.Text(status.Title)
	ctx.NewActionWithValue(actionStatus, statusMessage{path, status})
}

// SetError shows an error above the view at path, and reads it out at once;
// "" takes it away.
func SetError(ctx app.Context, path, text string) {
	ctx.NewActionWithValue(actionError, errorMessage{path, show.Words(text)})
}

// Announce shows text for a few seconds and reads it out when there is a pause.
func Announce(ctx app.Context, text string) {
	ctx.NewActionWithValue(actionAnnounce, show.Words(text))
}
