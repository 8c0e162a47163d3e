package federate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/parameter"
	"berth/engine/show"
)

// field is a control for one value of the inputs. The error about a refused text stays below it
// until another one is given.
type field struct {
	id, label   string
	path        string // the engine's name for it in the document; "" if there is none
	placeholder string // what an empty field stands for
	text        func(in *inputs) string
	set         lab.Setter[*inputs]
	whole       bool
}

// number is a field for a number; text is a field for anything else.
func (v *View) number(f field) app.UI {
	return v.Pinnable(v.control(f, lab.NumberInput(f.placeholder)), f.dial(0, math.Inf(1)))
}

// dial is the field as a dial from one value to another.
func (f field) dial(low, high float64) lab.Dial[*inputs] {
	d := lab.DialOf(f.id, f.label, f.whole, func(in *inputs) string { return cmp.Or(f.text(in), f.placeholder) }, f.set)
	d.Low, d.High = low, high
	return d
}

func (v *View) line(f field) app.UI {
	return v.control(f, app.Input().Type("text").Spellcheck(false).
		Attr("autocomplete", "off").Placeholder(f.placeholder))
}

func (v *View) control(f field, input app.HTMLInput) app.UI {
	return v.Field(f.id, f.label, input.DataSet("testid", f.id), f.text(v.Inputs), f.set)
}

// fields are all fields that may hold a wrong value, by their id.
func (v *View) fields() []field {
	all := []field{seedField(), sharesField()}
	for _, p := range federatekind.Parameters() {
		if p.Number() {
			all = append(all, fieldOf(p))
		}
	}
	return all
}

// group are the fields of a group of parameters.
func group(name string) []field {
	var all []field
	for _, p := range federatekind.Parameters() {
		if p.Group == name {
			all = append(all, fieldOf(p))
		}
	}
	return all
}

// fieldOf is the field of a parameter. An empty one means the default.
func fieldOf(p parameter.Parameter) field {
	f := field{
		id: "fed-" + p.Flag(), label: p.In(p.Unit), path: p.JSONPath(), placeholder: p.Usual, whole: p.Whole,
		text: func(in *inputs) string {
			if x, given := p.Get(&in.options); given {
				return p.Text(x)
			}
			return ""
		},
		set: func(in *inputs, text string) error {
			if text == "" && !p.Required {
				return p.Set(&in.options, nil)
			}
			x, err := p.Parse(text)
			if err != nil {
				return err
			}
			return p.Set(&in.options, &x)
		},
	}
	if p.Usual == "" && !p.Required {
		f.placeholder = p.Text(p.Default)
	}
	return f
}

// amount reads a number of 0 or more.
func amount(text string) (float64, error) { return lab.ParseNumber(text, 0, math.MaxFloat64) }

func sharesField() field {
	return field{
		id: "fed-shares", label: "Shares of the users", path: "shares", placeholder: "equal, without preemption",
		text: func(in *inputs) string { return numbers(in.options.Shares) },
		set: func(in *inputs, text string) (err error) {
			in.options.Shares, err = parseNumbers(text)
			if err != nil || in.options.Shares == nil {
				return err
			}
			sum := 0.0
			for _, share := range in.options.Shares {
				sum += share
			}
			if math.Abs(sum-1) > 1e-9 {
				return fmt.Errorf("the shares sum to %s: expected 1, such as 0.1, 0.25, 0.15, 0.5", show.Number(math.Round(sum*1e9)/1e9))
			}
			return nil
		},
	}
}

func numbers(list []float64) string { return show.Joined(list, ", ", show.Number) }

// parseNumbers reads numbers with commas or spaces between them; nothing gives
// nil.
func parseNumbers(text string) ([]float64, error) {
	var list []float64
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		x, err := amount(word)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

func seedField() field {
	return field{
		id: "fed-seed", label: "First seed", path: "seed",
		text: func(in *inputs) string { return strconv.FormatUint(in.options.Seed, 10) },
		set:  func(in *inputs, text string) error { return lab.SetSeed(&in.options.Seed, text) },
	}
}

// schedulerNames are the schedulers of the engine in its order.
func schedulerNames() []string { return federate.Names() }

// looks are the styles of schedulers that are compared, by their names: each has its own, as
// far as the colours go.
func looks(compared []string) map[string]chart.Style {
	places, all := make([]int, len(compared)), map[string]chart.Style{}
	for i, name := range compared {
		places[i] = placeOf(name)
	}
	for i, style := range chart.Apart(places) {
		all[compared[i]] = style
	}
	return all
}

// looksOf are the styles of the schedulers of a report.
func looksOf(all []federatekind.SchedulerReport) map[string]chart.Style {
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return looks(names)
}

// placeOf is the place of a scheduler among all; written schedulers come last.
func placeOf(name string) int {
	names := schedulerNames()
	if i := slices.Index(names, federate.NameOf(name)); i >= 0 {
		return i
	}
	return len(names)
}

func (v *View) schedulerBoxes() app.UI {
	boxes := make([]app.UI, 0, len(schedulerNames()))
	names := schedulerNames()
	for _, t := range v.Inputs.options.Policies {
		names = append(slices.Clip(names), t.Name)
	}
	shown := looks(v.Inputs.options.Schedulers)
	for _, name := range names {
		plugin, _ := federate.Lookup(name)
		boxes = append(boxes, app.Div().Class("scheduler").Title(plugin.Description).Body(
			app.Span().Class("swatch").Style("background", cmp.Or(shown[name], chart.StyleAt(placeOf(name))).Color()),
			v.Checkbox("fed-scheduler-"+name, name, federatekind.Has(v.Inputs.options.Schedulers, name),
				func(in *inputs, on bool) { in.setScheduler(name, on) }),
		))
	}
	return app.Div().Class("schedulers checks").DataSet("rove", "yes").Role("group").Aria("label", "Schedulers").Body(boxes...)
}
