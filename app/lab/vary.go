package lab

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

const dialogVary = "vary"

// vary is the state of the dialog that makes an experiment from the scenario on screen: one or two
// fields take several values, in all combinations, each with several seeds.
type vary struct {
	base    scenario.Scenario
	fields  []string          // JSON Pointers of the scenario's numbers
	values  map[string]string // their values, by JSON Pointer
	varied  [2]varied         // the second may be empty
	seeds   string
	problem string
}

// varied is a field and its values, as typed.
type varied struct{ field, levels string }

// varying is the dialog that makes an experiment.
type varying[I Inputs[I]] struct {
	lab   *Lab[I]
	vary  vary
	curve curve[I]
}

// open opens the dialog once the whole scenario is encoded.
func (vr *varying[I]) open() {
	if vr.lab.Runs.lacks() {
		return
	}
	in := vr.lab.Inputs
	v := vary{seeds: "5", values: map[string]string{}}
	vr.lab.Try(func() error {
		base, err := vr.lab.Exports.scenario(in)
		if err != nil {
			return err
		}
		v.base = base
		if d, ok := base.Body.(scenario.Varied); ok { // the seeds of the experiment replace the seeds of the base
			base.Body = d.Varies().Base
		}
		var tree map[string]any
		err = json.Unmarshal(scenario.Encode(base), &tree)
		if err == nil {
			numbers("/"+v.base.Kind, tree[v.base.Kind], v.values)
		}
		return err
	}, func(err error) {
		if err != nil {
			vr.lab.Complain("The scenario cannot be varied", err)
			return
		}
		v.fields = slices.Sorted(maps.Keys(v.values))
		vr.lab.Dialog, vr.vary = dialogVary, v
	})
}

// numbers collects the numbers of a document by their JSON Pointers.
func numbers(path string, node any, found map[string]string) {
	switch node := node.(type) {
	case map[string]any:
		for key, v := range node {
			numbers(path+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), v, found)
		}
	case []any:
		for i, v := range node {
			numbers(path+"/"+strconv.Itoa(i), v, found)
		}
	case float64:
		found[path] = strconv.FormatFloat(node, 'g', -1, 64)
	}
}

func (vr *varying[I]) form() app.UI {
	v := &vr.vary
	first, second := &v.varied[0], &v.varied[1]
	return app.Form().OnSubmit(vr.beginExperiment).Body(
		app.P().Text("One parameter or two take several values, in all combinations, each with several seeds. The workers of this page share the runs."),
		app.DataList().ID(vr.lab.id("vary-known")).Body(app.Range(v.fields).Slice(func(i int) app.UI {
			return app.Option().Value(v.fields[i]).Label(show.Words(v.now(v.fields[i])))
		})),
		vr.field("vary-field", "Parameter to vary", &first.field, true),
		vr.field("vary-levels", labelOfLevels(v.row(first.field)), &first.levels, true),
		vr.field("vary-field-2", "Second parameter, if any", &second.field, false),
		vr.field("vary-levels-2", labelOfLevels(v.row(second.field)), &second.levels, false),
		vr.field("vary-seeds", "Seeds", &v.seeds, true),
		app.If(v.problem != "", func() app.UI { return ui.Problem(v.problem) }),
		app.Div().Class("row").Body(app.Button().Type("submit").Class("button primary").DataSet("testid", "vary-start").Text("Run the experiment")),
	)
}

// field draws a field of the dialogs. A field for a parameter suggests the parameters of the
// scenario.
func (vr *varying[I]) field(name, label string, set *string, required bool) app.UI {
	input := app.Input().Type("text").ID(vr.lab.id(name)).DataSet("testid", name).Required(required)
	if strings.HasPrefix(name, "vary-field") {
		input.List(vr.lab.id("vary-known"))
	}
	return ui.Field(vr.lab.id(name), label, ui.Taking(ui.Showing(input, *set), "input", func(_ app.Context, text string) { *set = text }, name))
}

// beginExperiment makes the experiment and opens it in the view of experiments.
func (vr *varying[I]) beginExperiment(_ app.Context, e app.Event) {
	e.PreventDefault()
	s, err := vr.vary.experiment()
	if err == nil {
		err = s.Validate()
	}
	if err != nil {
		vr.vary.problem = err.Error()
		return
	}
	vr.lab.Dialog = ""
	Open(vr.lab.Page, "vary", s) // use the context of the page: the context of the form ends with the dialog
}

// row returns the parameter at a path; nil if the number is not a parameter.
func (v *vary) row(path string) *parameter.Parameter {
	kind, ok := scenario.Lookup(v.base.Kind)
	if !ok {
		return nil
	}
	return kind.ParameterAt("", "", strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(path), "/"+v.base.Kind+"/"), "/", "."))
}

// now describes a number by title and current value.
func (v *vary) now(path string) string {
	x, err := strconv.ParseFloat(v.values[path], 64)
	row := v.row(path)
	if row == nil || err != nil {
		return "now " + v.values[path]
	}
	return row.Title + ", now " + strings.TrimSpace(row.Text(x)+" "+row.Unit)
}

func labelOfLevels(row *parameter.Parameter) string {
	if row == nil || row.Unit == "" {
		return "Values, separated by commas"
	}
	return "Values in " + row.Unit + ", separated by commas"
}

// levelOf parses a value in the display unit of its parameter.
func levelOf(text string, row *parameter.Parameter) study.Level {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return study.Level{Value: text} // not JSON: a word
	}
	if x, isNumber := value.(float64); isNumber && row != nil && row.Scale() != 1 {
		return study.Level{Value: x / row.Scale(), Label: text + " " + row.Unit}
	}
	return study.Level{Value: value}
}

func (v *vary) experiment() (scenario.Scenario, error) {
	var factors []study.Factor
	for i, f := range v.varied {
		if path := strings.TrimSpace(f.field); path != "" || i == 0 {
			factors = append(factors, v.factor(path, f.levels))
		}
	}
	return experimentOf(v.base, factors, v.seeds)
}

// experimentOf makes an experiment. seeds is the text of the field for seeds.
func experimentOf(base scenario.Scenario, factors []study.Factor, text string) (scenario.Scenario, error) {
	seeds, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || seeds < 1 {
		return scenario.Scenario{}, fmt.Errorf("seeds: found %s, expected a whole number from 1 to %d", show.Quote(text), study.MaxSeeds)
	}
	name := base.Name + ", " + show.Joined(factors, " and ", func(f study.Factor) string { return f.Name }) + " varied"
	s := study.New(strings.TrimPrefix(show.Cut(strings.TrimSpace(name), scenario.MaxName-1), ", "), study.Document{Base: base, Factors: factors, Seeds: seeds})
	return s, nil
}

func (v *vary) factor(path, levels string) study.Factor {
	factor := study.Factor{Name: path[strings.LastIndex(path, "/")+1:], Path: path}
	for text := range strings.SplitSeq(levels, ",") {
		if text = strings.TrimSpace(text); text != "" {
			factor.Levels = append(factor.Levels, levelOf(text, v.row(path)))
		}
	}
	return factor
}
