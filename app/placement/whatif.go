package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/graph"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// whatIf is a kind of change. In its form, {of} is the object that changes and {n} a number.
type whatIf struct {
	name, title, form string
	of                string                  // label of {of}
	known             func(*View) []string    // choices for {of}; nil: the user types it
	n, first          string                  // label and initial value of {n}
	check             func(text string) error // checks {n}; nil: any text
}

var whatIfs = []whatIf{
	{name: "fail", title: "a cluster fails", form: "fail {of}", of: "cluster", known: (*View).clusters},
	{name: "drain", title: "a node is drained", form: "drain {of}", of: "node"},
	{name: "add", title: "nodes are added", form: "add {new} ×{n} like {of}", of: "like node", n: "how many", first: "1", check: isWhole},
	{name: "pool", title: "nodes of a pool are added", form: "add pool {of} ×{n}", of: "pool", known: (*View).pools, n: "how many", first: "1", check: isWhole},
	{name: "price", title: "a cluster's prices change", form: "price {of} ×{n}", of: "cluster", known: (*View).clusters, n: "times", first: "1.2", check: isFactor},
	{name: "room", title: "a cluster's room changes", form: "room {of} ×{n}", of: "cluster", known: (*View).clusters, n: "times", first: "0.8", check: isFactor},
	{name: "latency", title: "all latencies change", form: "latency ×{n}", n: "times", first: "1.1", check: isFactor},
	{name: "scale", title: "a job is scaled", form: "scale {of} {n}", of: "job", known: (*View).jobs, n: "pods", first: "10", check: isWhole},
}

func isWhole(text string) error {
	_, err := lab.ParseWhole(text, 1, placementkind.MaxReplicas)
	return err
}

func isFactor(text string) error {
	_, err := lab.ParseNumber(text, 0, placementkind.MaxFactor)
	return err
}

// mostListed limits the names in a select. With more names the user types one.
const mostListed = 500

// asking holds the texts of the controls for a change; "" means the initial value.
type asking struct{ name, of, n string }

// whatIfForm is the form that adds changes to the what-if.
type whatIfForm struct {
	view   *View
	asking asking
}

// asked returns the kind of change and the texts of its controls, with initial values
// filled in. names are the choices for {of}, if any.
func (wf *whatIfForm) asked() (kind whatIf, a asking, names []string) {
	a = wf.asking
	kind = whatIfs[max(0, slices.IndexFunc(whatIfs, func(w whatIf) bool { return w.name == a.name }))]
	if kind.known != nil {
		names = kind.known(wf.view)
		if len(names) > mostListed {
			names = nil
		}
	}
	if len(names) > 0 && !slices.Contains(names, a.of) {
		a.of = names[0]
	}
	return kind, asking{kind.name, a.of, cmp.Or(a.n, kind.first)}, names
}

// clusters returns the sorted ids of the clusters of the shown result before the
// what-if.
func (v *View) clusters() (ids []string) {
	if s := v.whatIf.shownReport(); s != nil && s.WhatIf != nil {
		for _, c := range s.WhatIf.Clusters {
			ids = append(ids, c.Cluster)
		}
		return ids
	}
	for _, c := range v.picture.Overview.Clusters {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids
}

// jobs returns the sorted ids of the jobs of the shown result.
func (v *View) jobs() []string {
	var ids []string
	if s := v.whatIf.shownReport(); s != nil {
		for i := range s.Deployments {
			ids = append(ids, s.Deployments[i].Order...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (wf *whatIfForm) shownReport() *placementkind.StrategyReport {
	if wf.view.result == nil {
		return nil
	}
	return wf.view.result.report(wf.view.shown)
}

const whatIfID = "what-if"

// whatIfFields draws the changes of the what-if and the controls that add one.
func (wf *whatIfForm) whatIfFields() app.UI {
	kind, a, names := wf.asked()
	kinds := ui.Options(len(whatIfs), func(i int) (value, text string) { return whatIfs[i].name, whatIfs[i].title })
	group := app.Details().Class("what-if").DataSet("testid", whatIfID)
	if wf.asking != (asking{}) || len(wf.view.Inputs.options.WhatIf) > 0 {
		group.Open(true)
	}
	return group.Body(
		app.Summary().Class("button").Text("What if …"),
		wf.view.clusterAsk.askFields(),
		wf.whatIfChips(),
		app.Div().Class("form-grid").Body(
			ui.Field("what-if-kind", "change", ui.Select("what-if-kind", a.name, func(name string) { wf.asking = asking{name: name} }, kinds...).
				DataSet("testid", "what-if-kind")),
			app.Div().Body(app.If(kind.of != "", func() app.UI { return ui.Field("what-if-of", kind.of, wf.whatIfOf(a.of, names)) })),
			app.Div().Body(app.If(kind.n != "", func() app.UI {
				number := ui.Showing(lab.NumberInput("").ID("what-if-n").DataSet("testid", "what-if-n"), a.n)
				return ui.Field("what-if-n", kind.n, ui.Taking(number, "input", func(_ app.Context, text string) { wf.asking.n = text }, "what-if-n"))
			})),
		),
		app.Div().Class("row").Body(ui.Button("plus", "Add").DataSet("testid", "what-if-add").
			Aria("label", "Add this change").OnClick(func(app.Context, app.Event) { wf.addWhatIf() })),
		wf.view.Form.WrongTexts(whatIfID),
		app.If(len(wf.view.Inputs.options.WhatIf) > 0, func() app.UI {
			return wf.view.Form.Checkbox("what-if-keep", "move as few requests as possible", wf.view.Inputs.options.Keep, setKeep)
		}),
	)
}

func (wf *whatIfForm) whatIfOf(of string, names []string) app.UI {
	if len(names) == 0 {
		typed := ui.Showing(app.Input().Type("text").ID("what-if-of").DataSet("testid", "what-if-of"), of)
		return ui.Taking(typed, "input", func(_ app.Context, text string) { wf.asking.of = text }, "what-if-of")
	}
	return ui.Select("what-if-of", of, func(name string) { wf.asking.of = name }, ui.Named(names)...).DataSet("testid", "what-if-of")
}

// whatIfChips lists the changes, each with a button that removes it.
func (wf *whatIfForm) whatIfChips() app.UI {
	all := wf.view.Inputs.options.WhatIf
	return app.Ul().Class("chips").Body(app.Range(all).Slice(func(i int) app.UI {
		return app.Li().Class("chip").DataSet("testid", "what-if-chip").Body(
			app.Span().Text(show.Words(all[i])),
			ui.IconButton("close", "Remove “"+all[i]+"”").OnClick(func(app.Context, app.Event) { wf.removeWhatIf(i) }, app.EventScope("what-if", i)),
		)
	}))
}

// addWhatIf adds the change in the controls. It does not check names; the engine
// refuses unknown ones.
func (wf *whatIfForm) addWhatIf() {
	kind, a, _ := wf.asked()
	wf.view.Form.SetOption(whatIfID, "what if", a.of, func(in *inputs, of string) error {
		switch {
		case kind.of != "" && of == "":
			return fmt.Errorf("enter the name of a %s", kind.of)
		case strings.Contains(of, `"`):
			return fmt.Errorf("a name cannot have quotation marks here")
		case len(in.options.WhatIf) == placementkind.MaxWhatIfs:
			return fmt.Errorf("at most %d changes", placementkind.MaxWhatIfs)
		}
		if kind.check != nil {
			if err := kind.check(a.n); err != nil {
				return err
			}
		}
		of = word(of)
		in.options.WhatIf = append(in.options.WhatIf,
			strings.NewReplacer("{of}", of, "{n}", strings.TrimSpace(a.n), "{new}", in.newNode()).Replace(kind.form))
		return nil
	})
}

// newNode returns a name that no added node has yet.
func (in *inputs) newNode() string {
	for n := 1; ; n++ {
		name := fmt.Sprintf("added-%d", n)
		if !slices.ContainsFunc(in.options.WhatIf, func(text string) bool { return strings.HasPrefix(text, "add "+name+" ") }) {
			return name
		}
	}
}

func (wf *whatIfForm) removeWhatIf(i int) {
	if i >= len(wf.view.Inputs.options.WhatIf) {
		return
	}
	wf.view.Edit("remove “"+wf.view.Inputs.options.WhatIf[i]+"”", func(in *inputs) {
		in.options.WhatIf = slices.Delete(in.options.WhatIf, i, i+1)
		if len(in.options.WhatIf) == 0 {
			in.options.WhatIf, in.options.Keep = nil, false // equal to inputs that never had a change
		}
	})
}

// whatIfDifference shows the effect of the changes on the placement of the shown
// strategy.
func (wf *whatIfForm) whatIfDifference() app.UI {
	x := wf.view.picture.change
	if x == nil {
		return app.Div()
	}
	title := "What if " + show.Words(strings.Join(x.Changes, ", "))
	if wf.view.Pins.Pinned() != nil {
		title += ", against the pinned result"
	}
	return app.Div().Class("what-if-diff").DataSet("testid", "what-if-diff").Body(
		app.H3().Text(title),
		app.P().Class("figures").Text(differenceText(x)),
		refused(x),
		app.If(len(wf.view.picture.moves) > 0, func() app.UI {
			return movesTable("what-if-moves", "Which jobs move"+wf.view.comparison.drawnSeed(), len(x.Deployments) > 1, wf.view.picture.moves)
		}),
		&ui.Table{ID: "what-if-left", TestID: "what-if-left", Caption: "Free capacity of each cluster; fragmented is the share of free CPU on nodes too small for the median pod",
			Columns: []ui.Column{{Name: "Cluster"}, {Name: "Left", Prose: true}}, Rows: wf.view.picture.left},
	)
}

// changeOf compares a strategy's placement with the pinned result of the same strategy or, if
// nothing is pinned, with the placement before the what-if.
func (wf *whatIfForm) changeOf(s *placementkind.StrategyReport) *placementkind.Difference {
	if pinned := wf.view.Pins.Pinned(); pinned != nil && s.WhatIf != nil {
		for i, old := range placementkind.ReportOf(pinned).Strategies {
			if old.Strategy == s.Strategy {
				return s.Against(&placementkind.ReportOf(pinned).Strategies[i])
			}
		}
	}
	return s.WhatIf
}

// differenceText describes the changes in cost and the moves.
func differenceText(x *placementkind.Difference) string {
	moves, lost := 0, 0
	for i := range x.Deployments {
		moves += len(x.Deployments[i].Moves)
		lost += len(x.Deployments[i].Refused)
	}
	text := fmt.Sprintf("cost %s → %s · %s", show.Money(x.Before.Total), show.Money(x.After.Total), ui.Counted(moves, "move"))
	if !x.Before.Total.Defined() && !x.After.Total.Defined() {
		text = ui.Counted(moves, "move")
	}
	if x.Kept {
		text += ", the fewest that were found"
	}
	if lost > 0 {
		text += " · " + ui.Counted(lost, "deployment") + " not placed"
		if x.After.Total.Defined() {
			text += ", and not counted in the cost"
		}
	}
	return text
}

// refused lists the deployments whose status changed, and the jobs that no longer fit,
// with the reasons.
func refused(x *placementkind.Difference) app.UI {
	var all []app.UI
	for _, d := range x.Deployments {
		if d.Before != d.After {
			all = append(all, app.Li().Text(fmt.Sprintf("%s: %s → %s", show.Text(d.Name), d.Before.Words(), d.After.Words())))
		}
		for _, r := range d.Refused {
			thing := show.Text(cmp.Or(r.Job, d.Name))
			all = append(all, app.Li().Text(thing+" does not fit: "+show.Words(r.Why)))
		}
	}
	if len(all) == 0 {
		return app.Div()
	}
	return app.Ul().DataSet("testid", "what-if-refused").Body(all...)
}

// leftText describes the free capacity and the fragmentation of a cluster before and after the
// changes.
func leftText(before, after *placementkind.ClusterState) string {
	switch {
	case after == nil:
		return "gone"
	case before == nil:
		before = after
	}
	parts := amounts(before, after)
	if before.Fragmentation.Defined() && after.Fragmentation.Defined() {
		parts = append(parts, change("fragmented", ui.Percent(float64(before.Fragmentation)), ui.Percent(float64(after.Fragmentation))))
	}
	return strings.Join(parts, ", ")
}

// amounts describes the free capacity of a cluster by resource before and after the changes.
func amounts(before, after *placementkind.ClusterState) (parts []string) {
	for _, resource := range graph.Labels(graph.Cluster) {
		if left, ok := after.Left[resource.Name]; ok {
			parts = append(parts, change(resource.Name, ui.Number(before.Left[resource.Name]), ui.Number(left)))
		}
	}
	return parts
}

func change(name, was, is string) string {
	if was != is {
		is = was + " → " + is
	}
	return name + "\u00a0" + is
}

// differenceRows lists the moves, and the free capacity of each cluster.
func differenceRows(x *placementkind.Difference) (moves, left []ui.Row) {
	if x == nil {
		return nil, nil
	}
	for _, d := range x.Deployments {
		for _, m := range d.Moves {
			moves = append(moves, moveRow(m.Job, m.From, m.To, d.Name))
		}
	}
	for _, c := range x.Clusters {
		left = append(left, ui.Row{Cells: []ui.Cell{ui.Text(c.Cluster), ui.Text(leftText(c.Before, c.After))}})
	}
	return moves, left
}
