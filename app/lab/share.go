package lab

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

const dialogShare = "share"

// share is the state of the dialog that makes the link.
type share struct {
	link    string // the whole address; "" until it is made, or if it cannot be
	code    string // the link as an SVG of a QR code; "" if the link is too long
	problem string // why there is no link
	paired  bool   // the link includes the scenario of the pinned result
}

// openShare opens the dialog and has a worker make the link to the inputs on screen.
func (l *Lab[I]) openShare() {
	if l.lacks() {
		return
	}
	l.Dialog, l.share = dialogShare, share{}
	input, pin := l.Inputs.Input(), l.pin
	Ask(nil, l.Later, func() (s share, err error) {
		s.link, err = l.LinkTo(l.Page, l.system.Kind, input)
		if err == nil && pin != nil {
			var before bridge.Document
			before, err = l.Engine.Document(l.Page, pin.Inputs.Input())
			if s.paired = before.Link != ""; s.paired {
				s.link += pairLead + before.Link
			}
		}
		return s, err
	}, func(s share, err error) {
		if err != nil {
			l.share.problem = err.Error()
			return
		}
		if !l.OnStage() {
			s.link += "&" + arrangementKey + "=" + onWorkbench
		}
		s.code = qrMarkup(s.link, "QR code of the link")
		l.share = s
	})
}

// LinkTo is the address that opens inputs of a kind; it blocks.
func (s *Services) LinkTo(ctx app.Context, kind *scenario.Kind, in bridge.Input) (string, error) {
	d, err := s.Engine.Document(ctx, in)
	if err == nil && d.Link == "" {
		err = errors.New(d.NoLink)
	}
	return app.Window().Get("location").Get("origin").String() + shell.Address(kind.Path) + LinkLead + d.Link, err
}

func (l *Lab[I]) sharePanel() app.UI {
	file := ui.Button("download", "Save the file instead").OnClick(func(app.Context, app.Event) { l.exportScenario() })
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
		l.otherWays(),
	)
}

// otherWays are a QR code, to show in a classroom, and the code that embeds the
// stage in a page.
func (l *Lab[I]) otherWays() app.UI {
	code := app.P().Class("hint").Text("The link is too long for a QR code.")
	if l.share.code != "" {
		code = app.P().Body(app.Raw(l.share.code))
	}
	return app.Details().Body(
		app.Summary().Text("QR code, embedding and Markdown"),
		code,
		l.copied("embed-code", "HTML of a frame with this stage", l.embedCode()),
		l.copied("markdown-code", "Markdown, with a picture that you export as PNG", l.markdownCode()),
	)
}

// copied is a read-only field with a text to copy.
func (l *Lab[I]) copied(id, label, text string) app.UI {
	return ui.Field(l.id(id), label, app.Textarea().ID(l.id(id)).DataSet("testid", id).ReadOnly(true).Rows(3).Text(text).
		OnFocus(func(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("select") }))
}

// embedCode is the HTML of a frame that shows the shared scenario in another page.
func (l *Lab[I]) embedCode() string {
	at := strings.Index(l.share.link, l.path()+LinkLead)
	return fmt.Sprintf(`<iframe src="%s" title="%s" width="100%%" height="640" loading="lazy" allow="fullscreen" style="border:0"></iframe>`,
		html.EscapeString(l.share.link[:at]+shell.EmbedPath+l.share.link[at:]), html.EscapeString(l.shareTitle()))
}

var markdownTitles = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "\n", " ")

func (l *Lab[I]) markdownCode() string {
	title := markdownTitles.Replace(l.shareTitle())
	return fmt.Sprintf("[![%s](berth.png)](%s)", title, l.share.link)
}

func (l *Lab[I]) shareTitle() string { return cmp.Or(l.Inputs.Name(), l.system.Kind.Title+" in Berth") }

// lengthText describes the length of a link and which programs can carry it.
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
	shell.Copy(ctx, l.share.link, "The link was copied.", "The browser does not allow copying. Select the link and copy it by hand.")
}
