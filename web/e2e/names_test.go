package e2e

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/placement/placementkind"
)

// shownNames are the texts of the page, its tooltips and its accessible names that
// contain a control character or more of a name than identifies it. The user's own
// fields are exempt.
const shownNames = `[...document.querySelectorAll("*")].filter((e) => !e.closest("script, style, textarea, .cm-content")).flatMap((e) =>
	[...[...e.childNodes].filter((n) => n.nodeType == 3).map((n) => n.data), ...["title", "aria-label", "aria-valuetext", "placeholder", "alt"].map((a) => e.getAttribute(a) ?? "")]
		.filter((text) => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]|n{201}/.test(text))
		.map((text) => [e.nodeName, e.className?.baseVal ?? e.className, e.parentElement?.id, JSON.stringify(text.slice(0, 90)), text.length].join(" ")))`

// wantPlain checks that no name is shown unescaped or at full length.
func (p *tab) wantPlain(where string) {
	p.t.Helper()
	if found := eval[[]string](p, shownNames); len(found) > 0 {
		p.t.Errorf("%s: %d texts show a name as it is, such as\n%s", where, len(found), strings.Join(found[:min(len(found), 20)], "\n"))
	}
}

func namesAreShownShortAndPlain(t *testing.T, p *tab) {
	long := "\x1b[31m\u202e" + strings.Repeat("n", 5000)
	p.shop()
	s := example(t, "shop")
	s.Name = "\x1b[31m\u202ename"
	d := placementkind.Of(s)
	d.Deployments[0].Name, d.Federation.Name = "\x1b[31mjobs.dot", "\u202eclusters.dot"
	d.Deployments[0].Text = fmt.Sprintf(`graph { "%[1]sa" [request=100, limit=200]; "%[1]sb" [request=50, limit=100]; "%[1]sa" -- "%[1]sb" [latency=20] }`, long)
	d.Federation.Text = fmt.Sprintf(`graph { "%[1]sc" [cpu=400, cpu_cost=0.5]; "%[1]sd" [cpu=10, cpu_cost=9]; "%[1]sc" -- "%[1]sd" [latency=15, latency_cost=1] }`, long)
	p.follow(linkTo(t, s))
	p.waitForScenario(s)
	p.waitFor(compared)
	p.wantPlain("placed")
	p.pressNamed("^Whole CM$")
	p.waitFor(`document.querySelector("[data-testid=explain] canvas")`)
	p.pressNamed("^As a table$")
	p.click("svg .node")
	p.wantPlain("the matrix, and a job that is pointed at")
	p.openBroken(testID("file-deployment"), must.File(t, "bad.dot", strings.Replace(d.Deployments[0].Text, "100", "-1", 1)))
	p.waitForError("bad.dot:1:")
	p.click(testID("run"))
	p.wait(status + `[data-state="error"]`)
	p.wait(content)
	p.wantPlain("a mistake")
}
