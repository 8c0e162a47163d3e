package lab

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

const dialogShare = "share"

// share is the panel that gives the link.
type share struct {
	link    string // the whole address; "" while it is made and where there is none
	problem string // why there is none
	paired  bool   // with the scenario of the pinned result
}

// openShare opens the panel and has the link made from the inputs on screen.
func (l *Lab[I]) openShare() {
	if l.lacks() {
		return
	}
	l.Dialog, l.share = dialogShare, share{}
	input := l.Inputs.Message()
	pin := l.pin
	var d, before bridge.Document
	var err error
	l.Later(func() {
		d, err = l.Engine.Document(l.Page, input)
		if err == nil && pin != nil {
			before, err = l.Engine.Document(l.Page, pin.Inputs.Message())
		}
	}, func() {
		switch {
		case err != nil:
			l.share.problem = err.Error()
		case d.Link == "":
			l.share.problem = d.NoLink
		default:
			l.share.link = app.Window().Get("location").Get("origin").String() + shell.Address(l.path()) + LinkLead + d.Link
			l.share.paired = before.Link != ""
			if l.share.paired {
				l.share.link += pairLead + before.Link
			}
		}
	})
}

func (l *Lab[I]) shareDialog() app.UI {
	return l.dialog(dialogShare, "Share", l.sharePanel)
}

func (l *Lab[I]) sharePanel() app.UI {
	file := ui.Button("download", "Save the file instead").OnClick(l.shareFile)
	switch {
	case l.share.problem != "":
		return app.Div().Body(ui.Problem("The link could not be made: "+l.share.problem), file)
	case l.share.link == "":
		return app.P().Text("Making the link …")
	}
	return app.Div().Body(
		app.P().Text("People who open this link get the same inputs and run them in their own browser. "+
			"Browsers send no server the part after the #."),
		app.Input().Type("text").ID(l.id("share-link")).ReadOnly(true).DataSet("testid", "share-link").
			Aria("label", "Link to this scenario").Value(l.share.link).
			OnFocus(func(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("select") }),
		app.P().Class("hint").Text(lengthText(len(l.share.link))),
		app.If(l.share.paired, func() app.UI {
			return app.P().Class("hint").Text("The link includes the pinned result: people who open it see the comparison.")
		}),
		app.Div().Class("row").Body(
			ui.Button("copy", "Copy").Class("primary").OnClick(l.copyLink),
			file,
		),
	)
}

// lengthText says how long a link is and what that means.
func lengthText(n int) string {
	text := ui.Count(int64(n)) + " characters. "
	switch {
	case n > scenario.LongLink:
		return text + "Chat and mail programs break links above " + strconv.Itoa(scenario.LongLink) + " characters: send the file instead."
	case n > 2000:
		return text + "Some chat programs break links above 2 000."
	}
	return text + "All chat and mail programs can carry it."
}

func (l *Lab[I]) copyLink(ctx app.Context, _ app.Event) {
	ui.Copy(ctx, l.share.link, func(ctx app.Context, ok bool) {
		if ok {
			shell.Announce(ctx, "The link was copied.")
			return
		}
		shell.Announce(ctx, "The browser does not allow copying. Select the link and copy it by hand.")
	})
}

// shareFile saves the scenario of the inputs on screen.
func (l *Lab[I]) shareFile(app.Context, app.Event) { l.exportScenario() }
