package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

// why is the selector of the explanation.
var why = testID("explain")

// explanation returns the page's explanation of one step: for each cluster its id, and the reason
// if the step refused it.
func (p *tab) explanation() (head string, clusters, reasons []string) {
	p.t.Helper()
	rows := eval[[][2]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((row) =>
		[row.cells[0].textContent.trim(), row.cells[row.cells.length - 1].textContent.trim()])`, why+" tbody tr"))
	for _, row := range rows {
		clusters = append(clusters, row[0])
		reasons = append(reasons, row[1])
	}
	return p.text(why + " .why-head"), clusters, reasons
}

func TestAPlacementIsExplained(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	// A result that came with the page has no time, and a link has no first screen.
	open(t, linkTo(t, example(t, "shop"))).journey(elementsTellTheirFigures, clustersKeepTheirPlaces, drawingIsReadable, idsAreShownOnDemand, drawingThatGivesWayIsDimmed, wholeMatricesAreDrawnAndSaved,
		largeResultsAreSimplified)
}

func everyStepIsExplained(t *testing.T, p *tab) {
	p.shop()
	e := must.Get(scenario.Prepare(t.Context(), example(t, "shop"), scenario.Env{}))(t)
	report := must.Get(e.Run(t.Context()))(t)
	placed := must.Get(scenario.WorkOf[*placementkind.Prepared](e))(t)
	order := placementkind.ReportOf(report).Strategies[0].Deployments[0].Order
	refusals := 0
	for step, job := range order {
		p.waitFor(fmt.Sprintf(`document.querySelector(%q)?.innerText.startsWith("job %s:")`, why+" .why-head", job))
		want := must.Get(placed.Explain(placementkind.ExplainQuery{Step: step}))(t)
		head, clusters, reasons := p.explanation()
		if !strings.Contains(head, fmt.Sprintf("of %d in SJ", len(order))) || !strings.Contains(head, "on cluster "+want.Cluster) {
			t.Errorf("step %d begins with %q", step, head)
		}
		var wantClusters, wantReasons []string
		for _, c := range want.PA {
			reason := ""
			switch {
			case c.Chosen:
				reason = "✓ chosen"
			case c.Tried:
				reason = "tried before, undone: a later job could not be placed"
			case want.Order != "":
				reason = "not tried"
			}
			wantClusters, wantReasons = append(wantClusters, c.Cluster), append(wantReasons, reason)
		}
		for _, r := range want.Refusals {
			wantClusters, wantReasons = append(wantClusters, r.Cluster), append(wantReasons, "refused: "+r.Text)
			refusals++
		}
		if !slices.Equal(clusters, wantClusters) || !slices.Equal(reasons, wantReasons) {
			t.Errorf("step %d shows %q because of %q, want %q because of %q", step, clusters, reasons, wantClusters, wantReasons)
		}
		if step < len(order)-1 {
			p.pressNamed("^Next job")
		}
	}
	if refusals == 0 {
		t.Error("the example refuses no cluster, so no reason was compared")
	}
	p.screenshot("why-refusals")
	p.pressNamed("^" + order[0] + "$") // a row of the placement table
	p.waitFor(fmt.Sprintf(`document.querySelector(%q)?.innerText.startsWith("job %s:")`, why+" .why-head", order[0]))
}

func wholeMatricesAreDrawnAndSaved(t *testing.T, p *tab) {
	p.shop()
	for _, which := range []string{"CM", "NAM"} {
		p.pressNamed("^Whole " + which + "$")
		p.waitFor(fmt.Sprintf(`document.querySelector(%q)?.ariaLabel?.startsWith("%s: ")`, why+" canvas", which))
		painted := fmt.Sprintf(`((c) => new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)).size)(document.querySelector(%q))`, why+" canvas")
		if colours := eval[int](p, painted); colours < 10 {
			t.Errorf("the heat map of %s has %d colours", which, colours)
		}
		name, csv := p.saved(func() { p.pressNamed("^CSV$") })
		lines := strings.Split(strings.TrimSpace(string(csv)), "\n")
		if len(lines) != 13 || strings.Count(lines[0], ",") != 6 {
			t.Errorf("%s has %d lines, want 12 jobs below a head with 6 clusters:\n%s", name, len(lines), csv)
		}
	}
	p.screenshot("why-matrix")
	p.pressNamed("^As a table$")
	p.waitFor(fmt.Sprintf("document.querySelectorAll(%q).length == 12", why+" details tbody tr"))
}

func largeResultsAreSimplified(t *testing.T, p *tab) {
	p.shop()
	s := example(t, "hard")
	placementkind.Of(s).Strategies = placementkind.Of(s).Strategies[:1]
	recipe := deploymentRecipe(3, 400)
	placementkind.Of(s).Deployments[0].Recipe = &recipe
	p.follow(linkTo(t, s))
	p.wantResult(s)
	p.waitFor(`/[Ss]implified/.test(document.querySelector(".pane-result").innerText)`)
	p.pressNamed("^Result$")
	graph := testID("result-graph") + " svg "
	clusters := p.count(graph + ".node")
	if all := p.count(graph + ".node, svg .edge"); all > 1000 {
		t.Errorf("%d elements are drawn", all)
	}
	p.screenshot("simplified")
	expand := graph + ".collapsed"
	if expanded := p.count(expand); expanded != clusters {
		t.Errorf("%d of %d nodes stand for clusters", expanded, clusters)
	}
	p.waitUntilStill(fmt.Sprintf("document.querySelector(%q)", strings.TrimSpace(graph))) // a new drawing would take the focus away
	eval[any](p, fmt.Sprintf("document.querySelector(%q).focus()", expand))
	p.press(kb.Enter)
	p.waitFor(fmt.Sprintf("document.querySelectorAll(%q).length == %d", expand, clusters-1))
	p.waitFor(fmt.Sprintf("document.querySelectorAll(%q).length > 0", graph+".node:not(.collapsed)"))
}

// No cluster moves by more than 8 px over all positions of a dial, and none is hidden.
func clustersKeepTheirPlaces(t *testing.T, p *tab) {
	p.shop()
	p.press("w")
	p.wait(testID("stage") + " " + testID("dial"))
	p.waitForText(testID("headline-best"), "proved")
	moved := eval[float64](p, `(async () => {
		const view = document.querySelector(".view:not([hidden])"), status = () => view.querySelector(".result-status").dataset.state;
		const places = () => new Map([...view.querySelectorAll("[data-testid=result-graph] .cluster")].map((c) => [c.id, c.getBoundingClientRect()]));
		const frame = () => new Promise(requestAnimationFrame), first = places();
		let most = first.size == 6 ? 0 : Infinity;
		for (const dial of view.querySelectorAll("[data-testid=dial] input")) {
			for (let at = 0; at <= 100; at += 5) {
				dial.value = at;
				dial.dispatchEvent(new Event("input", { bubbles: true }));
				do {
					await frame();
					const now = places();
					if (now.size != 6) most = Infinity;
					for (const [id, { x, y }] of now) most = Math.max(most, Math.hypot(x - first.get(id).x, y - first.get(id).y));
				} while (status() != "done");
			}
			dial.dispatchEvent(new Event("change", { bubbles: true }));
		}
		return most;
	})()`)
	if moved > 8 {
		t.Errorf("a cluster moved by %v px", moved)
	}
	p.screenshot("dialled")
	p.press("w")
	p.wait(testID("workbench"))
}

func elementsTellTheirFigures(t *testing.T, p *tab) {
	p.shop()
	for element, want := range map[string]int{".cluster": 6, ".node": 12, ".edge": 14} {
		if got := p.count(testID("result-graph") + " svg " + element); got != want {
			t.Errorf("%d of %s are drawn, want %d", got, element, want)
		}
	}
	colours := eval[int](p, `new Set([...document.querySelectorAll("svg .edge path:last-of-type")].map((e) => getComputedStyle(e).stroke)).size`)
	if colours < 3 {
		t.Errorf("dependencies have %d colours: slack cannot be told from them", colours)
	}
	node := `[...document.querySelectorAll("svg .node")].find((e) => e.textContent.includes("gateway"))`
	p.waitFor(node)
	p.pressScript(node)
	p.waitFor(`/gateway[^]*request/.test(document.querySelector(".element-card").innerText)`)
	for _, view := range []struct {
		name  string
		nodes int
	}{{"Deployment", 12}, {"Federation", 6}, {"Result", 12}} {
		p.pressNamed("^" + view.name + "$")
		p.waitFor(fmt.Sprintf(`document.querySelector(".panzoom").ariaLabel.includes(%q) && document.querySelectorAll("svg .node").length == %d`,
			strings.ToLower(view.name), view.nodes))
	}
	p.pressNamed("^Show all")
	p.waitUntilStill(`document.querySelector(".panzoom-stage").style.transform`) // the headline grows when the best placement is known
	before := eval[string](p, `document.querySelector(".panzoom-stage").style.transform`)
	p.pressNamed("^Zoom in")
	p.waitFor(fmt.Sprintf(`document.querySelector(".panzoom-stage").style.transform != %q`, before))
	p.pressNamed("^Show all")
	p.waitFor(fmt.Sprintf(`document.querySelector(".panzoom-stage").style.transform == %q`, before))
}

// The search is played from its first refusal to its end, and the address leads to a step.
func searchIsPlayed(t *testing.T, p *tab) {
	p.shop()
	p.pressNamed("^Play$")
	text := testID("player-text")
	p.waitFor(fmt.Sprintf(`document.querySelector(%q)?.textContent.startsWith("Step 1 of ")`, text))
	p.click(testID("player-next"))
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).textContent.startsWith("Step 2 of ")`, text))
	if got := p.text(text); !strings.Contains(got, "refused: ") {
		t.Errorf("an early step is %q", got)
	}
	p.waitFor(`/&step=2(&|$)/.test(location.hash)`)
	slider := testID("player-step")
	p.do(chromedp.Focus(chromedp.CSS(slider)))
	p.press(kb.End)
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).textContent.includes("12 jobs placed")`, text))
	p.click(testID("player-play")) // from the beginning again
	p.waitFor(fmt.Sprintf(`/^Step [3-9] of/.test(document.querySelector(%q).textContent)`, text))
	p.click(testID("player-play"))
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).getAttribute("aria-label") == "Play"`, testID("player-play")))
	p.pressNamed("^Result$")
}

// While the mouse carries a job, the page shows the costs of dropping it on the cluster below, even
// on an empty one. A dropped job stays there, and Undo returns it.
func jobIsCarried(t *testing.T, p *tab) {
	p.shop()
	middle := func(selector string) (at [2]float64) {
		return eval[[2]float64](p, fmt.Sprintf(`(() => { const b = document.querySelector(%q).getBoundingClientRect(); return [b.left + b.width / 2, b.top + 6]; })()`, selector))
	}
	mouse := func(kind input.DispatchMouseEventType, at [2]float64) {
		p.do(command(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1}))
	}
	picture := testID("result-graph")
	s := example(t, "shop")
	deployment := placementkind.ReportOf(native(t, s)).Strategies[0].Deployments[0]
	job := slices.IndexFunc(deployment.Placement, func(a placementkind.Assigned) bool { return a.Job == "images" })
	carried := fmt.Sprintf("%s #job-0-%d", picture, job)
	p.wait(carried) // the drawing may appear after the table
	from := middle(carried)
	clusters := eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.id)`, picture+" g.cluster"))
	mouse(input.DispatchMouseEventTypeMousePressed, from)
	var answers []string
	target, empty := [2]float64{}, drawing.ClusterID(len(clusters)-1)
	for _, id := range clusters {
		target = middle(picture + " #" + id)
		mouse(input.DispatchMouseEventTypeMouseMoved, [2]float64{target[0] - 3, target[1]})
		mouse(input.DispatchMouseEventTypeMouseMoved, target)
		p.waitFor(`/ with the others where they are[^]*If others may move: [^]*(others? moves?|no placement found)|^Stays on /.test(document.querySelector(".carry-label").innerText)`)
		answers = append(answers, p.text(".carry-label"))
	}
	p.screenshot("carried")
	if !slices.ContainsFunc(answers, func(answer string) bool { return strings.HasPrefix(answer, "On ") }) {
		t.Fatalf("no cluster can take the job: %q", answers)
	}
	if clusters[len(clusters)-1] != empty || slices.ContainsFunc(deployment.Placement, func(a placementkind.Assigned) bool { return a.Cluster == "ap-south" }) {
		t.Fatalf("the last of %q is not the empty cluster in Mumbai", clusters)
	}
	mouse(input.DispatchMouseEventTypeMouseReleased, target)
	p.waitFor(`document.querySelector("[data-testid=rules] input")?.value == "images: only cluster=ap-south"`)
	p.press("z", kb.ModifierCtrl)
	p.waitFor(`!document.querySelector("[data-testid=rules] input")`)
}
