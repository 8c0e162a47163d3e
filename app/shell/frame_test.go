package shell

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/must"
)

// page is a view that shows its name.
type page struct {
	app.Compo
	name string
}

func (p *page) Render() app.UI { return app.P().Text("page " + p.name) }

// register registers the test's views, and counts how often each is created.
func register(t *testing.T, views ...View) map[string]int {
	t.Helper()
	before := slices.Clone(places)
	t.Cleanup(func() { places = before })
	made := map[string]int{}
	for _, v := range views {
		v.New = func() app.Composer {
			made[v.Path]++
			return &page{name: v.Name}
		}
		Register(v)
	}
	return made
}

func frame(path string) *Frame {
	f := &Frame{Path: path}
	f.OnInit()
	return f
}

// markup returns the HTML of one part of the frame.
func markup(part app.UI) string { return app.HTMLString(part) }

func TestHeaderListsTheViewsInOrder(t *testing.T) {
	register(t, View{Path: "/placement", Name: "Placement", Key: "p"}, View{Path: "/about", Name: "About", Aside: true}, View{Path: "/qos", Name: "QoS"})
	got := markup(frame("/placement").header())
	here, other := strings.Index(got, `href="/placement"`), strings.Index(got, `href="/qos"`)
	if here < 0 || other < here || strings.Count(got, `aria-current="page"`) != 1 {
		t.Errorf("the header does not have Placement, which is shown, before QoS:\n%s", got)
	}
	if strings.Contains(got, "/about") {
		t.Errorf("the header has a page that stands aside:\n%s", got)
	}
}

func TestVisitedViewsAreKept(t *testing.T) {
	made := register(t, View{Path: "/placement", Name: "Placement"}, View{Path: "/about", Name: "About", Aside: true})
	engine := app.NewTestEngine()
	for _, path := range []string{"/placement", "/about", "/placement", ""} {
		must.Do(t, engine.Load(&Frame{Path: path}))
		engine.ConsumeAll()
	}
	if made["/placement"] != 1 || made["/about"] != 1 {
		t.Errorf("views were made %v times, want once each", made)
	}
}

func TestUnknownAddress(t *testing.T) {
	register(t, View{Path: "/placement", Name: "Placement"})
	got := markup(frame("").Render())
	if !strings.Contains(got, "There is no page at this address.") {
		t.Error("the frame does not say that the address is unknown")
	}
	if strings.Contains(got, "page Placement") {
		t.Error("a view is shown at an unknown address")
	}
}

func TestNoPageAtAnAddress(t *testing.T) {
	register(t, View{Path: "/placement", Name: "Placement"})
	got := markup(frame("/elsewhere").Render())
	for _, want := range []string{"There is no page at this address.", "Go to Placement"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// The status line lists the files that are missing offline.
func TestMissingFilesAreNamed(t *testing.T) {
	register(t, View{Path: "/placement", Name: "Placement"})
	f := frame("/placement")
	if got := markup(f.statusLine()); strings.Contains(got, "missing") {
		t.Errorf("something is missing of a page that has all:\n%s", got)
	}
	f.missing = []string{"/docs/", "/qos/"}
	if got := markup(f.statusLine()); !strings.Contains(got, "offline: 2 files missing") || !strings.Contains(got, "/docs/, /qos/") {
		t.Errorf("the missing files are not named:\n%s", got)
	}
}

// On a site below a path of its host, views have addresses below that path, with a slash at the end
// if the server uses folders.
func TestAddress(t *testing.T) {
	for _, c := range []struct{ root, want string }{{"", "/qos"}, {"/", "/qos"}, {"/berth/", "/berth/qos"}} {
		t.Setenv("GOAPP_ROOT_PREFIX", c.root)
		if got := Address("/qos"); got != c.want {
			t.Errorf("below %q the address is %q, want %q", c.root, got, c.want)
		}
	}
}

func TestRegisterTwicePanics(t *testing.T) {
	register(t, View{Path: "/placement", Name: "Placement"})
	defer func() {
		if recover() == nil {
			t.Error("a second view took the place of the first")
		}
	}()
	Register(View{Path: "/placement", New: func() app.Composer { return &page{} }})
}

func TestErrorRegion(t *testing.T) {
	register(t, View{Path: "/placement", Name: "Placement"})
	f := frame("/placement")
	if got := markup(f.banners()); !strings.Contains(got, " hidden") {
		t.Errorf("an empty error is not hidden:\n%s", got)
	}
	set := func(path, text string) { f.errors[path] = text }
	set("/library", "elsewhere")
	set("/placement", "<b>d.dot</b>:3:2: limit is missing")
	got := markup(f.banners())
	if !strings.Contains(got, "&lt;b&gt;d.dot&lt;/b&gt;:3:2: limit is missing") || strings.Contains(got, " hidden") {
		t.Errorf("the error is not shown as text:\n%s", got)
	}
	if strings.Contains(got, "elsewhere") {
		t.Error("the error of another view is shown")
	}
	set("/placement", "")
	if got := markup(f.banners()); !strings.Contains(got, " hidden") {
		t.Error("the error stays after it was taken away")
	}
}

func TestShareNeedsACommand(t *testing.T) {
	register(t, View{Path: "/placement", Name: "Placement"})
	f := frame("/placement")
	if got := markup(f.shareButton()); !strings.Contains(got, "disabled") {
		t.Errorf("Share can be pressed although no one shares:\n%s", got)
	}
	shared := 0
	f.commands["/placement"] = []Command{{ID: CommandShare, Name: "Share", Do: func(app.Context) { shared++ }}}
	if got := markup(f.shareButton()); strings.Contains(got, "disabled") {
		t.Errorf("Share cannot be pressed:\n%s", got)
	}
	f.share(app.Context{}, app.Event{})
	if shared != 1 {
		t.Errorf("Share ran the command %d times, want once", shared)
	}
}

func TestStatusLine(t *testing.T) {
	register(t, View{Path: "/placement", Name: "Placement"})
	f := frame("/placement")
	f.status["/placement"] = Status{State: Done, Message: "placed 20 of 20", Seed: "7", Scenario: "9f3c0123456789"}
	got := markup(f.statusLine())
	for _, want := range []string{"placed 20 of 20", "seed 7", "scenario 9f3c0123…", "private: stays here", `aria-expanded="false"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the status line lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "result") {
		t.Error("the status line names a hash that is not there")
	}
}

func TestCommandsOfTheFrame(t *testing.T) {
	register(t, View{Path: "/placement", Name: "Placement", Key: "p"}, View{Path: "/about", Name: "About", Aside: true})
	commands := frame("/placement").allCommands()
	keys := map[string]string{}
	for _, c := range commands {
		for _, k := range c.Keys {
			keys[k] = c.ID
		}
	}
	for key, id := range map[string]string{"g p": "go/placement", "?": "help", "Ctrl+k": "palette"} {
		if keys[key] != id {
			t.Errorf("%q runs %q, want %q", key, keys[key], id)
		}
	}
}

// A printed page begins with its title and its address.
func TestPaperHasAHead(t *testing.T) {
	f := &Frame{Path: "/qos", status: map[string]Status{"/qos": {Title: "Two hosts", Scenario: "0123456789abcdef", Result: "fedcba9876543210", Engine: "0.1.0"}}}
	if html := app.HTMLString(f.printHead()); strings.Contains(html, "Two hosts") {
		t.Error("a page that is not printed has the head")
	}
	f.printed, f.address = time.Date(2026, 5, 4, 3, 2, 0, 0, time.UTC), "https://berth.example/qos#s=abc"
	html := app.HTMLString(f.printHead())
	for _, want := range []string{"Two hosts", "2026-05-04 03:02 UTC", "https://berth.example/qos#s=abc", "0123456789abcdef", "fedcba9876543210", "engine 0.1.0"} {
		if !strings.Contains(html, want) {
			t.Errorf("the head lacks %s", want)
		}
	}
}

func TestANoticeLeavesThoseThatAreThereInPlace(t *testing.T) {
	f := frame("/placement")
	for _, id := range []string{"first", "second", "first"} {
		f.takeNotice(app.Context{}, app.Action{Value: noticeMessage{"/placement", Notice{ID: id, Text: "the " + id}}})
	}
	got := markup(f.banners())
	if alert, first, second := strings.Index(got, `role="alert"`), strings.Index(got, "the first"), strings.Index(got, "the second"); alert < 0 || first < alert || second < first {
		t.Errorf("from the top, the notices do not have the error, then what came last:\n%s", got)
	}
}
