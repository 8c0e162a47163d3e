package gallery

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/gallery"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

// verdicts are in the order of the summary.
var verdicts = []study.Verdict{study.Agrees, study.Direction, study.Differs, study.Undecided, notRun}

const notRun study.Verdict = "not-run"

// all is the choice of a filter that hides nothing.
const all = "all"

var verdictNames = map[study.Verdict]string{
	study.Agrees: "agrees", study.Direction: "agrees in direction", study.Differs: "differs",
	study.Undecided: "undecided", notRun: "not run here yet",
}

var verdictIcons = map[study.Verdict]string{
	study.Agrees: "check", study.Direction: "check", study.Differs: "warning", study.Undecided: "help",
}

// Render draws the page. The filters hide entries, but the summary counts all of them.
func (v *View) Render() app.UI {
	counts, recorded := map[study.Verdict]int{}, map[study.Verdict]int{}
	var entries []app.UI
	for i := range v.entries {
		e := &v.entries[i]
		verdict := v.shown[e.ID].verdict()
		if x := v.shown[e.ID]; x != nil && len(x.changed) > 0 {
			counts[notRun]++ // a verdict on changed numbers is not about the figure
		} else {
			counts[verdict]++
		}
		recorded[v.recorded(e)]++
		if (v.paper == all || e.Paper == v.paper) && (v.verdict == all || v.verdict == verdict || v.verdict == v.shownVerdict(e, verdict)) {
			entries = append(entries, v.entry(e, verdict))
		}
	}
	state := "running" // until then the prerendered page stays
	if v.entries != nil || v.missing {
		state = "done"
	}
	return app.Div().Class("gallery").DataSet("state", state).Body(
		app.H1().Text("Gallery"),
		app.P().Text("Each entry repeats a figure of a paper. Its criteria were written from the paper's text before any run. "+
			"It shows the recorded verdict, at full size or on the authors’ files, until you run it at reduced size on this machine."),
		v.ownExperiment(),
		summary(len(v.entries), recorded, counts),
		v.filters(),
		app.If(v.missing, func() app.UI {
			return app.P().Class("hint").DataSet("testid", "gallery-missing").
				Text("The entries could not be loaded: reload the page to try again.")
		}),
		v.authorsZone(),
		app.If(v.entries != nil && len(entries) == 0, func() app.UI {
			return ui.Empty("No figure of this paper has this verdict.", ui.Button("undo", "Show all").OnClick(func(app.Context, app.Event) { v.paper, v.verdict = all, all }))
		}),
		app.Ul().Class("gallery-cards").Body(entries...),
		v.shareDialog(),
	)
}

// summary counts the recorded verdicts of the entries, and the verdicts of the runs on this machine.
func summary(entries int, recorded, here map[study.Verdict]int) app.UI {
	names := []string{"runs"}
	rows := [2][]app.UI{{app.Th().Scope("row").Text("recorded")}, {app.Th().Scope("row").Text("here, at reduced size")}}
	for _, verdict := range verdicts {
		names = append(names, strings.TrimSuffix(verdictNames[verdict], " here yet"))
		for i, counts := range [2]map[study.Verdict]int{recorded, here} {
			rows[i] = append(rows[i], app.Td().Text(strconv.Itoa(counts[verdict])))
		}
	}
	return ui.Plain("Verdicts of "+ui.Counted(entries, "entry"), names, app.Tr().Body(rows[0]...), app.Tr().Body(rows[1]...)).
		Class("gallery-summary").DataSet("testid", "gallery-summary")
}

// recorded returns the recorded verdict; notRun for an entry without a record.
func (v *View) recorded(e *gallery.Entry) study.Verdict {
	if full := v.full[e.ID]; full != nil {
		verdict, _ := full.Own()
		return verdict
	}
	return notRun
}

// shownVerdict returns the verdict of the runs on this machine or, before the first run, the
// recorded one.
func (v *View) shownVerdict(e *gallery.Entry, here study.Verdict) study.Verdict {
	if here == notRun {
		return v.recorded(e)
	}
	return here
}

func (v *View) filters() app.UI {
	papers := []app.UI{ui.Option(all, "all papers")}
	for _, p := range gallery.Papers() {
		papers = append(papers, ui.Option(p.ID, p.Title))
	}
	kinds := []app.UI{ui.Option(all, "all verdicts")}
	for _, verdict := range verdicts {
		kinds = append(kinds, ui.Option(string(verdict), verdictNames[verdict]))
	}
	return app.Div().Class("row gallery-filters").Body(
		ui.Field("gallery-paper", "Paper", ui.Select("gallery-paper", v.paper, func(id string) { v.paper = id }, papers...)),
		ui.Field("gallery-shown", "Verdict", ui.Select("gallery-shown", string(v.verdict), func(name string) { v.verdict = study.Verdict(name) }, kinds...)),
		ui.Field("gallery-workers", "Workers", ui.Numbered("gallery-workers", v.workers, lab.FirstOf(max(1, v.Workers) + 1)[1:], strconv.Itoa, func(n int) { v.workers = n })),
	)
}

func (v *View) entry(e *gallery.Entry, verdict study.Verdict) app.UI {
	x := v.shown[e.ID]
	open := x != nil && x.open
	item := app.Li().Class("gallery-entry").ID(e.ID).DataSet("testid", "gallery-entry").DataSet("figure", e.ID).DataSet("verdict", string(verdict))
	if open {
		item.Class("open")
	}
	return item.Body(v.card(e, x, verdict))
}

// card is the overview of an entry: its chart, its claim, and its verdict, which comes from the
// record until the entry has run here.
func (v *View) card(e *gallery.Entry, x *exhibit, verdict study.Verdict) app.UI {
	open := x != nil && x.open
	shown := v.shownVerdict(e, verdict)
	return app.Div().Class("gallery-card").DataSet("testid", "gallery-card").DataSet("figure", e.ID).DataSet("verdict", string(shown)).Body(
		app.Div().Class("entry-head").Body(
			app.H2().Body(app.Button().Type("button").Class("source-name").Aria("expanded", open).
				OnClick(func(app.Context, app.Event) {
					x := v.exhibit(e)
					if x.open = !x.open; x.open {
						v.locate(x.fragment())
					} else {
						v.locate("")
					}
				}, app.EventScope("toggle", e.ID)).
				Body(app.Small().Text(shortPapers[e.Paper]+", "+figureName(e)), app.Span().Text(e.Title))),
			app.Span().Class("verdict verdict-"+string(shown)).DataSet("testid", "gallery-verdict").Body(
				app.If(verdictIcons[shown] != "", func() app.UI { return ui.Icon(verdictIcons[shown]) }),
				app.Span().Text(verdictNames[shown]+withOwn(x))),
			app.If(v.full[e.ID] != nil, func() app.UI {
				full := v.full[e.ID]
				recorded, about := full.Own()
				says := "recorded " + about
				if verdict != notRun {
					says = about + ": " + verdictNames[recorded]
				}
				return app.Small().Class("at-full-size").DataSet("testid", "gallery-full").DataSet("verdict", string(recorded)).Title(full.How()).
					Body(app.Span().Text(says), app.If(full.Superseded(), func() app.UI {
						return app.Span().Text(", by earlier criteria")
					}), app.If(scenario.Earlier(full.Engine) != "", func() app.UI {
						return app.Span().DataSet("testid", "earlier-engine").Text(", by an earlier engine")
					}))
			}),
			app.If(x == nil || !x.at.busy, func() app.UI {
				return ui.Button("play", "Run").Aria("label", "Run: "+e.Title).DataSet("testid", "gallery-run").
					OnClick(func(app.Context, app.Event) { v.run(e) }, app.EventScope("run", e.ID))
			}),
		),
		v.picture(e),
		app.Div().Class("shows").Body(ui.Explained(e.Shows)...),
		app.If(x != nil && x.at.busy, func() app.UI { return busy(x) }),
		app.If(open, func() app.UI { return v.details(e, x) }),
	)
}

// withOwn marks a verdict on numbers that the visitor changed.
func withOwn(x *exhibit) string {
	if x == nil || len(x.changed) == 0 {
		return ""
	}
	return " with your numbers"
}

// shortPapers are the names of the papers in headings.
var shortPapers = map[string]string{
	"thesis": "Federation thesis", "qos": "QoS paper", "phd": "QoS thesis", "megha": "Megha", "fgd": "FGD", "firmament": "Firmament",
	"hawk": "Hawk", "eagle": "Eagle", "omega": "Omega", "borg": "Borg", "drf": "DRF", "pigeon": "Pigeon", "mercury": "Mercury", "hydra": "Hydra", "berth": "Berth",
}

func figureName(e *gallery.Entry) string {
	if unicode.IsDigit(rune(e.Figure[0])) {
		return "figure " + e.Figure
	}
	return e.Figure // as "section 3.2"
}

func (v *View) run(e *gallery.Entry) {
	x := v.exhibit(e)
	x.open = true
	v.locate(x.fragment())
	v.start(x)
}

func busy(x *exhibit) app.UI {
	return app.Div().Class("row").Body(
		app.Span().Class("figures").Text(x.at.String()),
		ui.Button("stop", "Stop").DataSet("testid", "sweep-cancel").
			OnClick(func(app.Context, app.Event) { x.stop() }, app.EventScope("stop", x.id)),
	)
}

func (v *View) details(e *gallery.Entry, x *exhibit) app.UI {
	paper := e.PaperOf()
	return app.Div().Body(
		app.P().Body(app.Strong().Text("Source: "), app.Span().Text(paper.Title+".")),
		app.If(paper.Model != "", func() app.UI {
			return app.P().Body(app.Strong().Text("Model and loads of all entries on this paper: "), app.Span().Text(paper.Model+" "+paper.Loads))
		}),
		app.If(e.Setup != "", func() app.UI {
			return app.P().Body(app.Strong().Text("How our setup differs: "), app.Span().Text(e.Setup))
		}),
		app.If(e.Generated && e.Paper != "berth", func() app.UI {
			return app.P().Text("A generator stands in for the paper's workload, and the best possible verdict on its output is “agrees in direction”.")
		}),
		app.If(v.full[e.ID] != nil, func() app.UI { return recordedResult(v.full[e.ID]) }),
		v.sideBySide(e, x),
		v.authorsFiles(e, x),
		v.numbers(e, x),
		v.criteria(x),
		charts(x),
		v.sheet(x),
		app.Div().Class("row").Body(
			v.openBase(x),
			ui.Button("copy", "Open as an experiment").DataSet("testid", "vary").
				OnClick(func(app.Context, app.Event) { v.own(x.experiment, nil) }, app.EventScope("own", x.id)),
			ui.Button("download", "BibTeX").DataSet("testid", "gallery-bibtex").OnClick(func(app.Context, app.Event) {
				ui.Download(paper.ID+".bib", "application/x-bibtex", []byte(paper.BibTeX))
			}, app.EventScope("bibtex", e.ID)),
			saveTable(x),
			v.saveBundle(x),
		),
	)
}

// recordedResult describes a record, with the authors' files first.
func recordedResult(full *gallery.Record) app.UI {
	text := verdictNames[full.Verdict] + " (" + full.How() + ")." + triedText(full.Tried)
	if full.Authors == nil {
		return app.P().Body(app.Strong().Text("Full size: "), app.Span().Text(text))
	}
	theirs := full.Authors
	return app.Div().Body(
		app.P().Body(app.Strong().Text("On the authors’ files: "),
			app.Span().Text(verdictNames[theirs.Verdict]+"; "+study.Tallied(theirs.Numbers, theirs.Directions)+"."+triedText(theirs.Tried))),
		app.P().Body(app.Strong().Text("Full size, generated: "), app.Span().Text(text)),
	)
}

// triedText lists the recorded verdicts of variants, with a space before each.
func triedText(tried []gallery.TriedVerdict) (text string) {
	for _, t := range tried {
		text += fmt.Sprintf(" With %s: %s.", t.What, verdictNames[t.Verdict])
	}
	return text
}

// saveTable offers the table once there are results.
func saveTable(x *exhibit) app.UI {
	return app.If(x.result != nil, func() app.UI {
		return ui.Button("download", "Table as CSV").OnClick(func(app.Context, app.Event) {
			name := x.id
			if x.entry == nil {
				name = "experiment"
			}
			ui.Download(name+".csv", "text/csv", x.result.CSV())
		}, app.EventScope("csv", x.id))
	})
}

// saveBundle draws the button that saves the bundle, once all runs are done.
func (v *View) saveBundle(x *exhibit) app.UI {
	return app.If(x.whole(), func() app.UI {
		return ui.Button("download", "Bundle").DataSet("testid", "gallery-bundle").
			OnClick(func(app.Context, app.Event) { v.bundle(x) }, app.EventScope("bundle", x.id))
	})
}

func (v *View) openBase(x *exhibit) app.UI {
	return ui.Button("right", "Open as a scenario").
		OnClick(func(app.Context, app.Event) { lab.Open(v.page, "open the base", study.Of(x.experiment).Base) }, app.EventScope("base", x.id))
}

// openCell opens the scenario of a row of the table, with the first seed.
func (v *View) openCell(x *exhibit, row int) app.UI {
	cell := x.result.Cells[row].Index
	return ui.IconButton("right", "Open "+gallery.CellName(x.result, row)+" as a scenario").DataSet("testid", "sweep-open").
		OnClick(func(app.Context, app.Event) {
			run := x.plan.Run(cell)
			if run.Err != nil {
				v.complain("The scenario could not be made", run.Err)
				return
			}
			lab.Open(v.page, "open the cell", run.Scenario)
		}, app.EventScope("cell", x.id, cell))
}

func (v *View) ownExperiment() app.UI {
	x := v.shown[ownID]
	if x == nil {
		return app.Div()
	}
	return app.Section().Class("own-experiment").Body(
		app.H2().ID(ownTitleID).TabIndex(-1).Text(show.Words(x.experiment.Name)),
		app.P().Text(fmt.Sprintf("%s in %s.", ui.Counted(x.plan.Runs(), "run"), ui.Counted(x.plan.Cells(), "cell"))),
		app.Div().Class("row").Body(
			app.If(!x.at.busy, func() app.UI {
				return ui.Button("play", "Run").Class("primary").DataSet("testid", "sweep-run").OnClick(func(app.Context, app.Event) { v.start(x) })
			}).Else(func() app.UI { return busy(x) }),
			v.openBase(x),
			ui.Button("download", "Save as a file").OnClick(func(app.Context, app.Event) {
				ui.Download("experiment.json", "application/json", scenario.Encode(x.experiment))
			}),
			saveTable(x),
			v.saveBundle(x),
		),
		v.criteria(x),
		charts(x),
		v.sheet(x),
	)
}

// criteria lists the claims of the paper, each with the verdict of the runs.
func (v *View) criteria(x *exhibit) app.UI {
	if x.result == nil || len(x.result.Criteria) == 0 {
		return app.Div()
	}
	rows := make([]app.UI, len(x.result.Criteria))
	full := v.full[x.id]
	for i := range x.result.Criteria {
		c := &x.result.Criteria[i]
		rows[i] = app.Tr().DataSet("criterion", c.ID).DataSet("verdict", string(c.Verdict)).Body(
			app.Th().Scope("row").Text(show.Words(c.Says)), app.Td().Text(show.Words(c.Source)), app.Td().Text(c.Published), app.Td().Text(c.Ours),
			app.Td().Class("verdict verdict-"+string(c.Verdict)).Text(verdictNames[c.Verdict]), app.Td().Text(string(c.Evidence)), app.Td().Text(strings.Trim(c.Why+"; "+c.Basis, "; ")),
			app.If(full != nil, func() app.UI {
				f := full.Of(c.ID)
				return app.Td().Text(strings.Trim(verdictNames[f.Verdict]+": "+f.Ours, ": "))
			}))
	}
	columns := []string{"claim", "source", "expected", "ours", "verdict", "evidence", "why"}
	if full != nil {
		columns = append(columns, "at full size")
	}
	table := scrolled(ui.Plain("Claims of the paper, and what the runs show", columns, rows...))
	others := study.Others(x.result.Criteria)
	return app.Div().Body(table, app.If(others != "", func() app.UI {
		return app.P().Class("hint").Text(show.Capital(others) + ". Only measured criteria count in the verdict.")
	}))
}

func scrolled(table app.UI) app.UI {
	return ui.Scrolled("scrolled", "Table", table)
}

// Limits of the drawing of an experiment; the CSV file has everything.
const (
	mostSquares = 4000
	mostRows    = 200
)

// sheet draws the grid of runs and the table of their results.
func (v *View) sheet(x *exhibit) app.UI {
	return app.Div().Body(grid(x), v.table(x))
}

var stateNames = [...]string{"waiting", "running", "done", "failed"}

// grid draws a row for each cell of the experiment. Each square is a seed, in the colour
// of its run's state.
func grid(x *exhibit) app.UI {
	p := x.at
	if p.all == 0 {
		p = x.progress()
	}
	grid := app.Div().Class("sweep-grid").DataSet("testid", "sweep-grid").Role("img").Aria("label", p.String())
	if p.states == nil {
		return grid.Text(p.String())
	}
	cells := x.plan.Cells()
	var b strings.Builder
	b.WriteString("<div>")
	for cell := range cells {
		fmt.Fprintf(&b, `<div class="grid-row">`)
		for i := cell; i < len(p.states); i += cells {
			fmt.Fprintf(&b, `<i class="run-%s"></i>`, stateNames[p.states[i]])
		}
		b.WriteString("</div>")
	}
	b.WriteString("</div>")
	return grid.Body(app.Raw(b.String()))
}

// table has a row for each cell of the experiment, with its metrics averaged over the seeds and a
// drawing of each interval.
func (v *View) table(x *exhibit) app.UI {
	r := x.result
	if r == nil {
		return app.Div()
	}
	names := []string{}
	for _, f := range r.Factors {
		names = append(names, f.Name)
	}
	for _, m := range r.Metrics {
		names = append(names, ui.WithUnit(m.Title, m.Unit))
	}
	names = append(names, "seeds", "open")
	spans := spansOf(r)
	var rows []app.UI
	for i := range r.Cells[:min(len(r.Cells), mostRows)] {
		c := &r.Cells[i]
		var cells []app.UI
		for _, f := range r.Factors {
			cells = append(cells, app.Th().Scope("row").Text(show.Words(c.Level(f.Name))))
		}
		for k, m := range r.Metrics {
			a := c.Of(m.Name)
			cells = append(cells, app.Td().Class("figures").Body(app.Span().Text(a.String()), spans[k].draw(a)))
		}
		row := app.Tr()
		seeds := app.Td().Class("figures").Text(strconv.Itoa(c.N))
		if len(c.Failed) > 0 {
			row.Class("failed")
			seeds.Title(show.Words(c.Failed[0].Message))
			seeds.Text(fmt.Sprintf("%d, %d failed: %s", c.N, len(c.Failed), show.Words(c.Failed[0].Message)))
		}
		rows = append(rows, row.Body(append(cells, seeds, app.Td().Body(v.openCell(x, i)))...))
	}
	caption := "Means ± half the width of the 95 % confidence interval"
	if more := len(r.Cells) - mostRows; more > 0 {
		caption += fmt.Sprintf("; the CSV file has %d more rows", more)
	}
	return scrolled(ui.Plain(caption, names, rows...).DataSet("testid", "sweep-table"))
}
