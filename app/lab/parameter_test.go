//go:build !js

package lab

import (
	"reflect"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/parameter"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/engine/study"
)

// A field that a kind declares has a control of its type in a form and in a table. The number has a
// dial, and each field can be varied.
func TestFieldsOfAKindAreOnThePage(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	b, _ := mount(t, placementkind.Kind)
	d := &scenariotest.Throws{Throws: 7, Loaded: true}
	document := func(*toy) any { return d }
	rows := Rows[*toy, scenariotest.Throws]{Lead: "row-", Of: func(*toy) []scenariotest.Throws { return []scenariotest.Throws{*d} },
		Put: func(_ *toy, all []scenariotest.Throws, i int) error { *d = all[i]; return nil }}
	for name, c := range map[string]struct{ form, cell, set string }{
		"throws":    {`data-value="7"`, `data-value="7"`, "9"},
		"loaded":    {`type="checkbox"`, `type="checkbox"`, "false"},
		"dieColour": {"as black as night", `data-value="white"`, "black"},
	} {
		p := parameter.Named(scenariotest.Fields, name)
		if form := app.HTMLString(b.Form.ParameterField("toy-"+name, p, "", document)); !strings.Contains(form, c.form) || !strings.Contains(form, p.Title) || !strings.Contains(form, `id="toy-`+name) {
			t.Errorf("the form has %s, want %s", form, c.form)
		}
		column := ColumnOf[scenariotest.Throws](name, scenariotest.Fields, name)
		if cell := app.HTMLString(rows.Labelled(&b.Lab, 0, &column)); !strings.Contains(cell, c.cell) || !strings.Contains(cell, `id="row-0-`+name) {
			t.Errorf("the table has %s, want %s", cell, c.cell)
		}
		if err := rows.Setter(0, &column)(b.Inputs, c.set); err != nil {
			t.Error(err)
		}
	}
	if want := (scenariotest.Throws{Throws: 9, Colour: "black"}); *d != want {
		t.Errorf("the fields are set to %+v, want %+v", *d, want)
	}
	throws := parameter.Named(scenariotest.Fields, "throws")
	if dial := ParameterDial("throws", throws.Title, throws, document, SetParameter(throws, document)); dial.Low != 1 || dial.High != 100 || dial.Value(b.Inputs) != 9 || dial.Set(b.Inputs, "101") == nil {
		t.Errorf("the dial is from %v to %v at %v", dial.Low, dial.High, dial.Value(b.Inputs))
	}
	v := vary{base: scenario.New("dice", "base", d), values: map[string]string{"/dice/throws": "9"}, seeds: "1"}
	if got, want := v.now("/dice/throws"), "Throws of the die, now 9"; got != want {
		t.Errorf("the number is offered as %q, want %q", got, want)
	}
	for field, c := range map[string]struct {
		levels string
		want   []study.Level
	}{
		"/dice/throws": {"3,4", []study.Level{{Value: 3.0}, {Value: 4.0}}}, "/dice/loaded": {"true", []study.Level{{Value: true}}},
		"/dice/dieColour": {"black", []study.Level{{Value: "black"}}},
	} {
		v.varied[0] = varied{field, c.levels}
		s, err := v.experiment()
		if err != nil || !reflect.DeepEqual(study.Of(s).Factors[0].Levels, c.want) {
			t.Errorf("%s: %v, %+v", field, err, study.Of(s).Factors[0].Levels)
		}
	}
}
