package lab

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/runs"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
	"berth/wasm/bridge"
)

const (
	dialogCurve = "curve"
	curveSeeds  = 5
	curveSide   = 3 // levels on each side of the dial's value
)

// curve is the dialog that runs the inputs at several values of a dial, and draws a figure of
// the results over these values.
type curve[I Inputs[I]] struct {
	lab           *Lab[I]
	dial          Dial[I]
	levels, seeds string            // as typed
	metric        string            // name of the figure; "" for the first of the kind
	call          *Call             // carries out the runs; nil for none
	experiment    scenario.Scenario // of the report
	report        *study.Report     // of the runs so far; nil before the first
	problem       string
}

// openCurve opens the dialog. Its runs begin at once, unless the last run was long or the user has
// not agreed to run a written policy.
func (vr *varying[I]) openCurve(d Dial[I]) {
	l := vr.lab
	if l.Runs.lacks() || l.Policies.asksFirst() {
		return
	}
	vr.curve = curve[I]{lab: l, dial: d, seeds: strconv.Itoa(curveSeeds)}
	vr.curve.levels = strings.Join(vr.curve.around(), ", ")
	l.Dialog = dialogCurve
	if l.took < autoRunBelow && !l.Policies.careful() {
		vr.curve.run()
	}
}

// around returns round values near the dial's own, which cover about half of its range. It leaves
// out values that the inputs refuse.
func (c *curve[I]) around() (all []string) {
	d, in := &c.dial, c.lab.Inputs
	step, _ := strconv.ParseFloat(strconv.FormatFloat((d.High-d.Low)/(4*curveSide), 'g', 1, 64), 64)
	if d.Whole {
		step = math.Ceil(step)
	}
	for k := -curveSide; k <= curveSide; k++ {
		v := d.Value(in) + float64(k)*step
		text := d.text(v)
		if within := v >= d.Low-step/1e6 && v <= d.High+step/1e6; within && d.Set(in.Clone(), text) == nil {
			all = append(all, text)
		}
	}
	return all
}

// run begins the runs at the values and seeds in the fields.
func (c *curve[I]) run() {
	c.stop()
	factor, err := c.factor()
	if err != nil {
		c.problem = err.Error()
		return
	}
	call, in, seeds := c.lab.Runs.beginCall(), c.lab.Inputs, c.seeds
	c.call, c.problem = call, ""
	var s scenario.Scenario
	var sheet *study.Sheet
	var waits atomic.Bool // a report of the runs so far is waiting to be drawn
	take := func() {
		if waits.Store(false); c.call == call {
			c.experiment, c.report = s, sheet.Report()
		}
	}
	c.lab.Try(func() error {
		base, err := c.lab.Exports.scenario(in)
		if err != nil {
			return err
		}
		if s, err = experimentOf(base, []study.Factor{factor}, seeds); err == nil {
			err = s.Validate()
		}
		if err != nil {
			return err
		}
		plan, err := study.NewPlan(study.Of(s))
		if err != nil {
			return err
		}
		sheet = plan.NewSheet()
		return Carry(call.ctx, c.lab.Engine, max(1, c.lab.Workers-1), sheet, nil, func(bool) {
			if waits.CompareAndSwap(false, true) {
				c.lab.Page.Dispatch(func(app.Context) { take() })
			}
		})
	}, func(err error) {
		if c.call != call {
			return
		}
		if err != nil {
			c.problem = err.Error()
		} else {
			take()
		}
		c.stop()
	})
}

// Carry runs the cells of a sheet that have no result, at most workers of them at a time, until all
// are done or ctx ends. known and ended may be nil; see [study.Sheet.Carry].
func Carry(ctx context.Context, engine *bridge.WorkerPool, workers int, sheet *study.Sheet, known study.Store, ended func(bool)) error {
	return sheet.Carry(ctx, known, runs.AtOnce(workers, func(ctx context.Context, j study.Job) (*study.Result, error) {
		return bridge.AskTool(ctx, engine, study.RunQuestion, string(scenario.Encode(j.Scenario)), nil)
	}), ended)
}

func (c *curve[I]) stop() {
	if c.call != nil {
		c.call.end()
		c.call = nil
	}
}

// factor returns the factor that sets the dial to each value in the field.
func (c *curve[I]) factor() (study.Factor, error) {
	f := study.Factor{Name: show.Text(c.dial.Label)}
	before := treeOf(c.lab.Inputs)
	for text := range strings.SplitSeq(c.levels, ",") {
		in := c.lab.Inputs.Clone()
		text = strings.TrimSpace(text)
		if err := c.dial.Set(in, text); err != nil {
			return f, fmt.Errorf("%s cannot be %s: %w; separate values by commas", f.Name, show.Quote(text), err)
		}
		f.Levels = append(f.Levels, study.Level{Label: text, Patch: study.Patch(before, treeOf(in))})
	}
	return f, nil
}

func treeOf[I Inputs[I]](in I) (tree map[string]any) {
	_ = json.Unmarshal(scenario.Encode(in.Input().Scenario), &tree) // an encoded scenario is an object
	return tree
}

func (vr *varying[I]) curveDialog() app.UI {
	c, l := &vr.curve, vr.lab
	return &ui.Dialog{ID: l.id(dialogCurve), Title: "Vary: " + c.dial.Label, Class: "curve", Open: l.Dialog == dialogCurve, Body: vr.curvePanel, OnClose: func(app.Context) {
		c.stop()
		l.Dialog = ""
	}}
}

func (vr *varying[I]) curvePanel() app.UI {
	c, l := &vr.curve, vr.lab
	kind := l.system.Kind
	m := figure.Named(kind.Figures, cmp.Or(c.metric, kind.Headline[0]))
	return app.Div().Body(
		app.Form().Class("row").OnSubmit(func(_ app.Context, e app.Event) {
			e.PreventDefault()
			c.run()
		}).Body(
			vr.field("vary-levels", "Values", &c.levels, true),
			vr.field("vary-seeds", "Seeds", &c.seeds, true),
			ui.Field(l.id("vary-metric"), "Figure", ui.Select(l.id("vary-metric"), m.Name, func(name string) { c.metric = name },
				ui.Options(len(kind.Headline), func(i int) (value, text string) {
					return kind.Headline[i], figure.Named(kind.Figures, kind.Headline[i]).Title
				})...)),
			app.Button().Type("submit").Class("button primary").DataSet("testid", "vary-start").Text("Run"),
		),
		app.If(c.problem != "", func() app.UI { return ui.Problem(c.problem) }),
		app.P().Class("hint").Role("status").Text(c.says()),
		&chart.Chart{ID: l.id("vary-curve"), Title: m.Title + " by " + c.dial.Label, Of: c.lines(m), Waiting: c.call != nil, Empty: "No run has this figure yet."},
		app.If(c.report != nil && c.call == nil, func() app.UI {
			return ui.Button("copy", "Open as an experiment").OnClick(func(app.Context, app.Event) {
				l.Dialog = ""
				Open(l.Page, "vary", c.experiment)
			})
		}),
	)
}

// says describes the runs and the meaning of the intervals.
func (c *curve[I]) says() string {
	if c.report == nil {
		if c.call != nil {
			return "The runs begin."
		}
		return "The runs may take long. They begin when you press Run."
	}
	r := c.report
	if r.Partial() {
		return fmt.Sprintf("%d of %s ended.", r.Runs.Done, ui.Counted(r.Runs.All, "run"))
	}
	spread, seeds := false, 0
	for i := range r.Cells {
		cell := &r.Cells[i]
		if len(cell.Failed) > 0 {
			return fmt.Sprintf("%d of %s failed, at %s: %s", r.Runs.Failed, ui.Counted(r.Runs.All, "run"), cell.Level(r.Factors[0].Name), show.Words(cell.Failed[0].Message))
		}
		seeds = max(seeds, cell.N)
		for _, m := range r.Metrics {
			values := cell.Of(m.Name).Values
			spread = spread || slices.ContainsFunc(values, func(v figure.Number) bool { return v.Defined() && v != values[0] })
		}
	}
	switch {
	case spread:
		return fmt.Sprintf("Each point is the mean of %d seeds, with the 95 %% confidence interval.", seeds)
	case seeds == 1:
		return "Each point is one run."
	}
	return fmt.Sprintf("All %d seeds give the same results: each point is one deterministic run.", seeds)
}

// lines returns the curves of a figure: one for each combination of the factors after the first,
// such as the policies.
func (c *curve[I]) lines(m *figure.Figure) chart.Lines {
	lines := chart.Lines{XLabel: show.Text(c.dial.Label), YLabel: ui.WithUnit(m.Title, m.Unit)}
	if c.report == nil {
		return lines
	}
	for i := range c.report.Cells {
		cell := &c.report.Cells[i]
		a := cell.Of(m.Name)
		x, err := strconv.ParseFloat(cell.Level(c.report.Factors[0].Name), 64)
		if err != nil || !a.Mean.Defined() {
			continue
		}
		var names []string
		for _, f := range c.report.Factors[1:] {
			names = append(names, cell.Level(f.Name))
		}
		name := cmp.Or(strings.Join(names, ", "), m.Title)
		at := slices.IndexFunc(lines.Series, func(s chart.Series) bool { return s.Name == name })
		if at < 0 {
			at = len(lines.Series)
			lines.Series = append(lines.Series, chart.Series{Name: name})
		}
		low, high := a.Interval()
		lines.Series[at].Points = append(lines.Series[at].Points, chart.Point{X: x, Y: float64(a.Mean), Low: low, High: high})
	}
	for _, s := range lines.Series { // the user may type the values in any order
		sort.Slice(s.Points, func(i, j int) bool { return s.Points[i].X < s.Points[j].X })
	}
	return lines
}
