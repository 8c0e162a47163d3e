package lab

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/show"
)

const dialogGenerate = "generate"

// Generator describes the dialog that makes the recipe of a generated source.
type Generator struct {
	Thing    string   // the generated input: "a trace"
	Presets  []Preset // of the recipe's generator
	Defaults func(generator, preset string) ([]parameter.Parameter, error)
	More     func(r *workload.Recipe) []app.UI // further fields of the generator; may be nil
	// Use takes a recipe with valid parameters. It closes the dialog, or sets Refused
	// to the reason why the recipe cannot be used.
	Use func(workload.Recipe)
}

// Preset is a preset of a generator, with its description for the select.
type Preset struct{ Name, Text string }

// generating is the dialog that generates a source.
type generating[I Inputs[I]] struct {
	lab *Lab[I]

	Recipe  workload.Recipe // in the open dialog
	Refused string          // why the recipe cannot be used
}

// Open opens the dialog with a copy of recipe r.
func (m *generating[I]) Open(r workload.Recipe) {
	m.Recipe, m.Refused = cloned(r), ""
	m.lab.Dialog = dialogGenerate
}

func cloned(r workload.Recipe) workload.Recipe {
	r.Parameters = maps.Clone(r.Parameters)
	return r
}

// Dialog draws the dialog that [generating.Open] opens. A closed dialog is empty.
func (m *generating[I]) Dialog(g Generator) app.UI {
	return m.lab.dialog(dialogGenerate, "Generate "+g.Thing, func() app.UI { return m.form(g) })
}

func (m *generating[I]) form(g Generator) app.UI {
	r := &m.Recipe
	parameters, err := g.Defaults(r.Generator, r.Preset)
	if err != nil {
		return ui.Problem(err.Error())
	}
	fields := []app.UI{m.presetField(g), m.seedField()}
	if g.More != nil {
		fields = append(fields, g.More(r)...)
	}
	for _, p := range parameters {
		fields = append(fields, m.parameterField(p))
	}
	return app.Form().
		OnSubmit(func(_ app.Context, e app.Event) {
			e.PreventDefault()
			m.Generate(g)
		}).
		Body(
			app.Div().Class("form-grid").Body(fields...),
			app.P().Class("hint").Text("An empty field takes the value of the preset. Berth saves and shares this recipe, not the generated text."),
			app.If(m.Refused != "", func() app.UI { return ui.Problem(m.Refused) }),
			app.Div().Class("row").Body(
				app.Button().Type("submit").Class("button primary").DataSet("testid", m.lab.id("generate-use")).Text("Generate")),
		)
}

func (m *generating[I]) presetField(g Generator) app.UI {
	r, id := &m.Recipe, m.lab.id("generate-preset")
	options := ui.Options(len(g.Presets), func(i int) (value, text string) { return g.Presets[i].Name, g.Presets[i].Text })
	return ui.Field(id, "Preset", ui.Select(id, r.Preset, func(preset string) {
		r.Preset, r.Index = preset, 0
		if parameters, err := g.Defaults(r.Generator, r.Preset); err == nil {
			maps.DeleteFunc(r.Parameters, func(name string, _ float64) bool {
				return parameter.Index(parameters, name) < 0
			})
		}
	}, options...))
}

func (m *generating[I]) seedField() app.UI {
	r, id := &m.Recipe, m.lab.id("generate-seed")
	input := ui.Showing(NumberInput("").ID(id).Attr("step", 1), strconv.FormatUint(r.Seed, 10))
	return ui.Field(id, "Seed", ui.Taking(input, "change", func(_ app.Context, text string) {
		r.Seed, _ = strconv.ParseUint(text, 10, 64)
	}, id))
}

func (m *generating[I]) parameterField(p parameter.Parameter) app.UI {
	r, id := &m.Recipe, m.lab.id("generate-"+p.Name)
	value, preset := "", ui.Number(p.Default)
	if given, ok := workload.InRecipe(p).Get(r); ok {
		value = show.Number(given)
	}
	if r.Index != 0 {
		preset = "as the preset"
	}
	label := show.Capital(p.Hinted())
	if p.Unit != "" {
		label += " (" + p.Unit + ")"
	}
	input := ui.Showing(NumberInput(preset).ID(id).Title(p.Name+" of the recipe"), value)
	return ui.Field(id, label, ui.Taking(input, "change", func(_ app.Context, text string) {
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			_ = workload.InRecipe(p).Set(r, &x)
		} else {
			_ = workload.InRecipe(p).Set(r, nil) // a preset's value is valid
		}
	}, id))
}

// Generate uses the recipe in the dialog if its parameters are within their bounds.
func (m *generating[I]) Generate(g Generator) {
	r := cloned(m.Recipe)
	parameters, err := g.Defaults(r.Generator, r.Preset)
	if err != nil {
		m.Refused = err.Error()
		return
	}
	for _, p := range parameters {
		if x, given := r.Parameters[p.Name]; given && p.Check(x) != nil {
			m.Refused = fmt.Sprintf("%s: %v", p.Title, p.Check(x))
			return
		}
	}
	m.Refused = ""
	g.Use(r)
}

// RecipeName names the source that a recipe generates.
func RecipeName(r workload.Recipe) string {
	return fmt.Sprintf("%s %s, seed %d", r.Preset, r.Generator, r.Seed)
}

// RecipeText is a sentence with the name of a generated source and the parameters
// that differ from the preset.
func RecipeText(name string, r *workload.Recipe) string {
	text := "Generated: " + name
	for _, parameter := range slices.Sorted(maps.Keys(r.Parameters)) {
		text += ", " + parameter + " = " + show.Number(r.Parameters[parameter])
	}
	return text + "."
}
