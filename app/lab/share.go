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
	link    string // the whole address; "" until it is made, or if the link cannot be made
	code    string // the link as an SVG of a QR code; "" if the link is too long
	problem string // why the link cannot be made
	paired  bool   // the link includes the scenario of the pinned result
}

// sharing is the dialog with the link.
type sharing[I Inputs[I]] struct {
	lab *Lab[I]

	share share
}

// open opens the dialog and has a worker make the link to the inputs on screen.
func (sh *sharing[I]) open() {
	if sh.lab.Runs.lacks() {
		return
	}
	sh.lab.Dialog, sh.share = dialogShare, share{}
	input, pin := sh.lab.Inputs.Input(), sh.lab.Pins.pin
	Ask(nil, sh.lab.Later, func() (s share, err error) {
		s.link, err = sh.lab.LinkTo(sh.lab.Page, sh.lab.system.Kind, input)
		if err == nil && pin != nil {
			var before bridge.Document
			before, err = sh.lab.Engine.Document(sh.lab.Page, pin.Inputs.Input())
			if s.paired = before.Link != ""; s.paired {
				s.link += pairLead + before.Link
			}
		}
		return s, err
	}, func(s share, err error) {
		if err != nil {
			sh.share.problem = err.Error()
			return
		}
		if !sh.lab.Stage.OnStage() {
			s.link += "&" + arrangementKey + "=" + onWorkbench
		}
		s.code = QRCode(s.link, "QR code of the link")
		sh.share = s
	})
}

// LinkTo is the address that opens inputs of a kind; it blocks.
func (s *Services) LinkTo(ctx app.Context, kind *scenario.Kind, in bridge.Input) (string, error) {
	d, err := s.Engine.Document(ctx, in)
	if err == nil && d.Link == "" {
		err = errors.New(d.NoLink)
	}
	return addressOf(kind.Path, d.Link), err
}

// addressOf is the full address that opens a link in the view at path.
func addressOf(path, link string) string {
	return app.Window().Get("location").Get("origin").String() + shell.Address(path) + LinkLead + link
}

func (sh *sharing[I]) panel() app.UI {
	file := ui.Button("download", "Save the file instead").OnClick(func(app.Context, app.Event) { sh.lab.Exports.exportScenario() })
	switch {
	case sh.share.problem != "":
		return app.Div().Body(ui.Problem("The link could not be made: "+sh.share.problem), file)
	case sh.share.link == "":
		return app.P().Text("Making the link …")
	}
	return app.Div().Body(
		app.P().Text("People who open this link get the same inputs and run them in their own browser. "+
			"Browsers send no server the part after the #."),
		LinkField(sh.lab.id("share-link"), "Link to this scenario", sh.share.link),
		app.P().Class("hint").Text(lengthText(len(sh.share.link))),
		app.If(sh.share.paired, func() app.UI {
			return app.P().Class("hint").Text("The link includes the pinned result: people who open it see the comparison.")
		}),
		app.Div().Class("row").Body(
			CopyButton(func() string { return sh.share.link }),
			file,
		),
		sh.otherWays(),
	)
}

// LinkField is a read-only field with a link to copy.
func LinkField(id, label, link string) app.UI {
	return app.Input().Type("text").ID(id).ReadOnly(true).DataSet("testid", "share-link").Aria("label", label).Value(link).
		OnFocus(func(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("select") })
}

// CopyButton is a button that copies a link.
func CopyButton(link func() string) app.UI {
	return ui.Button("copy", "Copy").Class("primary").OnClick(func(ctx app.Context, _ app.Event) {
		shell.Copy(ctx, link(), "The link was copied.", "The browser does not allow copying. Select the link and copy it by hand.")
	})
}

// otherWays draws the other ways to share: a QR code, for a classroom, and the HTML and Markdown
// that embed the stage in a page.
func (sh *sharing[I]) otherWays() app.UI {
	code := app.P().Class("hint").Text("The link is too long for a QR code.")
	if sh.share.code != "" {
		code = app.P().Body(app.Raw(sh.share.code))
	}
	return app.Details().Body(
		app.Summary().Text("QR code, embedding and Markdown"),
		code,
		sh.copied("embed-code", "HTML of a frame with this stage", sh.embedCode()),
		sh.copied("markdown-code", "Markdown, with a picture that you export as PNG", sh.markdownCode()),
	)
}

func (sh *sharing[I]) copied(id, label, text string) app.UI {
	return ui.Field(sh.lab.id(id), label, app.Textarea().ID(sh.lab.id(id)).DataSet("testid", id).ReadOnly(true).Rows(3).Text(text).
		OnFocus(func(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("select") }))
}

// embedCode is the HTML of a frame that shows the shared scenario in another page.
func (sh *sharing[I]) embedCode() string {
	at := strings.Index(sh.share.link, sh.lab.path()+LinkLead)
	return fmt.Sprintf(`<iframe src="%s" title="%s" width="100%%" height="640" loading="lazy" allow="fullscreen" style="border:0"></iframe>`,
		html.EscapeString(sh.share.link[:at]+shell.EmbedPath+sh.share.link[at:]), html.EscapeString(sh.shareTitle()))
}

var markdownTitles = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "\n", " ")

func (sh *sharing[I]) markdownCode() string {
	title := markdownTitles.Replace(sh.shareTitle())
	return fmt.Sprintf("[![%s](berth.png)](%s)", title, sh.share.link)
}

func (sh *sharing[I]) shareTitle() string {
	return cmp.Or(sh.lab.Inputs.Name(), sh.lab.system.Kind.Title+" in Berth")
}

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
