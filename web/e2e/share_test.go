package e2e

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/dot"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// waitForResults waits until the status line has the hash of these results.
func (p *tab) waitForResults(hash string) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf(`[...document.querySelectorAll("footer button")].some((b) => b.title.endsWith("result: %s"))`, hash))
}

func TestShare(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/").journey(recipeIsSharedAsARecipe, fieldGoesWhileItGetsTheFocus, longLinkOffersTheFile, sharedFileIsWhatIsOnScreen, linkOpensWhileTheAddressIsWritten,
		addressLeadsToWhatIsShown)
}

// The code that Share gives for other pages shows the same result in their frame, and does not
// touch the work of this browser.
func stageIsFramed(t *testing.T, p *tab) {
	s := p.small()
	p.waitForResults(native(t, s).Results)
	p.click(testID("share"))
	p.waitFor(`document.querySelector("[data-testid=embed-code]")`)
	p.pressNamed("^QR code, embedding and Markdown$")
	p.screenshot("share-embed")
	code, markdown, link := p.value(testID("embed-code")), p.value(testID("markdown-code")), p.value(testID("share-link"))
	if p.count(testID("qr")+" path") != 2 || !strings.HasSuffix(markdown, "](berth.png)]("+link+")") {
		t.Errorf("no QR code, or the Markdown is %s", markdown)
	}
	p.press(kb.Escape)
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>A page of somebody else</title>", code)
	}))
	defer outer.Close()
	q := openAt(t, strings.Replace(outer.URL, "127.0.0.1", "localhost", 1), "/")
	q.until("the program runs in the frame", func() bool { // another host serves it
		return slices.ContainsFunc(q.takeFaults(), func(f string) bool { return strings.Contains(f, p.origin+"/web/app.") })
	})
	q.waitFor("!document.hidden") // later requests are no faults either
	q.takeFaults()
	q.close()

	framed := open(t, strings.Replace(strings.TrimPrefix(link, p.origin), "/placement#", "/embed/placement#", 1))
	framed.wantResult(s)
	if framed.count("header.top") != 0 || framed.count(testID("embed-open")) != 1 {
		t.Error("the frame has navigation, or no way to the whole page")
	}
	framed.screenshot("embedded")
	if kept := eval[[]string](framed, `Object.keys(localStorage).filter((k) => k.includes("draft"))`); len(kept) > 0 {
		t.Errorf("the frame keeps %q", kept)
	}
	if !strings.Contains(code, "/embed/placement#") {
		t.Errorf("the code is %s", code)
	}
}

func sharedLinkGivesTheSameResult(t *testing.T, p *tab) {
	s := p.small()
	results := native(t, s).Results
	p.waitForResults(results)
	p.allowCopying()
	p.click(testID("share"))
	link := p.value(testID("share-link"))
	if text := strings.ReplaceAll(p.text("dialog[open]"), "\u202f", ""); !strings.Contains(text, fmt.Sprint(len(link), " characters")) {
		t.Errorf("the length %d is not told: %s", len(link), text)
	}
	p.pressNamed("^Copy$")
	p.waitFor("/copied/.test(document.body.innerText)")
	if copied := eval[string](p, "navigator.clipboard.readText()"); copied != link {
		t.Errorf("copied %q, want %q", copied, link)
	}
	shared, err := scenario.DecodeLink(link)
	if err != nil || shared.Hash() != s.Hash() {
		t.Fatalf("the link holds another scenario (%v)", err)
	}

	q := open(t, strings.TrimPrefix(link, p.origin)) // another visitor
	q.wantResult(s)
	q.waitForResults(results)
}

// allowCopying lets the page use the clipboard.
func (p *tab) allowCopying() {
	p.t.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		must.Get(chromedp.CallBrowser(p.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission:       &browser.PermissionDescriptor{Name: name},
			Setting:          browser.PermissionSettingGranted,
			BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
		}))(p.t)
	}
}

func recipeIsSharedAsARecipe(t *testing.T, p *tab) {
	p.shop()
	s := example(t, "thesis-50")
	placementkind.Of(s).Strategies = placementkind.Of(s).Strategies[:1]
	placementkind.Of(s).Deployments = placementkind.Of(s).Deployments[:1]
	p.follow(linkTo(t, s))
	p.wantResult(s)
	p.click(testID("share"))
	if link := p.value(testID("share-link")); len(link) > 1000 {
		t.Errorf("the link to two recipes has %d characters", len(link))
	}
}

// An event is handled even if its element is removed first.
func fieldGoesWhileItGetsTheFocus(_ *testing.T, p *tab) {
	p.shop()
	p.click(testID("share"))
	p.value(testID("share-link"))
	eval[any](p, fmt.Sprintf(`((field) => {
		const remove = field.removeEventListener;
		field.removeEventListener = (...listener) => {
			field.dispatchEvent(new FocusEvent("focus"));
			remove.apply(field, listener);
		};
	})(document.querySelector(%q))`, testID("share-link")))
	p.press(kb.Escape)
	p.waitFor(fmt.Sprintf("!document.querySelector(%q)", testID("share-link")))
	p.click(testID("share"))
	p.value(testID("share-link"))
}

func longLinkOffersTheFile(t *testing.T, p *tab) {
	p.shop()
	deployment := must.File(t, "jobs.dot", deploymentText(t, deploymentRecipe(1, 300), dot.Plain))
	federation := must.File(t, "clusters.dot", federationText(t, federationRecipe(1, 400), dot.Plain))
	p.choose(deployment, federation)
	s := chosen(t, federation, deployment)
	p.waitForScenario(s)
	p.click(testID("share"))
	p.waitFor(`/8.?000 characters/.test(document.querySelector("dialog[open]").innerText)`)
	p.screenshot("share-long")
	_, file := p.saved(func() { p.pressNamed("^Save the file") })
	if !bytes.Equal(file, scenario.Encode(s)) {
		t.Error("the file is not the scenario on screen")
	}
}

func sharedFileIsWhatIsOnScreen(t *testing.T, p *tab) {
	s := p.small()
	p.pressNamed("jobs.dot$")
	p.wait(".pane-input textarea")
	p.fill(".pane-input textarea", "graph { broken")
	p.wait(status + `[data-state="error"]`)
	p.click(testID("share"))
	_, file := p.saved(func() { p.pressNamed("^Save the file") })
	placementkind.Of(s).Deployments[0].Text = "graph { broken"
	if !bytes.Equal(file, scenario.Encode(s)) {
		t.Errorf("the file is\n%s\nwant\n%s", file, scenario.Encode(s))
	}
}

func TestALinkGoesToTheViewOfItsKind(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	s := qoskind.New("one request", qoskind.Document{
		Workload: scenario.Source{Name: "w.csv", Text: "id,submit_s,duration_s,cpu,memory,class\n1,0,10,1,1,gold\n"},
		Hosts:    scenario.Source{Name: "h.csv", Text: "name,cpu,memory\na,4,4\n"},
		Policies: []qoskind.PolicyRun{{Name: "qos"}},
	})
	_, fragment, _ := strings.Cut(linkTo(t, s), "#")
	for _, path := range []string{"/", "/placement"} {
		p := open(t, path+"#"+fragment)
		p.waitFor(fmt.Sprintf(`location.pathname === "/qos" && location.hash === %q`, "#"+fragment))
		p.waitFor(`document.title.includes("one request")`)
		p.waitFor(`[...document.querySelectorAll("footer button")].some((b) => b.title.includes("result: "))`)
		p.visit("Placement")
		p.waitForScenario(example(t, "shop"))
		p.visit("Library")
		p.pressNamed("^Open one request$")
		p.waitFor(`location.pathname === "/qos" && document.title.includes("one request")`)
	}
}

func linkNeverOverwritesWork(t *testing.T, p *tab) {
	p.shop()
	s := p.uploadSmall()
	link := must.Get(scenario.EncodeLink(s))(t)
	other := example(t, "backtracking")
	p.follow(linkTo(t, other))
	p.wantResult(other)
	p.waitFor("/earlier work/.test(document.body.innerText)")
	p.pressNamed("^Undo")
	p.wantResult(s)
	p.waitFor("location.hash === " + quote("#s="+link))
	p.reload()
	p.wantResult(s)

	// A link that is opened in the address bar of a page with unsaved work.
	p.navigate("/about")
	p.navigate(linkTo(t, other))
	p.wantResult(other)
	p.pressNamed("^Undo")
	p.wantResult(s)
}

// badLinks are fragments that cannot be opened, with their errors.
func badLinks(t *testing.T) map[string]string {
	var bomb bytes.Buffer
	w := must.Get(flate.NewWriter(&bomb, flate.BestCompression))(t)
	zeros := make([]byte, 1<<20)
	for range 1 << 10 { // 1 GB
		must.Get(w.Write(zeros))(t)
	}
	must.Do(t, w.Close())
	_, good, _ := strings.Cut(linkTo(t, example(t, "shop")), "#")
	qos := must.Get(json.Marshal(map[string]any{"version": 99, "kind": "placement"}))(t)
	var newer bytes.Buffer
	w.Reset(&newer)
	w.Write(qos)
	w.Close()
	packed := func(data []byte) string { return "s=1." + base64.RawURLEncoding.EncodeToString(data) }
	return map[string]string{
		packed(bomb.Bytes()):                 "unpacks to more than",
		good[:len(good)/2]:                   "cut off",
		good[:40] + "AAAA" + good[44:]:       "damaged",
		"s=1.%25%25":                         "damaged",
		strings.Replace(good, "2.", "3.", 1): "newer",
		packed(newer.Bytes()):                "99",
		"s=":                                 "empty",
	}
}

func badLinkIsToldAndChangesNothing(t *testing.T, p *tab) {
	s := p.small()
	shown := p.placement()
	for link, want := range badLinks(t) {
		p.follow("#" + link)
		p.waitFor(fmt.Sprintf(`((e) => !e.hidden && e.innerText.includes(%q))(document.querySelector(%q))`, want, testID("error")))
		if got := p.placement(); !slices.Equal(got, shown) || p.attribute(status, "data-scenario") != s.Hash() {
			t.Errorf("%.40s changed the work: %v", link, got)
		}
		p.pressNamed("^Dismiss")
		p.waitFor(fmt.Sprintf(`document.querySelector(%q).hidden`, testID("error")))
	}

	// On the first page of a visit the error appears together with the example.
	for link, want := range badLinks(t) {
		q := p.another("/placement#" + link)
		q.waitFor(fmt.Sprintf(`((e) => e && !e.hidden && e.innerText.includes(%q))(document.querySelector(%q))`, want, testID("error")))
		q.waitForScenario(example(t, "shop"))
		q.screenshot("bad-link")
		break
	}
}

// A percent sign that escapes nothing is an error in the fragment; without a check it would end
// go-app's program.
func TestADamagedFragmentIsToldAndThePageWorks(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	shop := example(t, "shop")
	p := open(t, "/#%")
	p.waitForError("could not be opened", "damaged")
	p.wantResult(shop)
	q := p.another("/qos#100%zz")
	q.waitForError("could not be opened", "damaged")
	q.waitForSimulation(example(t, "validation-1"))
	q.visit("Placement")
	q.wantResult(shop)

	p.pressNamed("^Dismiss")
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).hidden`, testID("error")))
	p.follow("#100%")
	p.waitForError("could not be opened", "damaged")
	p.pressNamed("^Options$")
	p.fill(p.labelled("^first seed$"), "4711")
	p.click(testID("run"))
	placementkind.Of(shop).Seed = 4711
	p.wantResult(shop)
	p.waitForAddress(shop, "")
}

// waitForAddress waits until the address has the link to a scenario, and the place.
func (p *tab) waitForAddress(s scenario.Scenario, place string) {
	p.t.Helper()
	p.waitFor("location.hash === " + quote("#s="+encoded(p.t, s)+place))
}

// waitForLink waits until the address has the link to a scenario, whatever place follows.
func (p *tab) waitForLink(s scenario.Scenario) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf(`location.hash.split("&")[0] === %s`, quote("#s="+encoded(p.t, s))))
}

func encoded(t testing.TB, s scenario.Scenario) string {
	t.Helper()
	return must.Get(scenario.ShortLink(s))(t)
}

// A link opens although the page writes the address before it notices the link.
func linkOpensWhileTheAddressIsWritten(t *testing.T, p *tab) {
	p.shop()
	s := example(t, "backtracking")
	_, fragment, _ := strings.Cut(linkTo(t, s), "#")
	eval[any](p, fmt.Sprintf(`location.hash = %s, history.replaceState(history.state, "", location.pathname)`, quote(fragment)))
	p.wantResult(s)
}

func addressLeadsToWhatIsShown(t *testing.T, p *tab) {
	p.shop()
	s := p.uploadSmall()
	p.waitFor(compared)
	p.waitForAddress(s, "")
	p.pressNamed("^Federation$")
	p.waitForAddress(s, "&tab=federation")
	p.pressNamed("^random ×20$")
	p.pressNamed("^Next job")
	p.waitForAddress(s, "&job=b&strategy=random&tab=federation")
	address := eval[string](p, "location.pathname + location.hash")
	head := eval[string](p, fmt.Sprintf("document.querySelector(%q).innerText", testID("explain")+" .why-head"))

	for name, q := range map[string]*tab{"reload": p, "copy": p.another(address)} {
		if name == "reload" {
			p.reload()
		}
		q.wantResult(s)
		q.waitForText(testID("explain")+" .why-head", head)
		q.waitFor(`document.querySelector("#picture-views [aria-selected=true]").innerText == "Federation"`)
		q.waitFor("location.pathname + location.hash === " + quote(address))
	}
	p.waitForText(".run-bar", "Not saved to the library.") // the page recognises the work after a reload

	// Another view has its own address, and Back returns to this one.
	p.visit("QoS")
	p.wait(qosDone)
	p.pressNamed("^Penalties$")
	p.waitFor(`location.pathname == "/qos" && location.hash.endsWith("&tab=penalties")`)
	p.visit("Placement")
	p.waitFor(`location.pathname == "/placement" && ` + quote(address) + `.endsWith(location.hash) && location.hash`)

	// A link that is too long for the address is omitted.
	deployment := must.File(t, "jobs.dot", deploymentText(t, deploymentRecipe(1, 300), dot.Plain))
	federation := must.File(t, "clusters.dot", federationText(t, federationRecipe(1, 400), dot.Plain))
	p.choose(deployment, federation)
	p.waitForScenario(chosen(t, federation, deployment))
	p.waitFor(`location.hash === ""`)
}
