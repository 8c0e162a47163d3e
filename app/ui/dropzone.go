package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// DropZone takes files that are dropped on it or chosen with its file input. It refuses files above
// Limit with a message.
type DropZone struct {
	app.Compo

	ID     string
	TestID string // data-testid of the file input
	Label  string // of the button that opens the file dialog
	Hint   string
	Accept string // accept attribute of the file input: ".dot,.gv"
	Limit  int64  // bytes per file; 0: OnFiles checks the size

	OnFiles func(ctx app.Context, files []File)

	refused string
}

// Render draws the zone and the message about refused files.
func (z *DropZone) Render() app.UI {
	return app.Div().Class("dropzone").
		OnDrop(func(ctx app.Context, e app.Event) { Dropped(ctx, e, z.take) }). // the frame handles drops anywhere else on the page
		Body(
			app.Input().Type("file").Class("visually-hidden").ID(z.ID).
				Multiple(true).Accept(z.Accept).
				DataSet("testid", z.TestID).
				Aria("describedby", z.ID+"-hint").
				OnChange(z.choose),
			app.Label().For(z.ID).Class("button").Body(Icon("upload"), app.Span().Text(z.Label)),
			app.Small().ID(z.ID+"-hint").Text(z.Hint),
			app.If(z.refused != "", func() app.UI {
				return Problem(z.refused)
			}),
		)
}

func (z *DropZone) choose(ctx app.Context, _ app.Event) {
	z.take(ctx, FilesOf(ctx.JSSrc().Get("files")))
	// Without this, choosing the same file again would cause no change event.
	ctx.JSSrc().Set("value", "")
}

func (z *DropZone) take(ctx app.Context, files []File) {
	accepted := files
	if z.Limit > 0 {
		accepted, z.refused = WithinLimit(files, AtMost(z.Limit))
	}
	if len(accepted) > 0 {
		z.OnFiles(ctx, accepted)
	}
}
