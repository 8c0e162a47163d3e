package lab

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
)

// LinkLead stands between the address of a view and the packed scenario.
const LinkLead = "#s="

// listenToAddress opens links that are pasted into the address bar while the
// page is there. go-app's own navigation misses one that equals the last.
func (l *Lab[I]) listenToAddress() {
	app.Window().Call("addEventListener", "hashchange", app.FuncOf(func(app.Value, []app.Value) any {
		l.Page.Dispatch(func(ctx app.Context) {
			if l.active() {
				ui.Settle(ctx, func(app.Context) { l.openAddress() })
			}
		})
		return nil
	}))
}

// linkInAddress is the fragment of a shared link, "" if there is none.
func linkInAddress() string {
	hash := app.Window().Get("location").Get("hash").String()
	if !isLink(hash) {
		return ""
	}
	return hash
}

// bareLink is a packed scenario without the "s=" in front, as somebody may have
// put it behind an address by hand.
var bareLink = regexp.MustCompile(`^#[0-9]+\.`)

// isLink reports whether a fragment is meant to be a link. One with an escape of
// nothing is no place in a page either.
func isLink(fragment string) bool {
	_, damaged := url.PathUnescape(fragment)
	return strings.HasPrefix(fragment, LinkLead) || bareLink.MatchString(fragment) || damaged != nil
}

// openAddress opens the link in the address and reports whether there is one.
// One that cannot be read changes nothing but the error region.
func (l *Lab[I]) openAddress() bool {
	link := linkInAddress()
	if link == "" {
		return false
	}
	return l.OpenLink(link)
}

// OpenLink opens the scenario of a fragment, in the view of its kind, and
// reports whether it could be read.
func (l *Lab[I]) OpenLink(link string) bool {
	s, err := scenario.DecodeLink(link)
	if err != nil {
		l.Complain("The link could not be opened", err)
		return false
	}
	if s.Kind != l.system.Kind.Name {
		l.asleep = l.Shown == nil
		openAt(l.Page, link, "open link", s)
		return true
	}
	l.GiveWay("open link", l.system.Of(s))
	return true
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
