package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"berth/engine/must"
)

// tab is a page of the site. It collects the page's faults and fails its test for them
// at the end.
type tab struct {
	t      testing.TB
	ctx    context.Context
	origin string
	cancel func() // closes the tab
	close  func() // fails the test for faults and closes the tab; runs at its end

	mu     sync.Mutex
	faults []string

	panicked bool // the program panicked; only record uses it
}

// An option changes a tab before its first page loads.
type option = chromedp.Action[chromedp.Void]

var (
	wide  option = chromedp.EmulateViewport(1440, 900)
	phone option = chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	light option = command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}},
	})
	narrow option = chromedp.EmulateViewport(1024, 768)
	dark   option = command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
)

// command is a command of the DevTools protocol as an action.
func command[P, R any](c cdp.Command[P, R], params P) option {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, c, params)
		return err
	})
}

// open opens a path of the site in a new browser profile, in a wide window unless an option changes
// that.
func open(t testing.TB, path string, options ...option) *tab {
	t.Helper()
	return openAt(t, serve(t, dist(t)).URL, path, options...)
}

// openAt opens a path of an origin in a new browser profile.
func openAt(t testing.TB, origin, path string, options ...option) *tab {
	t.Helper()
	browser := must.Get(chromium())(t)
	return openIn(browser, t, origin, path, options...)
}

// openIn is openAt in a given browser.
func openIn(browser context.Context, t testing.TB, origin, path string, options ...option) *tab {
	t.Helper()
	p := &tab{t: t, origin: origin}
	// All other hosts go through a proxy, also for workers.
	proxy := httptest.NewServer(http.HandlerFunc(p.refuse))
	t.Cleanup(proxy.Close)
	p.start(browser, path, options, chromedp.WithNewBrowserContext(
		func(c *target.CreateBrowserContextParams) { c.ProxyServer = proxy.URL }))
	return p
}

// another opens a path in a second tab of the same profile.
func (p *tab) another(path string, options ...option) *tab {
	p.t.Helper()
	q := &tab{t: p.t, origin: p.origin}
	q.start(p.ctx, path, options)
	return q
}

// onNewDocument turns violations of the content security policy into errors, and stops
// service workers from registering.
const onNewDocument = `addEventListener("securitypolicyviolation", (event) => console.error(
	["content security policy:", event.violatedDirective, event.blockedURI, event.sourceFile].join(" ")));
navigator.serviceWorker && (navigator.serviceWorker.register = () => new Promise(() => {}));
try {
	for (const lab of ["placement", "qos", "federate"]) localStorage.getItem("berth.stage." + lab) ?? localStorage.setItem("berth.stage." + lab, "workbench");
} catch {}`

// onStage opens the laboratories in the same way as a first visit. Other tests begin on the
// workbench, which has everything that they use.
var onStage option = command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
	Source: `sessionStorage.getItem("staged") ?? (sessionStorage.setItem("staged", "yes"), ["placement", "qos", "federate"].forEach((lab) => localStorage.removeItem("berth.stage." + lab)))`})

// keepsSite lets the page register its service worker. For other pages the registration never
// completes, because fetching and caching the whole site takes as long as many a test.
var keepsSite option = command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
	Source: "delete navigator.serviceWorker?.register"})

func (p *tab) start(parent context.Context, path string, options []option, profile ...chromedp.ContextOption) {
	p.t.Helper()
	p.ctx, p.cancel = chromedp.NewContext(parent, profile...)
	p.close = sync.OnceFunc(func() {
		for _, fault := range p.takeFaults() {
			p.t.Error(fault)
		}
		p.cancel()
	})
	p.t.Cleanup(p.close)
	must.Do(p.t, chromedp.Listen(p.ctx, p.record))
	p.do(command(network.Enable, network.EnableParams{}),
		command(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}), // even while other tabs have it
		command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: onNewDocument}),
		wide)
	p.do(options...)
	p.navigate(path)
}

// takeFaults returns the page's faults so far and forgets them: logged errors,
// violations of the content security policy, requests to other hosts.
func (p *tab) takeFaults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	faults := p.faults
	p.faults, p.panicked = nil, false
	return faults
}

func (p *tab) fault(words ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, strings.Join(words, " "))
}

// record records events of the page. It runs in the loop that reads them.
func (p *tab) record(event any) {
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		url := event.Request.URL
		local := func(prefix string) bool { return strings.HasPrefix(url, prefix) }
		if !slices.ContainsFunc([]string{p.origin + "/", "data:", "blob:"}, local) {
			p.fault("request of another host:", url)
		}
	case *inspector.EventTargetCrashed:
		p.fault("the page crashed")
	case *runtime.EventExceptionThrown:
		p.fault("exception:", event.ExceptionDetails.Text, describe(event.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		text := describe(event.Args...)
		if strings.Contains(text, "panic: ") { // Go logs the panic, and then its position
			p.panicked = true
		}
		if event.Type == runtime.ConsoleAPICalledTypeError || p.panicked {
			p.fault("console:", text)
		}
	case *page.EventJavascriptDialogOpening:
		// The page asks before a long run is lost, and on a busy machine any run may be long. It
		// shows no other dialog.
		if event.Type != page.DialogTypeBeforeunload && event.Type != page.DialogTypeConfirm {
			p.fault("dialog:", event.Message)
		}
		go chromedp.Do(p.ctx, command(page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}))
	case *log.EventEntryAdded:
		// A page without user interaction may not ask before a long run is lost.
		if event.Entry.Level == log.EntryLevelError && !strings.Contains(event.Entry.Text, "'beforeunload' confirmation panel") {
			p.fault("browser log:", event.Entry.Text, event.Entry.URL)
		}
	}
}

// A look is a window size and theme.
type look struct {
	name string
	option
}

// looks are the widths and themes in which every view must be readable.
func looks() []look {
	return []look{
		{"wide", both(wide, light)}, {"wide-dark", both(wide, dark)}, {"narrow", both(narrow, light)},
		{"phone", both(phone, light)}, {"phone-dark", both(phone, dark)},
	}
}

// phone reports whether the page shows one pane at a time and is used by touch.
func (l look) phone() bool { return strings.HasPrefix(l.name, "phone") }

func both(a, b option) option {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error { return chromedp.Do(ctx, a, b) })
}

func describe(values ...*runtime.RemoteObject) string {
	var words []string
	for _, value := range values {
		switch {
		case value == nil:
		case value.Description != "": // of a number or an object
			words = append(words, value.Description)
		default:
			words = append(words, string(value.Value))
		}
	}
	return strings.Join(words, " ")
}

// refuse is the proxy to all other hosts, which refuses every request.
func (p *tab) refuse(w http.ResponseWriter, r *http.Request) {
	p.fault("request of another host:", r.Method, r.URL.String())
	http.Error(w, "the tests have no network", http.StatusBadGateway)
}
