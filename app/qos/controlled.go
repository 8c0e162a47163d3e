package qos

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/qos/qoskind"
)

// controllerRows lists the controllers of each policy in order of arrival.
func (r *result) controllerRows() []ui.Row {
	rows := []ui.Row{}
	for _, p := range r.policies() {
		for _, c := range p.Run.Controllers {
			met, row := "✗ no", ui.Row{}
			if c.Met {
				met = "✓ yes"
			}
			row.Cells = []ui.Cell{
				ui.Text(p.Title), ui.Text(c.Name), ui.Text(c.Kind), ui.Text(c.Class), ui.Text(c.Measure),
				ui.InForm(figure.Part, figure.Number(c.SLO)), ui.InForm(figure.Part, figure.Number(c.Availability)), ui.Text(met),
				{Text: ui.Count(int64(c.Instances)), Value: float64(c.Instances)},
				{Text: ui.Count(int64(c.Preemptions)), Value: float64(c.Preemptions)},
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// controllerStrips returns the availabilities of controllers by class and policy, as in
// figure 7.10 of the thesis.
func (r *result) controllerStrips() []chart.Strip {
	var strips []chart.Strip
	for _, class := range r.classNames() {
		for _, p := range r.policies() {
			s := chart.Strip{Group: class, Name: p.Title}
			for _, c := range p.Run.Controllers {
				if c.Class == class {
					s.Values, s.Limit = append(s.Values, c.Availability), c.SLO
				}
			}
			if len(s.Values) > 0 {
				strips = append(strips, s)
			}
		}
	}
	return strips
}

// controllersLine summarises the controllers by policy: "qos: 36 of 53 controllers kept
// their SLO, mean availability 93 %".
func (r *result) controllersLine() string {
	var parts []string
	for _, p := range r.policies() {
		all := p.Run.Controllers
		if len(all) == 0 {
			continue
		}
		mean, met := qoskind.OfControllers(all)
		text := fmt.Sprintf("%s: %.0f of %s kept their SLO, mean availability %s", p.Title,
			float64(met)*float64(len(all)), ui.Counted(len(all), "controller"), ui.Formed(figure.Part, mean))
		if s := p.Seeds; s != nil {
			e := s.Of.At("controllers.availability")
			text += fmt.Sprintf(" (%s over %d seeds)", ui.Estimate(figure.Part, e).Text, e.N)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " · ")
}

// controllersSummary draws controllersLine; hidden without controllers.
func (cs *charts) controllersSummary() app.UI {
	text := cs.view.result.controllersLine()
	return app.P().DataSet("testid", "qos-controllers-summary").Hidden(text == "").Text(text)
}

// controlled draws the availability of each controller; empty without controllers.
func (cs *charts) controlled() app.UI {
	f := cs.drawn()
	if len(f.controllerRows) == 0 {
		return app.Text("")
	}
	return app.Div().Body(
		cs.controllersSummary(),
		&chart.Chart{ID: "qos-controllers-strips", Title: "Availability of each controller, in order of arrival", Empty: "There are no controllers.",
			Of: chart.Strips{Item: "controller", Value: "availability", Items: f.controllerStrips}},
		&ui.Table{
			ID: "qos-controllers-result", TestID: "qos-controllers", Caption: "Controllers: each counts once, with all its instances",
			Columns: []ui.Column{
				{Name: "policy"}, {Name: "controller"}, {Name: "kind"}, {Name: "class"},
				{Name: "measure", Title: "How the instances make up the availability"},
				{Name: "SLO", Numeric: true}, {Name: "availability", Numeric: true},
				{Name: "met", Title: "Whether the availability reaches the SLO"},
				{Name: "instances", Title: "Instances that were created", Numeric: true},
				{Name: "preemptions", Title: "Preemptions of all instances", Numeric: true},
			},
			Rows: f.controllerRows,
		},
		app.Div().Class("row").Body(
			ui.Button("download", "CSV").Aria("label", "Controllers as CSV").DataSet("testid", "qos-controllers-csv").
				OnClick(func(app.Context, app.Event) { cs.view.table(qoskind.ControllersTable).Do() })),
	)
}
