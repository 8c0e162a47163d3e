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
const (
	pairKey  = "with"
	pairLead = "&" + pairKey + "="
)

// listenToAddress opens links that are pasted into the address bar while the
// page is there. go-app's own navigation misses one that equals the last. Which
// it was the event says: the page may have written the address since.
func (l *Lab[I]) listenToAddress() {
	l.listen("hashchange", func(ctx app.Context, e app.Event) {
		_, fragment, _ := strings.Cut(e.Get("newURL").String(), "#")
		if link, place := linkIn("#" + fragment); link != "" && l.begun && l.active() {
			ui.Settle(ctx, func(app.Context) { l.followAddress(link, place) })
		}
	})
}

// followAddress goes where the address leads: to another scenario, or to another
// place in the result of this one.
func (l *Lab[I]) followAddress(link string, place url.Values) {
	l.place = l.stand(place)
	if l.Phase == Done && strings.TrimPrefix(link, LinkLead) == l.Shown.Document.Link {
		l.goToPlace()
		return
	}
	l.OpenLink(link, func() {}, func() {})
}

// linkInAddress is the link in the address, as linkIn has it.
func linkInAddress() (link string, place url.Values) {
	return linkIn(app.Window().Get("location").Get("hash").String())
}

// linkIn is the fragment of a shared link, "" if it is none, with the scenario that
// it is compared with, and which place in the result it leads to.
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

// smallAddress is how many characters an address may have that stays up to date.
const smallAddress = 2000

// Located brings the address up to date: while the result of the inputs is shown and
// the link to them is small, it leads to them and to the place in the result, so
// that a reload, a bookmark and a copy of the address lead there too.
func (l *Lab[I]) Located() {
	if app.IsServer {
		return // nothing but a browser has an address
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

// broughtBack is the fragment that the address had when the browser brought the page
// back, by a reload or from its history, "" if somebody came by it.
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

// isBroughtBack reports whether the link in the address is there because the browser
// brought the page back, so that it must not be opened again. A page cannot prevent
// this by taking its link out of the address: a reload that has begun still leads to
// the old one.
func isBroughtBack() bool {
	return broughtBack != "" && broughtBack == app.Window().Get("location").Get("hash").String()
}

// goToPlace goes to the place in the result that the address asked for, once that
// is there.
func (l *Lab[I]) goToPlace() {
	if l.Phase != Done {
		return
	}
	place := l.place
	l.place = nil // to go there tells the frame, which comes back here
	if len(place) > 0 && !l.goTo(place) {
		l.place = place
	}
	l.Located()
}

// goTo shows a place of the result; it reports false while that cannot be.
func (l *Lab[I]) goTo(place url.Values) bool {
	for _, t := range l.system.Places.Tabs {
		if t.ID == place.Get(tabKey) {
			l.ShowTab(t.ID)
		}
	}
	return l.system.Places.GoTo == nil || l.system.Places.GoTo(place)
}

// tabKey names in links the tab of the result.
const tabKey = "tab"

// tabPlace is the tab that is shown, as the address has it. The first one is the default.
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
	l.refresh()
}

// ResultTabs are the tabs of the result, for the title of its pane.
func (l *Lab[I]) ResultTabs(id string) app.UI {
	return &ui.Tabs{ID: id, Label: "Views of the result", Items: l.system.Places.Tabs, Selected: l.Shows,
		OnSelect: func(_ app.Context, id string) { l.ShowTab(id) }}
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
	l.awaited = true
	var before *scenario.Scenario
	Ask(&l.opening, l.Later, func() (s scenario.Scenario, err error) {
		s, before, err = l.readLink(link)
		return s, err
	}, func(s scenario.Scenario, err error) {
		l.awaited = false
		switch {
		case err != nil:
			l.Complain("The link could not be opened", err)
			failed()
		case s.Kind != l.system.Kind.Name:
			l.asleep = l.Shown == nil
			openAt(l.Page, link, "open link", s, before)
			away()
		case before == nil && l.has(s):
			l.settle(0)
		default:
			l.giveWay("open link", s, before)
		}
	})
}

// goOnAt goes on with the inputs at an address that the page itself wrote, which may be
// older than the inputs. It also keeps the result that theirs is compared with.
func (l *Lab[I]) goOnAt(link string) {
	var s scenario.Scenario
	var before *scenario.Scenario
	var err error
	l.Later(func() { s, before, err = l.readLink(link) }, func() {
		if err == nil && before != nil && l.has(s) {
			l.giveWay("open link", s, before)
			return
		}
		l.settle(0)
	})
}

// has reports whether the inputs are those of a scenario that came from a link.
func (l *Lab[I]) has(s scenario.Scenario) bool {
	in := l.Inputs.Input()
	return l.Ready() && len(in.Texts) == 0 && l.Size(l.Inputs) <= scenario.MaxLinkBytes &&
		in.Scenario.Name == s.Name && in.Scenario.Hash() == s.Hash()
}

// readLink reads the scenario of a fragment, and the one before it if it has two;
// it blocks.
func (l *Lab[I]) readLink(link string) (s scenario.Scenario, before *scenario.Scenario, err error) {
	link, first, paired := strings.Cut(link, pairLead)
	s, err = l.Engine.OpenScenario(l.Page, bridge.OpenQuery{Link: link}, nil)
	if err != nil || !paired {
		return s, nil, err
	}
	one, err := l.Engine.OpenScenario(l.Page, bridge.OpenQuery{Link: first}, nil)
	return s, &one, err
}

// leaveLink takes the link out of the address once the inputs are no longer
// those of the link, so that a reload does not bring it back over them.
func (l *Lab[I]) leaveLink() {
	if link, _ := linkInAddress(); link == "" || !l.Unsaved || !l.active() {
		return
	}
	address := *l.Page.Page().URL()
	address.Fragment, address.RawFragment = "", ""
	l.Page.Page().ReplaceURL(&address)
}
