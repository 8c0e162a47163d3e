package lab

import (
	"net/url"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// LinkLead stands between the address of a view and the packed scenario.
const LinkLead = "#s="

// pairLead stands before the scenario whose result the other one is compared with.
const pairLead = "&with="

// listenToAddress opens links that are pasted into the address bar while the
// page is there. go-app's own navigation misses one that equals the last.
func (l *Lab[I]) listenToAddress() {
	l.listen("hashchange", func(ctx app.Context, _ app.Event) {
		if link := linkInAddress(); link != "" && l.begun && l.active() {
			ui.Settle(ctx, func(app.Context) { l.OpenLink(link, func() {}, func() {}) })
		}
	})
}

// linkInAddress is the fragment of a shared link, "" if there is none.
func linkInAddress() string {
	hash := app.Window().Get("location").Get("hash").String()
	if !isLink(hash) {
		return ""
	}
	return hash
}

// bareLink says whether a fragment is a packed scenario without the "s=" in front,
// as somebody may have put it behind an address by hand.
func bareLink(fragment string) bool {
	version, _, ok := strings.Cut(strings.TrimPrefix(fragment, "#"), ".")
	return ok && version != "" && strings.Trim(version, "0123456789") == ""
}

// isLink reports whether a fragment is meant to be a link. One with an escape of
// nothing is no place in a page either.
func isLink(fragment string) bool {
	_, damaged := url.PathUnescape(fragment)
	return strings.HasPrefix(fragment, LinkLead) || bareLink(fragment) || damaged != nil
}

// OpenLink opens the scenario of a fragment, in the view of its kind. One that
// cannot be read changes nothing but the error region, and failed is called; away
// is called where the scenario went to another view.
func (l *Lab[I]) OpenLink(link string, failed, away func()) {
	l.opening++
	opening := l.opening
	var s scenario.Scenario
	var before *scenario.Scenario
	var err error
	l.Later(func() { s, before, err = l.readLink(link) }, func() {
		switch {
		case opening != l.opening:
		case err != nil:
			l.Complain("The link could not be opened", err)
			failed()
		case s.Kind != l.system.Kind.Name:
			l.asleep = l.Shown == nil
			openAt(l.Page, link, "open link", s, before)
			away()
		default:
			l.giveWay("open link", s, before)
		}
	})
}

// readLink reads the scenario of a fragment, and the one before it if it has two;
// it blocks.
func (l *Lab[I]) readLink(link string) (s scenario.Scenario, before *scenario.Scenario, err error) {
	link, first, paired := strings.Cut(link, pairLead)
	if s, err = l.Engine.OpenScenario(l.Page, bridge.OpenQuery{Link: link}, nil); err != nil || !paired {
		return s, nil, err
	}
	one, err := l.Engine.OpenScenario(l.Page, bridge.OpenQuery{Link: first}, nil)
	return s, &one, err
}

// leaveLink takes the link out of the address once the inputs are no longer
// those of the link, so that a reload does not bring it back over them.
func (l *Lab[I]) leaveLink() {
	if !l.Unsaved || linkInAddress() == "" || !l.active() {
		return
	}
	address := *l.Page.Page().URL()
	address.Fragment, address.RawFragment = "", ""
	l.Page.Page().ReplaceURL(&address)
}
