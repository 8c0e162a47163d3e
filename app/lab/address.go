package lab

import (
	"net/url"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// LinkLead separates the address of a view from the packed scenario.
const LinkLead = "#s="

// pairLead precedes, in a link, the scenario whose result is pinned for comparison.
const (
	pairKey  = "with"
	pairLead = "&" + pairKey + "="
)

// listenToAddress opens a link that the user pastes into the address bar while the
// page is open. go-app's own navigation ignores a link equal to the last one. The
// handler takes the link from the event, since the page may have rewritten the
// address by then.
func (l *Lab[I]) listenToAddress() {
	l.listen("hashchange", func(ctx app.Context, e app.Event) {
		_, fragment, _ := strings.Cut(e.Get("newURL").String(), "#")
		if link, place := linkIn("#" + fragment); link != "" && l.begun && l.active() {
			ui.Settle(ctx, func(app.Context) { l.followAddress(link, place) })
		}
	})
}

// followAddress opens the scenario of a link or, if that scenario is on screen
// already, goes to the link's place in its result.
func (l *Lab[I]) followAddress(link string, place url.Values) {
	l.place = l.takeArrangement(place)
	if l.Phase == Done && strings.TrimPrefix(link, LinkLead) == l.Shown.Document.Link {
		l.goToPlace()
		return
	}
	l.OpenLink(link, func() {}, func() {})
}

// linkInAddress is linkIn of the current address.
func linkInAddress() (link string, place url.Values) {
	return linkIn(app.Window().Get("location").Get("hash").String())
}

// linkIn splits a fragment into its link, including the scenario to compare with, and
// the place in the result. The link is "" if the fragment has none.
func linkIn(hash string) (link string, place url.Values) {
	if !isLink(hash) {
		return "", nil
	}
	link, rest, _ := strings.Cut(hash, "&")
	place, err := url.ParseQuery(rest)
	if err != nil {
		place = nil // the scenario is still readable
	}
	if before := place.Get(pairKey); before != "" {
		link += pairLead + before
		place.Del(pairKey)
	}
	return link, place
}

// smallAddress is the maximum length, in characters, of an address that the page
// keeps up to date.
const smallAddress = 2000

// Located updates the address after a rest. If the result of the inputs is on screen
// and the address stays within smallAddress, the address names the inputs and the
// place in the result, so that a reload, a bookmark and a copied address lead to the
// same screen.
func (l *Lab[I]) Located() {
	if app.IsServer {
		return // only a browser has an address
	}
	l.located++
	located := l.located
	l.Page.After(l.Rest, func(app.Context) {
		if located == l.located && l.Phase == Done && l.active() {
			l.writeAddress()
		}
	})
}

func (l *Lab[I]) writeAddress() {
	fragment := ""
	if link := l.Shown.Document.Link; link != "" {
		fragment = strings.TrimPrefix(LinkLead, "#") + link
		if l.Pinned() != nil && l.pin.Document.Link != "" {
			fragment += pairLead + l.pin.Document.Link
		}
		if place := l.whereabouts(); len(place) > 0 {
			fragment += "&" + place.Encode()
		}
	}
	address := *l.Page.Page().URL()
	if fragment == "" || len(address.Scheme+"://"+address.Host+address.Path+"#"+fragment) > smallAddress ||
		app.Window().Get("location").Get("hash").String() == "#"+fragment {
		return
	}
	address.Fragment, address.RawFragment = fragment, fragment
	l.Page.Page().ReplaceURL(&address)
}

// broughtBack is the fragment of a page that the browser restored, by a reload or
// from its history; "" if the user came by a link.
var broughtBack = func() string {
	if app.IsServer {
		return ""
	}
	navigations := app.Window().Get("performance").Call("getEntriesByType", "navigation")
	if navigations.Length() == 0 || navigations.Index(0).Get("type").String() == "navigate" {
		return ""
	}
	return app.Window().Get("location").Get("hash").String()
}()

// isBroughtBack reports whether the browser restored the page together with the link
// in its address; such a link must not be opened again. Removing the link from the
// address would not prevent this: a reload that has begun still uses the old address.
func isBroughtBack() bool {
	return broughtBack != "" && broughtBack == app.Window().Get("location").Get("hash").String()
}

// goToPlace goes to the place that the address asked for, once the result is on
// screen.
func (l *Lab[I]) goToPlace() {
	if l.Phase != Done {
		return
	}
	place := l.place
	l.place = nil // before goTo, which ends in Tell and so calls goToPlace again
	if len(place) > 0 && !l.goTo(place) {
		l.place = place
	}
	l.Located()
}

// goTo shows a place of the result; false if the view cannot show it yet.
func (l *Lab[I]) goTo(place url.Values) bool {
	for _, t := range l.system.Places.Tabs {
		if t.ID == place.Get(tabKey) {
			l.ShowTab(t.ID)
		}
	}
	return l.system.Places.GoTo == nil || l.system.Places.GoTo(place)
}

// tabKey is the parameter of a link that names the tab of the result.
const tabKey = "tab"

// tabPlace is the tab on screen as parameters of the address; empty for the first
// tab, the default.
func (l *Lab[I]) tabPlace() url.Values {
	if tabs := l.system.Places.Tabs; len(tabs) == 0 || l.Shows == tabs[0].ID {
		return url.Values{}
	}
	return url.Values{tabKey: {l.Shows}}
}

// ShowTab shows a tab of the result.
func (l *Lab[I]) ShowTab(id string) {
	l.Shows = id
	l.Located()
}

// ResultTabs draws the tabs of the result, for the title of its pane.
func (l *Lab[I]) ResultTabs(id string) app.UI {
	return &ui.Tabs{ID: id, Label: "Views of the result", Items: l.system.Places.Tabs, Selected: l.Shows,
		OnSelect: func(_ app.Context, id string) { l.ShowTab(id) }}
}

// TabPanels has an element for each tab and fills the one of the tab on screen: in a
// single element the charts of a tab would turn into the charts of the next one, with
// their open tables.
func (l *Lab[I]) TabPanels(class string) []app.UI {
	var panels []app.UI
	for _, t := range l.system.Places.Tabs {
		panel := app.Div().Class(class)
		if t.ID == l.Shows {
			panel.Body(t.Draw()...)
		}
		panels = append(panels, panel)
	}
	return panels
}

// bareLink reports whether a fragment is a packed scenario without the leading "s=",
// as when somebody appends one to an address by hand.
func bareLink(fragment string) bool {
	version, _, ok := strings.Cut(strings.TrimPrefix(fragment, "#"), ".")
	return ok && version != "" && strings.Trim(version, "0123456789") == ""
}

// isLink reports whether a fragment is meant as a link. A fragment with an invalid
// escape counts as a damaged link, since no element of a page has such an id.
func isLink(fragment string) bool {
	_, damaged := url.PathUnescape(fragment)
	return strings.HasPrefix(fragment, LinkLead) || bareLink(fragment) || damaged != nil
}

// OpenLink opens the scenario of a link in the view of its kind. If the link cannot
// be read, it reports the error, changes nothing else and calls failed. It calls away
// if another view opens the scenario.
func (l *Lab[I]) OpenLink(link string, failed, away func()) {
	l.awaited = true
	Ask(&l.opening, l.Later, func() (asked, error) { return l.readLink(link) }, func(r asked, err error) {
		l.awaited = false
		switch {
		case err != nil:
			l.Complain("The link could not be opened", err)
			failed()
		case r.scenario.Kind != l.system.Kind.Name:
			l.asleep = l.Shown == nil
			openAt(l.Page, link, "open link", *r.scenario, r.before)
			away()
		case r.before == nil && l.has(*r.scenario):
			l.settle(0)
		default:
			l.giveWay("open link", *r.scenario, r.before)
		}
	})
}

// goOnAt keeps the inputs of the draft, which may be newer than the link that the
// page wrote into the address. If the link holds the same inputs with a scenario to
// compare with, goOnAt opens both, so that the comparison survives a reload.
func (l *Lab[I]) goOnAt(link string) {
	Ask(nil, l.Later, func() (asked, error) { return l.readLink(link) }, func(r asked, err error) {
		if err == nil && r.before != nil && l.has(*r.scenario) {
			l.giveWay("open link", *r.scenario, r.before)
			return
		}
		l.settle(0)
	})
}

// has reports whether the inputs equal a scenario that came from a link.
func (l *Lab[I]) has(s scenario.Scenario) bool {
	in := l.Inputs.Input()
	return l.Ready() && len(in.Texts) == 0 && l.Size(l.Inputs) <= scenario.MaxLinkBytes &&
		in.Scenario.Name == s.Name && in.Scenario.Hash() == s.Hash()
}

// readLink reads the scenario of a link, and the one to compare with if the link has
// two. It blocks.
func (l *Lab[I]) readLink(link string) (asked, error) {
	link, first, paired := strings.Cut(link, pairLead)
	s, err := l.Engine.OpenScenario(l.Page, bridge.OpenQuery{Link: link}, nil)
	if err != nil || !paired {
		return asked{scenario: &s}, err
	}
	before, err := l.Engine.OpenScenario(l.Page, bridge.OpenQuery{Link: first}, nil)
	return asked{scenario: &s, before: &before}, err
}

// leaveLink removes the link from the address once the inputs differ from the linked
// scenario, so that a reload does not overwrite them.
func (l *Lab[I]) leaveLink() {
	if link, _ := linkInAddress(); link == "" || !l.Unsaved || !l.active() {
		return
	}
	address := *l.Page.Page().URL()
	address.Fragment, address.RawFragment = "", ""
	l.Page.Page().ReplaceURL(&address)
}
