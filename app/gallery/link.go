package gallery

import (
	"net/url"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/gallery"
	"berth/engine/study"
	"berth/wasm/bridge"
)

// fragment returns the fragment of the address that opens an entry with the visitor's numbers:
// "megha-6&workers=40".
func (x *exhibit) fragment() string {
	numbers := url.Values{}
	for name, text := range x.changed {
		numbers.Set(name, text)
	}
	return strings.TrimSuffix(x.id+"&"+numbers.Encode(), "&")
}

// follow opens the entry of a fragment and, if the fragment has numbers, runs the entry with them.
// It returns false if the fragment names no entry.
func (v *View) follow(fragment string) bool {
	id, numbers, _ := strings.Cut(fragment, "&")
	e, ok := gallery.Lookup(id)
	if !ok {
		return false
	}
	x := v.exhibit(&e)
	x.open = true
	if numbers == "" || fragment == x.fragment() {
		return true
	}
	values, err := url.ParseQuery(numbers)
	if err != nil {
		v.complain("The numbers in the link cannot be read", err)
		return true
	}
	changed := map[string]string{}
	for name := range values {
		changed[name] = values.Get(name)
	}
	if v.put(&e, x.files, changed) {
		v.start(v.shown[e.ID])
	}
	return true
}

// locate puts a fragment into the address, so that a reload or a bookmark opens the same entry.
func (v *View) locate(fragment string) {
	if app.IsServer {
		return // only a browser has an address
	}
	if address, err := v.page.Page().URL().Parse("#" + fragment); err == nil {
		v.page.Page().ReplaceURL(address)
	}
}

// share opens the dialog with the link to the entry in the address or, if it names none, to the
// visitor's experiment or the gallery.
func (v *View) share() {
	address, x := v.page.Page().URL(), v.shown[ownID]
	if x == nil || address.Fragment != "" {
		v.link = address.String()
		return
	}
	lab.Ask(nil, v.later, func() (string, error) { return v.LinkTo(v.page, study.Kind, bridge.Input{Scenario: x.experiment}) }, func(link string, err error) {
		if err != nil {
			v.complain("There is no link; save the experiment as a file", err)
			return
		}
		v.link = link
	})
}

func (v *View) shareDialog() app.UI {
	return &ui.Dialog{ID: "gallery-share", Title: "Share", Open: v.link != "", OnClose: func(app.Context) { v.link = "" }, Body: func() app.UI {
		return app.Div().Body(
			app.P().Text("People who open this link see the same figures and numbers, and can run them in their own browser."),
			lab.LinkField("gallery-link", "Link", v.link),
			app.Div().Class("row").Body(lab.CopyButton(func() string { return v.link })),
			app.Details().Body(app.Summary().Text("QR code"), app.P().Body(app.Raw(lab.QRCode(v.link, "QR code of the link")))),
		)
	}}
}
