package placement

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// linkLead stands between the address of the view and the packed scenario.
const linkLead = "#s="

// share is the panel that gives the link.
type share struct {
	link    string // the whole address; "" while it is made and where there is none
	problem string // why there is none
}

// openShare opens the panel and has the link made from the inputs on screen.
func (v *View) openShare() {
	if !v.inputs.ready() {
		v.trouble = missing(v.inputs)
		return
	}
	v.dialog, v.share = dialogShare, share{}
	input := v.inputs.message()
	var d bridge.Document
	var err error
	v.later(func() { d, err = v.Engine.Document(v.page, input) }, func() {
		switch {
		case err != nil:
			v.share.problem = err.Error()
		case d.Link == "":
			v.share.problem = d.NoLink
		default:
			v.share.link = app.Window().Get("location").Get("origin").String() + Path + linkLead + d.Link
		}
	})
}

func (v *View) shareDialog() app.UI {
	return &ui.Dialog{ID: "share", Title: "Share", Open: v.dialog == dialogShare, OnClose: v.closeDialog, Body: v.sharePanel}
}

func (v *View) sharePanel() app.UI {
	file := ui.Button("download", "Save the file instead").OnClick(v.shareFile)
	switch {
	case v.share.problem != "":
		return app.Div().Body(app.P().Class("problem").Role("alert").Text("There is no link: "+v.share.problem), file)
	case v.share.link == "":
		return app.P().Text("Making the link …")
	}
	return app.Div().Body(
		app.P().Text("Whoever opens this link gets the same inputs and runs them in their own browser. "+
			"What stands after the # is sent to no server."),
		app.Input().Type("text").ID("share-link").ReadOnly(true).DataSet("testid", "share-link").
			Aria("label", "Link to this scenario").Value(v.share.link).
			OnFocus(func(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("select") }),
		app.P().Class("hint").Text(lengthText(len(v.share.link))),
		app.Div().Class("row").Body(
			ui.Button("copy", "Copy").Class("primary").OnClick(v.copyLink),
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
	return text + "It fits everywhere."
}

func (v *View) copyLink(ctx app.Context, _ app.Event) {
	ui.Copy(ctx, v.share.link, func(ctx app.Context, ok bool) {
		if ok {
			shell.Announce(ctx, "The link was copied.")
			return
		}
		shell.Announce(ctx, "The browser does not allow copying: mark the link and copy it by hand.")
	})
}

// shareFile saves the scenario of the inputs on screen.
func (v *View) shareFile(app.Context, app.Event) { v.exportScenario() }
