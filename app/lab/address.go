package lab

import (
	"net/url"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// LinkLead separates the address of a view from the packed scenario.
const LinkLead = "#s="

// pairLead precedes, in a link, the scenario to compare with. That scenario runs first,
// and its result is pinned.
const (
	pairKey  = "with"
	pairLead = "&" + pairKey + "="
)

// address follows links, and keeps the address in step with the screen.
type address[I Inputs[I]] struct {
	lab *Lab[I]

	place   url.Values // place in the result that the address names; nil once shown
	located int        // how often the place in the result has changed
	opening Latest     // opening of links
	awaited bool       // a link is being read
	asleep  bool       // inputs wait unchecked, because another view is open
}

// listen opens a link that the user pastes into the address bar while the page is open. go-app's
// own navigation ignores a link equal to the last one. The handler takes the link from the event,
// because the page may have rewritten the address by then.
func (a *address[I]) listen() {
	a.lab.Listen("hashchange", func(ctx app.Context, e app.Event) {
		_, fragment, _ := strings.Cut(e.Get("newURL").String(), "#")
		if link, place := linkIn("#" + fragment); link != "" && a.lab.Draft.begun && a.lab.active() {
			ui.Settle(ctx, func(app.Context) { a.followAddress(link, place) })
		}
	})
}

// followAddress opens the scenario of a link or, if that scenario is on screen
// already, goes to the link's place in its result.
func (a *address[I]) followAddress(link string, place url.Values) {
	a.place = a.lab.Stage.takeArrangement(place)
	if a.lab.Phase == Done && strings.TrimPrefix(link, LinkLead) == a.lab.Shown.Document.Link {
		a.goToPlace()
		return
	}
	a.OpenLink(link, func() {}, func() {})
}

// linkInAddress applies linkIn to the current address.
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

// Located updates the address after a pause. If the result of the inputs is on screen and the
// address is no longer than smallAddress, the address names the inputs and the place in the result,
// so that a reload, a bookmark and a copied address lead to the same screen.
func (a *address[I]) Located() {
	if app.IsServer {
		return // only a browser has an address
	}
	a.located++
	located := a.located
	a.lab.Page.After(a.lab.Rest, func(app.Context) {
		if located == a.located && a.lab.Phase == Done && a.lab.active() && !a.lab.Lecture.presents() {
			a.writeAddress()
		}
	})
}

func (a *address[I]) writeAddress() {
	fragment := ""
	if link := a.lab.Shown.Document.Link; link != "" {
		fragment = strings.TrimPrefix(LinkLead, "#") + link
		if a.lab.Pins.Pinned() != nil && a.lab.Pins.pin.Document.Link != "" {
			fragment += pairLead + a.lab.Pins.pin.Document.Link
		}
		if place := a.lab.Stage.whereabouts(); len(place) > 0 {
			fragment += "&" + place.Encode()
		}
	}
	now := a.lab.Page.Page().URL()
	if fragment != "" && len(now.Scheme+"://"+now.Host+now.Path+"#"+fragment) <= smallAddress &&
		app.Window().Get("location").Get("hash").String() != "#"+fragment {
		a.replaceFragment(fragment)
	}
}

func (a *address[I]) replaceFragment(fragment string) {
	address := *a.lab.Page.Page().URL()
	address.Fragment, address.RawFragment = fragment, fragment
	a.lab.Page.Page().ReplaceURL(&address)
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

// isBroughtBack reports whether the browser restored the page together with the link in its
// address. Such a link must not be opened again. Removing it from the address would not help: a
// reload that has begun still uses the old address.
func isBroughtBack() bool {
	return broughtBack != "" && broughtBack == app.Window().Get("location").Get("hash").String()
}

// goToPlace shows the place that the address names, once the result is on screen.
func (a *address[I]) goToPlace() {
	if a.lab.Phase != Done {
		return
	}
	place := a.place
	a.place = nil // before goTo, which calls goToPlace again through Tell
	if place != nil && !a.goTo(place) {
		a.place = place
	}
	a.Located()
}

// goTo shows a place of the result; false if the view cannot show it yet.
func (a *address[I]) goTo(place url.Values) bool {
	for _, t := range a.lab.system.Places.Tabs {
		if t.ID == place.Get(tabKey) {
			a.ShowTab(t.ID)
		}
	}
	return a.lab.system.Places.GoTo == nil || a.lab.system.Places.GoTo(place)
}

// tabKey is the parameter of a link that names the tab of the result.
const tabKey = "tab"

// ShowTab shows the tab with this id and updates the address.
func (a *address[I]) ShowTab(id string) {
	a.lab.Shows = id
	a.Located()
}

// ResultTabs draws the tabs of the result, for the title of its pane.
func (a *address[I]) ResultTabs(id string) app.UI {
	return &ui.Tabs{ID: id, Label: "Views of the result", Items: a.lab.system.Places.Tabs, Selected: a.lab.Shows,
		OnSelect: func(_ app.Context, id string) { a.ShowTab(id) }}
}

// TabPanels returns one element for each tab and fills only the element of the tab on
// screen. In a single shared element, go-app would turn the charts of one tab, with
// their open tables, into the charts of the next.
func (a *address[I]) TabPanels(class string) []app.UI {
	var panels []app.UI
	for _, t := range a.lab.system.Places.Tabs {
		panel := app.Div().Class(class)
		if t.ID == a.lab.Shows {
			panel.Body(t.Draw()...)
		}
		panels = append(panels, panel)
	}
	return panels
}

// bareLink reports whether a fragment is a packed scenario without the leading "s=", as
// when a user appends one to an address.
func bareLink(fragment string) bool {
	version, _, ok := strings.Cut(strings.TrimPrefix(fragment, "#"), ".")
	return ok && version != "" && strings.Trim(version, "0123456789") == ""
}

// isLink reports whether a fragment is meant as a link. A fragment with an invalid escape counts as
// a damaged link, because no element of a page has such an id.
func isLink(fragment string) bool {
	_, damaged := url.PathUnescape(fragment)
	return strings.HasPrefix(fragment, LinkLead) || bareLink(fragment) || damaged != nil
}

// OpenLink opens the scenario of a link in the view for its kind. If the link cannot be read, it
// reports the error, changes nothing else and calls failed. It calls away if another view opens the
// scenario.
func (a *address[I]) OpenLink(link string, failed, away func()) {
	a.awaited = true
	Ask(&a.opening, a.lab.Later, func() (asked, error) { return a.readLink(link) }, func(r asked, err error) {
		a.awaited = false
		if r.note != "" {
			shell.Announce(a.lab.Page, r.note)
		}
		switch {
		case err != nil:
			a.lab.Complain("The link could not be opened", err)
			failed()
		case r.scenario.Kind != a.lab.system.Kind.Name:
			a.asleep = a.lab.Shown == nil
			openAt(a.lab.Page, link, "open link", *r.scenario, r.before)
			request.lecture = r.lecture
			away()
		case r.before == nil && a.has(*r.scenario):
			a.lab.Lecture.open(r.lecture)
			a.lab.settle(0)
		default:
			a.lab.Lecture.open(r.lecture)
			a.lab.Opening.giveWay("open link", *r.scenario, r.before)
		}
	})
}

// goOnAt keeps the inputs of the draft, which may be newer than the link that the page wrote into
// the address. If the link holds the same inputs with a scenario to compare with, goOnAt opens
// both, so that the comparison survives a reload. It also reopens a lecture.
func (a *address[I]) goOnAt(link string) {
	Ask(nil, a.lab.Later, func() (asked, error) { return a.readLink(link) }, func(r asked, err error) {
		if err == nil && (r.lecture != nil || r.before != nil && a.has(*r.scenario)) {
			a.lab.Lecture.open(r.lecture)
			a.lab.Opening.giveWay("open link", *r.scenario, r.before)
			return
		}
		a.lab.settle(0)
	})
}

// has reports whether the inputs equal a scenario that came from a link.
func (a *address[I]) has(s scenario.Scenario) bool {
	in := a.lab.Inputs.Input()
	return a.lab.Ready() && len(in.Texts) == 0 && a.lab.Files.Size(a.lab.Inputs) <= scenario.MaxLinkBytes &&
		in.Scenario.Name == s.Name && in.Scenario.Hash() == s.Hash()
}

// readLink reads the scenario of a link, and the one to compare with if the link has
// two, or the steps of a lecture. It blocks.
func (a *address[I]) readLink(link string) (asked, error) {
	var steps []scenario.LectureStep
	if scenario.IsLecture(link) {
		var err error
		if steps, err = bridge.AskTool(a.lab.Page, a.lab.Engine, scenario.OpenLecture, link, nil); err != nil {
			return asked{}, err
		}
		link = steps[0].Link
	}
	link, first, paired := strings.Cut(link, pairLead)
	opened, err := a.lab.Engine.Open(a.lab.Page, bridge.OpenQuery{Link: link}, bridge.Blob{})
	if err != nil || !paired {
		return asked{scenario: opened.Scenario, note: opened.Note, lecture: steps}, err
	}
	before, err := a.lab.Engine.OpenScenario(a.lab.Page, bridge.OpenQuery{Link: first}, nil)
	return asked{scenario: opened.Scenario, before: &before, note: opened.Note}, err
}

// leaveLink removes the link from the address once the inputs differ from the linked
// scenario, so that a reload does not overwrite them.
func (a *address[I]) leaveLink() {
	if link, _ := linkInAddress(); link != "" && a.lab.Unsaved && a.lab.active() && !a.lab.Lecture.presents() {
		a.replaceFragment("")
	}
}
