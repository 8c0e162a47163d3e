package federate

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/input/workload"
	"berth/engine/show"
)

const tablesID = "fed-constraints"

// tablesEditor edits the constraint tables: the probabilities that a worker satisfies
// each constraint.
func (v *View) tablesEditor() app.UI {
	area := app.Textarea().ID(tablesID).DataSet("testid", tablesID).Rows(4).Spellcheck(false).Attr("wrap", "off").
		Aria("describedby", tablesID+"-hint")
	if v.Form.Refused[tablesID] == "" {
		area = ui.Showing(area, tablesText(v.Inputs.options.Constraints))
	}
	return app.Div().Body(
		ui.Field(tablesID, "Tables of constraints", ui.Taking(area, "change", func(_ app.Context, text string) { v.enterTables(text) })),
		app.P().Class("hint").ID(tablesID+"-hint").Text("One line per table: its name, a colon, and the probabilities that a worker satisfies "+
			"constraint 0, constraint 1 and so on. Each LM draws one table. If you give none, Berth uses three of its own."),
		v.Form.WrongText(tablesID),
		app.If(len(v.Inputs.options.Constraints) == 0, func() app.UI {
			return app.Div().Class("row").Body(ui.Button("copy", "Start from ours").
				OnClick(func(app.Context, app.Event) { v.enterTables(tablesText(workload.ConstraintTables())) }))
		}),
	)
}

func (v *View) enterTables(text string) {
	tables, err := parseTables(text)
	if err != nil {
		v.Form.Refused[tablesID] = err.Error()
		return
	}
	delete(v.Form.Refused, tablesID)
	v.Edit("change the tables of constraints", func(in *inputs) { in.options.Constraints = tables })
}

func tablesText(tables []workload.ConstraintTable) string {
	return show.Joined(tables, "\n", func(t workload.ConstraintTable) string { return t.Name + ": " + numbers(t.Machine) })
}

func parseTables(text string) ([]workload.ConstraintTable, error) {
	var tables []workload.ConstraintTable
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, rest, named := strings.Cut(line, ":")
		if !named {
			name, rest = "", line
		}
		probabilities, err := parseNumbers(rest)
		if err == nil && probabilities == nil {
			err = fmt.Errorf("no probability")
		}
		for _, p := range probabilities {
			if p > 1 {
				err = fmt.Errorf("%s is not a probability", show.Number(p))
			}
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w; expected a name, a colon and numbers from 0 to 1, such as A: 0.9, 0.5", i+1, err)
		}
		tables = append(tables, workload.ConstraintTable{Name: strings.TrimSpace(name), Machine: probabilities})
	}
	return tables, nil
}
