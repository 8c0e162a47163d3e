//go:build js

// These tests draw the charts in a browser, with the site's scripts and styles.

package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

const patience = 20 * time.Second

// loading makes berth.charts load once the scripts that boot.js lists; the site takes some of them
// from npm.
var loading = js.Global().Get("Function").New(`
	const load = (src) => new Promise((resolve, reject) => document.head.append(
		Object.assign(document.createElement("script"), { src, async: false, onload: resolve, onerror: () => reject(new Error(src)) })));
	const style = (href) => new Promise((resolve) => document.head.append(
		Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve })));
	let charts;
	globalThis.berth ??= {};
	globalThis.berth.charts ??= () => charts ??= fetch("/web/assets/boot.js").then((r) => r.text()).then(async (boot) => {
		const list = boot.match(/loadCharts = loader\(([^)]*)\)/)[1].match(/[\w-]+\.js/g);
		const npm = { "d3.js": "/web/node_modules/d3/dist/d3.min.js", "plot.js": "/web/node_modules/@observablehq/plot/dist/plot.umd.min.js" };
		await Promise.all([style("/web/assets/berth.css"), style("/web/assets/chart.css"), ...list.map((name) => load(npm[name] ?? "/web/assets/" + name))]);
	});`)

// stage is a page for the test with a chart.
type stage struct {
	app.Compo
	Chart func() app.UI
}

func (s *stage) Render() app.UI { return app.Div().Style("width", "600px").Body(s.Chart()) }

// shown is a chart in the browser.
type shown struct {
	t      *testing.T
	engine app.TestEngine
}

// draw mounts a chart and waits until it is drawn.
func draw(t *testing.T, chart func() app.UI) *shown {
	t.Helper()
	loading.Invoke()
	s := &shown{t, app.NewTestEngine()}
	if js.Global().Get("document").Get("body").Get("firstElementChild").IsNull() {
		js.Global().Get("document").Get("body").Call("append", js.Global().Get("document").Call("createElement", "div"))
	}
	if err := s.engine.Load(&stage{Chart: chart}); err != nil {
		t.Fatal(err)
	}
	s.await(`document.querySelector(".chart :is([role=img], [role=application])")`)
	return s
}

// update shows other figures.
func (s *shown) update(chart func() app.UI) {
	if err := s.engine.Load(&stage{Chart: chart}); err != nil {
		s.t.Fatal(err)
	}
	s.engine.ConsumeAll()
}

// eval returns the value of a JavaScript expression as a string.
func (s *shown) eval(expression string) string {
	s.t.Helper()
	return js.Global().Get("String").Invoke(js.Global().Get("Function").New("return " + expression).Invoke()).String()
}

// await waits until an expression is true.
func (s *shown) await(expression string) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); s.eval("!!("+expression+")") != "true"; {
		if time.Now().After(deadline) {
			s.t.Fatalf("%s never became true; the page is\n%s", expression, s.eval("document.body.innerHTML.slice(0, 2000)"))
		}
		s.engine.ConsumeAll()
		frame := make(chan struct{})
		callback := js.FuncOf(func(js.Value, []js.Value) any { close(frame); return nil })
		js.Global().Call("requestAnimationFrame", callback)
		<-frame
		callback.Release()
	}
}

// want compares the value of an expression.
func (s *shown) want(expression, want string) {
	s.t.Helper()
	if got := s.eval(expression); got != want {
		s.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// press focuses the element of a selector and sends it a key.
func (s *shown) press(selector, key string) {
	s.t.Helper()
	s.eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.focus();
		e.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true })); })()`, selector, key))
}

var someLines = []Series{
	{Name: "qos", Points: []Point{{1, 10, 9, 12}, {10, 20, 20, 20}, {100, 15, 15, 15}}},
	{Name: "priority", Points: []Point{{0, 5, 5, 5}, {10, 8, 8, 8}, {100, 9, 9, 9}}},
}

func TestEveryPlotIsNamedAndDrawn(t *testing.T) {
	for _, c := range []struct {
		name  string
		chart *Chart
		has   string // an expression about svg
	}{
		{"bars", &Chart{Of: Bars{Items: []Bar{{Label: "a", Value: 4, Low: 3, High: 5}}}}, `svg.querySelectorAll("rect").length == 1 && !svg.querySelector("[stroke-dasharray='2 2']")`},
		{"bars over pinned ones", &Chart{Of: Bars{Items: []Bar{{Label: "a", Value: 4, Low: 4, High: 4, Was: new(7.0)}}}}, `svg.querySelector("[stroke-dasharray='2 2']")`},
		{"lines over pinned ones", &Chart{Of: Lines{Plain: true, Series: []Series{{Name: "a (pinned)", Behind: true, Points: []Point{{1, 2, 2, 2}, {2, 3, 3, 3}}}}}}, `svg.querySelector("[stroke-width='0.75']")`},
		{"a histogram over a pinned one", &Chart{Of: Histogram{Edges: []float64{0, 1, 2}, Series: []Counts{{Name: "a (pinned)", Behind: true, Values: []float64{3, 4}}}}},
			`svg.querySelector("[stroke-width='0.75']") && !svg.querySelector("[fill-opacity='0.15']")`},
		{"lines", &Chart{Of: Lines{Series: someLines}}, `svg.querySelector("[stroke-dasharray='7 3']") && svg.querySelectorAll("[stroke='var(--series-2)'] path, path[stroke='var(--series-2)']").length > 0`},
		{"log lines", &Chart{Of: Lines{Series: someLines, LogX: true, Steps: true, Plain: true}}, `!svg.innerHTML.includes("NaN")`},
		{"log of nothing", &Chart{Of: Lines{Series: []Series{{Name: "a", Points: []Point{{X: 0, Y: 1}, {X: 1, Y: math.Inf(1)}}}}, LogX: true}}, `!svg.innerHTML.includes("NaN")`},
		{"areas", &Chart{Of: Areas{X: []float64{0, 1, 2}, Layers: []Layer{{Name: "gold", Values: []float64{1, 2, 3}}}, Outlines: []Layer{{Name: "gold", Values: []float64{2, 3, 4}}}, FilledAs: "allocated", OutlinedAs: "requested", Rules: []Guide{{"capacity", 5}}}},
			`svg.querySelector("pattern") && svg.textContent.includes("gold requested") && svg.textContent.includes("capacity")`},
		{"stacks", &Chart{Of: Stacks{Parts: []string{"queueing", "worker"}, Items: []Stack{{"megha", []float64{1, 2}}}}},
			`svg.querySelectorAll("pattern").length == 2 && svg.textContent.includes("worker")`},
		{"boxes", &Chart{Of: Boxes{Items: []Box{{Group: "gold", Name: "qos", Count: 3, Low: 0, Q1: 1, Median: 2, Q3: 3, High: 4, Mean: 2, MeanLow: 1.5, MeanHigh: 2.5},
			{Group: "gold", Name: "priority", Low: math.NaN(), Q1: math.NaN(), Median: math.NaN(), Q3: math.NaN(), High: math.NaN(), Mean: math.NaN(), MeanLow: math.NaN(), MeanHigh: math.NaN()}}}},
			`svg.textContent.includes("gold · qos") && svg.textContent.includes("n = 0") && !svg.innerHTML.includes("NaN")`},
		{"violins", &Chart{Of: Boxes{Items: []Box{{Group: "gold", Name: "qos", Count: 3, Low: 0, Q1: 1, Median: 2, Q3: 3, High: 4, Mean: 2, MeanLow: 1.5, MeanHigh: 2.5, Shape: []float64{0.1, 1, 0.5}},
			{Group: "gold", Name: "priority", Count: 2, Low: 1, Q1: 1, Median: 1, Q3: 1, High: 1, Mean: 1, MeanLow: 1, MeanHigh: 1}}}},
			`svg.querySelectorAll("[data-violin] path").length == 1 && !svg.innerHTML.includes("NaN")`},
		{"histogram", &Chart{Of: Histogram{Edges: []float64{0, 1, 2}, Series: []Counts{{Name: "qos", Values: []float64{3, 4}}}}}, `svg.querySelectorAll("path").length > 2`},
		{"paired", paired(), `svg.textContent.includes("only qos") && svg.textContent.includes("12.5\u202f%") && svg.querySelectorAll("[stroke-dasharray='5 3']").length == 2`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.chart.ID, c.chart.Title = "it", "Title of "+c.name
			s := draw(t, func() app.UI { return c.chart })
			s.want(`document.querySelector(".chart [role=img]").getAttribute("aria-label").split(";")[0]`, "Title of "+c.name)
			if s.eval(`(() => { const svg = document.querySelector(".chart [role=img]"); return !!(`+c.has+`); })()`) != "true" {
				t.Errorf("not so: %s\n%s", c.has, s.eval(`document.querySelector(".chart [role=img]").outerHTML`))
			}
		})
	}
}

func paired() *Chart {
	return &Chart{Of: Paired{XLabel: "A under priority", YLabel: "A under qos", XName: "priority", YName: "qos", Bins: 2, Counts: []float64{1, 0, 0, 7}, Limit: 0.9, Quadrants: Quadrants{Both: 0.875, OnlyY: 0.125}}}
}

func TestKeysReadThePairs(t *testing.T) {
	s := draw(t, func() app.UI { p := paired(); p.ID, p.Title = "it", "pairs"; return p })
	s.want(`document.querySelector("#it svg").getAttribute("aria-label")`,
		"pairs; both meet the SLO 87.5\u202f%, only qos 12.5\u202f%, only priority 0\u202f%, neither 0\u202f%, arrow keys read the bins")
	s.press("#it svg", "ArrowRight")
	s.press("#it svg", "ArrowUp")
	s.want(`document.querySelector("#it output").value`, "A under priority 50 to 100\u202f%, A under qos 50 to 100\u202f%: 7")
	s.press("#it svg", "ArrowUp") // there is no further bin
	s.want(`document.querySelector("#it output").value`, "A under priority 50 to 100\u202f%, A under qos 50 to 100\u202f%: 7")
}

func TestKeysReadTheStrips(t *testing.T) {
	s := draw(t, func() app.UI {
		return &Chart{ID: "it", Title: "strips",
			Of: Strips{Item: "request", Value: "availability", Items: []Strip{
				{Group: "gold", Name: "qos", Values: []float64{1, 0.5}, Limit: 0.9}, {Group: "gold", Name: "priority", Values: []float64{1}}}}}
	})
	s.want(`document.querySelectorAll("#it canvas").length`, "2")
	s.press("#it .strips", "ArrowRight")
	s.want(`document.querySelector("#it output").value`, "gold · qos, request 2 of 2: availability 50\u202f%, below its SLO of 90\u202f%")
	s.press("#it .strips", "ArrowDown")
	s.want(`document.querySelector("#it output").value`, "gold · priority, request 1 of 1: availability 100\u202f%")
}

// With more items than columns, a column shows the lowest of its items.
func TestAStripHidesNoMissedSLO(t *testing.T) {
	values := slices.Repeat([]float64{1}, 10_000)
	values[5000] = 0.25
	s := draw(t, func() app.UI {
		return &Chart{ID: "it", Title: "strips",
			Of: Strips{Item: "request", Value: "availability", Items: []Strip{{Name: "qos", Values: values, Limit: 0.9}}}}
	})
	s.want(`(({ width, height }, context) => [1, height - 1].map((y) => {
		const line = new Uint32Array(context.getImageData(0, y, width, 1).data.buffer);
		return line.filter((pixel) => pixel !== line[0]).length;
	}).join())(document.querySelector("#it canvas"), document.querySelector("#it canvas").getContext("2d"))`, "1,1")
}

func TestKeysReadTheHeatmap(t *testing.T) {
	s := draw(t, func() app.UI {
		return &Chart{ID: "it", Title: "matrix",
			Of: Heatmap{RowLabel: "job", ColumnLabel: "cluster", Rows: []string{"a", "b"}, Columns: []string{"x"}, Values: []float64{1, math.NaN()}}}
	})
	s.press("#it canvas", "ArrowDown")
	s.want(`document.querySelector("#it output").value`, "job b, cluster x: –")
}

func TestSameFiguresAreNotDrawnAgain(t *testing.T) {
	chart := func(values ...Bar) func() app.UI {
		return func() app.UI { return &Chart{ID: "it", Title: "bars", Of: Bars{Items: values}} }
	}
	s := draw(t, chart(Bar{Label: "a", Value: 1}))
	s.eval(`document.querySelector("#it svg").id = "first"`)
	s.update(chart(Bar{Label: "a", Value: 1}))
	s.await(`document.querySelector("#it svg#first")`)
	s.update(chart(Bar{Label: "a", Value: 2}))
	s.await(`document.querySelector("#it svg:not(#first)")`)
}

func TestWithoutFiguresAChartSaysWhatToDo(t *testing.T) {
	with := func(values ...Bar) func() app.UI {
		return func() app.UI { return &Chart{ID: "it", Title: "bars", Empty: "Run it.", Of: Bars{Items: values}} }
	}
	s := draw(t, with(Bar{Label: "a", Value: 1}))
	s.update(with())
	s.await(`document.querySelector("#it").hidden && document.querySelector(".chart-empty")?.textContent == "Run it."`)
	s.update(with(Bar{Label: "b", Value: 1}))
	s.await(`!document.querySelector("#it").hidden && document.querySelector("#it svg").textContent.includes("b")`)
}

func TestSVGStandsAlone(t *testing.T) {
	s := draw(t, func() app.UI {
		return &Chart{ID: "it", Title: "stacks", Of: Stacks{Parts: []string{"queueing"}, Items: []Stack{{"megha", []float64{1}}}}}
	})
	svg := s.eval(`berth.chart.stacks(document.querySelector("#it"), { title: "t", unit: "s", shares: false,
		parts: [{ name: "queueing", style: "series-1" }, { name: "worker", style: "series-2" }],
		items: [{ label: "<megha>", values: Float64Array.of(1, 2) }] }).svg()`)
	if !strings.Contains(svg, "xmlns=") || !strings.Contains(svg, "&lt;megha&gt;") || strings.Contains(svg, "fill: var(") {
		t.Errorf("the picture is not whole:\n%s", svg)
	}
}

// Bars of value 0 have no length, even if all are 0.
func TestBarsOfZeroHaveNoLength(t *testing.T) {
	s := draw(t, func() app.UI {
		return &Chart{ID: "it", Title: "owed", Of: Bars{Unit: "hours", Items: []Bar{{Label: "a"}, {Label: "b"}}}}
	})
	if got := s.eval(`String(Math.max(...[...document.querySelectorAll("#it [aria-label=bar] rect, #it g > rect")].map((bar) => bar.getBBox().width)))`); got != "0" {
		t.Errorf("the longest bar has %s pixels", got)
	}
}

// run returns a small run on two hosts, with one event.
func run(picked *Pick) *Chart {
	return &Chart{ID: "it", Title: "run", OnPick: func(_ app.Context, p Pick) { *picked = p },
		Of: Timeline{XLabel: "time (s)", Rows: []string{"host 1", "host 2"}, Series: Names{"gold", "bronze"}, Intervals: []Interval{
			{ID: 70, Row: 0, Label: "request 7", Series: "gold", Start: 0, Run: 2, End: 10},
			{ID: 80, Row: 1, Label: "request 8", Series: "bronze", Start: 4, Run: 5, End: 20},
		}, Events: []Event{{ID: 1, Time: 0, At: 0, Text: "request 7 goes to host 1"}, {ID: 2, Time: 4, At: 1, Text: "request 8 goes to host 2"}}}}
}

const clock = `document.querySelector("#it .player-clock").textContent`

func TestTimelineIsSteppedAndRead(t *testing.T) {
	var picked Pick
	s := draw(t, func() app.UI { return run(&picked) })
	s.want(clock, "20.000")
	s.press("#it .timeline-field", "Home")
	s.want(clock, "0.000")
	s.press("#it .timeline-field", ".")
	s.want(clock, "4.000")
	s.want(`document.querySelector("#it output").value`, "4: request 8 goes to host 2")
	s.press("#it .timeline-field", "Enter")
	s.engine.ConsumeAll()
	if want := (Pick{Event: true, ID: 2}); picked != want {
		t.Errorf("picked %+v, want %+v", picked, want)
	}
	s.press("#it .timeline-field", ",")
	s.want(clock, "0.000")
	s.press("#it .timeline-field", "ArrowRight")
	s.press("#it .timeline-field", "ArrowDown")
	s.want(`document.querySelector("#it output").value`, "request 8 (bronze) on host 2: from 4, runs from 5 to 20")
	s.press("#it .timeline-field", "Enter")
	s.engine.ConsumeAll()
	if want := (Pick{ID: 80}); picked != want {
		t.Errorf("picked %+v, want %+v", picked, want)
	}
}

// The legend has the given order, and a row all its lanes.
func TestATimelineHasItsSeriesAndLanes(t *testing.T) {
	s := draw(t, func() app.UI {
		return &Chart{ID: "it", Title: "run", Of: Timeline{Rows: []string{"h1", "h2"}, Series: Names{"gold", "silver", "bronze"}, Intervals: []Interval{
			{Series: "bronze", Lane: 1, Run: 1, End: 2}, {Series: "gold", Run: 1, End: 2}, {Row: 1, Series: "gold", Run: 1, End: 2}}}}
	})
	saved := s.svg()
	gold, silver, bronze := strings.Index(saved, ">gold<"), strings.Index(saved, ">silver<"), strings.Index(saved, ">bronze<")
	if gold < 0 || gold > silver || silver > bronze {
		t.Errorf("the legend is not in order:\n%s", saved)
	}
	s.want(`(([h1, h2]) => h2 - h1)([...new DOMParser().parseFromString(saved, "text/html").querySelectorAll("text")].filter((e) => /^h/.test(e.textContent)).map((e) => e.getAttribute("y")))`, "30.5")
}

func TestTimelineIsPlayedAndPaused(t *testing.T) {
	s := draw(t, func() app.UI { return run(new(Pick)) })
	s.press("#it .timeline-field", " ")
	s.await(clock + ` > 0.1 && ` + clock + ` < 20 && document.querySelector("#it [aria-label='Pause (space)']")`)
	s.press("#it .timeline-field", " ")
	at := s.eval(clock)
	s.await(`document.querySelector("#it [aria-label='Play (space)']")`)
	s.want(clock, at)
	s.press("#it .timeline-field", "End")
	s.want(clock, "20.000")
}

func TestWithReducedMotionPlayingJumpsFromStepToStep(t *testing.T) {
	former := js.Global().Get("matchMedia")
	t.Cleanup(func() { js.Global().Set("matchMedia", former) })
	js.Global().Get("Function").New("globalThis.matchMedia = () => ({ matches: true, addEventListener() {}, removeEventListener() {} })").Invoke()
	s := draw(t, func() app.UI { return run(new(Pick)) })
	s.eval(`document.querySelector("#it [aria-label='Play (space)']").click()`)
	s.want(clock, "4.000") // shown at once, without an animation
}

func TestTimelineMovesToTheTimeThatIsSought(t *testing.T) {
	s := draw(t, func() app.UI { return run(new(Pick)) })
	seek := func(time float64, rows ...string) {
		s.update(func() app.UI {
			r := run(new(Pick))
			of := r.Of.(Timeline)
			of.Seek, of.Rows = time, rows
			r.Of = of
			return r
		})
	}
	seek(12, "host 1", "host 2")
	s.await(clock + ` == "12.000"`)
	s.press("#it .timeline-field", ",")
	seek(12, "host 1", "another") // the figures are new, but the chosen time is not
	s.press("#it .timeline-field", "ArrowRight")
	s.await(`document.querySelector("#it output").value.includes("another")`)
	s.want(clock, "4.000")
}

// On an enlarged timeline the times on screen follow the cursor.
func TestAnEnlargedTimelineFollowsItsCursor(t *testing.T) {
	s := draw(t, func() app.UI { return run(new(Pick)) })
	s.press("#it .timeline-field", "Home")
	for range 3 {
		s.press("#it .timeline-field", "+")
	}
	s.press("#it .timeline-field", "End")
	var picked float64
	js.Global().Get("Function").New(`
		const canvas = document.querySelector("#it .timeline-field canvas"), box = canvas.getBoundingClientRect();
		canvas.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.right - 10, clientY: box.top + 1 }));`).Invoke()
	if _, err := fmt.Sscan(s.eval(clock), &picked); err != nil || picked < 15 {
		t.Errorf("a click at the right edge leads to %v s (%v), want a time near the end, 20 s", picked, err)
	}
}

func TestTimelineIsClicked(t *testing.T) {
	var picked Pick
	s := draw(t, func() app.UI { return run(&picked) })
	s.eval(`(() => {
		const field = document.querySelector("#it .timeline-field"), canvas = field.querySelector("canvas"), box = canvas.getBoundingClientRect();
		const click = (x, y) => canvas.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.left + x, clientY: box.top + y }));
		for (let y = 0; y < box.height; y++) click(box.width - 100, y); // only the bar of host 2 reaches so far
	})()`)
	s.engine.ConsumeAll()
	if want := (Pick{ID: 80}); picked != want {
		t.Errorf("picked %+v, want %+v", picked, want)
	}
}

// svg returns the picture that the button SVG saves.
func (s *shown) svg() string {
	s.t.Helper()
	s.eval(`globalThis.blobs = [], globalThis.formerBlob = Blob, globalThis.Blob = class extends formerBlob { constructor(parts, o) { super(parts, o); blobs.push(this); } }`)
	s.t.Cleanup(func() { s.eval(`globalThis.Blob = formerBlob`) })
	s.eval(`document.querySelectorAll(".chart figcaption button")[1].click()`)
	s.await(`blobs.length == 1`)
	s.eval(`globalThis.saved = "", blobs[0].text().then((text) => globalThis.saved = text)`)
	s.await(`globalThis.saved`)
	return s.eval(`globalThis.saved`)
}

func TestTimelineAsSVG(t *testing.T) {
	s := draw(t, func() app.UI { return run(new(Pick)) })
	saved := s.svg()
	for _, part := range []string{"<pattern", ">host 1<", ">gold<", "being prepared", `fill="url(#hatch-`} {
		if !strings.Contains(saved, part) {
			t.Errorf("the picture has no %s:\n%s", part, saved)
		}
	}
}

// centre returns a data centre with three workers.
func centre(picked *Pick) *Chart {
	return &Chart{ID: "it", Title: "data centre", OnPick: func(_ app.Context, p Pick) { *picked = p },
		Of: Cells{Blocks: []string{"LM 1", "LM 2"}, Partitions: []string{"GM 1", "GM 2"}, Items: []Cell{{"worker 1", 0, 0}, {"worker 2", 0, 1}, {"worker 3", 1, 0}}, Changes: []Change{{1, States, 2, int(Pending)}, {2, States, 2, int(Busy)}, {3, States, 0, int(Down)}}}}
}

func TestCellsAreSteppedAndRead(t *testing.T) {
	var picked Pick
	s := draw(t, func() app.UI { return centre(&picked) })
	tally := `document.querySelector("#it .chart-tally").textContent`
	s.want(tally, "3 free")
	s.press("#it .timeline-field", ".")
	s.want(tally, "2 free, 1 pending")
	s.press("#it .timeline-field", ".")
	s.press("#it .timeline-field", ".")
	s.want(tally, "1 free, 1 busy, 1 down")
	s.press("#it .timeline-field", ",") // back in time
	s.want(tally, "2 free, 1 busy")
	s.press("#it .timeline-field", "ArrowRight")
	s.press("#it .timeline-field", "ArrowRight")
	s.want(`document.querySelector("#it output").value`, "worker 3, LM 2, partition of GM 1: busy")
	s.press("#it .timeline-field", "Enter")
	s.engine.ConsumeAll()
	if want := (Pick{ID: 2}); picked != want {
		t.Errorf("picked %+v, want %+v", picked, want)
	}
}
