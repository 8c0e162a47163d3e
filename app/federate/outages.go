package federate

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
)

// outageFields is the prefix of the ids of the table's fields.
const outageFields = "fed-outage-"

// outageRows describes the table of failures. The page numbers masters and workers from
// 1, the document from 0.
var outageRows = lab.Rows[*inputs, federatekind.Outage]{
	Lead: outageFields, TestID: "fed-outages", Caption: "Failures", Thing: "failure",
	Of: func(in *inputs) []federatekind.Outage { return in.options.Outages },
	Put: func(in *inputs, all []federatekind.Outage, _ int) error {
		in.options.Outages = all
		return nil
	},
	Columns: []lab.Column[federatekind.Outage]{
		subjectColumn,
		{Key: "number", Name: "number", Number: true, Whole: true, OfRow: true, Has: func(o *federatekind.Outage) bool { return o.Subject != federatekind.RackSubject }, Else: &rackColumn,
			Text: func(o *federatekind.Outage) string { return strconv.Itoa(o.Index + 1) }, Set: func(o *federatekind.Outage, text string) error {
				n, err := lab.ParseWhole(text, 1, math.MaxInt)
				o.Index = n - 1
				return err
			}},
		outageColumn("start", "at"), outageColumn("duration", "duration"),
	},
}

func outageColumn(key, name string) lab.Column[federatekind.Outage] {
	return lab.ColumnOf[federatekind.Outage](key, federatekind.OutageFields, name)
}

// subjectColumn is the column for the kind of object that fails. Changing the kind clears the rack.
var subjectColumn = func() lab.Column[federatekind.Outage] {
	c := outageColumn("subject", "subject")
	c.Set = func(o *federatekind.Outage, text string) error {
		o.Subject, o.Rack = text, ""
		return nil
	}
	return c
}()

var rackColumn = lab.TextColumn("rack", "rack", "", "", func(o *federatekind.Outage) *string { return &o.Rack })

func (v *View) outageTable() app.UI {
	return app.Div().Body(
		app.If(len(v.Inputs.options.Outages) == 0, func() app.UI { return app.P().Class("hint").Text("No failures.") }),
		outageRows.Table(v.Lab, nil), v.Form.WrongTexts(v.wrongOutages()...), v.Form.WrongOf(outageFields),
		ui.Button("plus", "Add a failure").DataSet("testid", "fed-outage-add").OnClick(func(app.Context, app.Event) {
			o := federatekind.Outage{Subject: "gm", At: 10, Duration: 10}
			v.Edit("add a failure", func(in *inputs) { in.options.Outages = append(in.options.Outages, o) })
		}),
	)
}

func outageID(i int) string { return outageFields + strconv.Itoa(i) }

// missingSubject is the error for a failure, given by its id, of a master or worker that does not
// exist; "" if it exists. The engine counts from 0, the page from 1.
func (in *inputs) missingSubject(id string) string {
	d := in.options
	for i, o := range d.Outages {
		there := map[string]int{"gm": d.GMs, "lm": d.LMs, "worker": d.Workers}[o.Subject]
		if outageID(i) != id || o.Index < there {
			continue
		}
		return fmt.Sprintf("there is no %s %d: expected 1 to %d", cmp.Or(subjectColumn.Words[o.Subject], o.Subject), o.Index+1, there)
	}
	return ""
}
