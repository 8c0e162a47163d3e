package qos

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

// A variant is a run of a policy with optimisations of section 7.1 of the
// thesis, with a name of its own, or with other parameters: what the row of its
// policy cannot say.

// validity is how long a cached score holds where the policy needs a bound and
// none was given, in seconds: as long as the watchdog of the paper waits.
const validity = 10

// ownRow reports whether a run cannot be in the row of its policy.
func ownRow(run *qoskind.PolicyRun) bool {
	return run.Savings != nil || run.Label != "" || run.Policy != nil
}

// variant reports whether a run has a row of its own.
func (in *inputs) variant(run *qoskind.PolicyRun) bool {
	row := in.row(run.Name)
	return ownRow(run) || slices.ContainsFunc(parametersOf(run.Name), func(p parameter.Parameter) bool { return run.Value(&p) != row.Value(&p) })
}

func (in *inputs) apartFromVariants() (plain, variants []qoskind.PolicyRun) {
	for _, run := range in.options.Policies {
		if in.variant(&run) {
			variants = append(variants, run)
		} else {
			plain = append(plain, run)
		}
	}
	return plain, variants
}

// tellApart names variants without a name: by their options, or by a number where
// another run has that name already.
func (in *inputs) tellApart() {
	plain, _ := in.apartFromVariants()
	taken := map[string]bool{}
	for _, run := range plain {
		taken[run.Title()] = true
	}
	for i := range in.options.Policies {
		run := &in.options.Policies[i]
		if !in.variant(run) {
			continue
		}
		if run.Savings != nil && numbered(run, run.Label) {
			run.Label = usualLabel(run)
		}
		for n := 2; taken[run.Title()]; n++ {
			run.Label = fmt.Sprintf("%s (%d)", run.Name, n)
		}
		taken[run.Title()] = true
	}
}

// tableSavings are the optimisations of the QoS-driven policy in table 7.1 of the thesis.
var tableSavings = qoskind.Savings{EquivalenceClass: true, Relaxed: 0.05, Pruning: "printed"}

// optimised is the name of that policy.
var optimised = qos.QoSDriven().Name

// usualLabel is the label of a variant without a name: the options make the title,
// which for the usual ones would be long.
func usualLabel(run *qoskind.PolicyRun) string {
	if run.Name == optimised && run.Savings != nil && savingsOf(run) == tableSavings {
		return "qos optimised"
	}
	return ""
}

// numbered reports whether a label is a number that makes a title unique.
func numbered(run *qoskind.PolicyRun, label string) bool {
	number, found := strings.CutPrefix(label, run.Name+" (")
	number, closed := strings.CutSuffix(number, ")")
	_, err := strconv.Atoi(number)
	return found && closed && err == nil
}

// unnamed reports whether a variant has no name.
func unnamed(run *qoskind.PolicyRun) bool {
	return run.Label == "" || run.Label == usualLabel(run) || numbered(run, run.Label)
}

// variantRows are the rows of the variants and what adds one.
func (v *View) variantRows() []app.UI {
	var rows []app.UI
	for i := range v.Inputs.options.Policies {
		if run := &v.Inputs.options.Policies[i]; v.Inputs.variant(run) && run.Policy == nil {
			rows = append(rows, v.variantRow(i, run))
		}
	}
	add := ui.Disabled(ui.Button("plus", "Add a variant"), v.fullOfPolicies()).DataSet("testid", "qos-add-variant").
		Title("Run a policy again with the optimisations of section 7.1 of the thesis, or with another limit").
		OnClick(func(app.Context, app.Event) { v.addVariant() })
	return []app.UI{app.Ul().Class("sources").Body(rows...), app.Div().Class("row").Body(add)}
}

func (v *View) fullOfPolicies() bool { return len(v.Inputs.options.Policies) >= qoskind.MaxPolicies }

func (v *View) variantRow(i int, run *qoskind.PolicyRun) app.UI {
	title, open := run.Title(), v.variantOpen(i)
	duplicate := ui.Disabled(ui.IconButton("copy", "Duplicate "+title), v.fullOfPolicies()).
		OnClick(func(app.Context, app.Event) { v.duplicateVariant(i) }, app.EventScope("duplicate", i))
	return app.Li().Class("source").Body(
		app.Div().Class("source-head").Body(
			app.Div().Class("variant-name").Body(
				app.Button().Type("button").Class("source-name").Aria("expanded", open).Title(show.Words(title)).
					OnClick(func(app.Context, app.Event) { v.toggleVariant(i) }, app.EventScope("variant", i)).
					Body(app.Span().Text(show.Words(title))),
				app.Small().Class(v.Dimmed("operations")).Text(v.operations(run)),
			),
			app.Div().Class("source-buttons").Body(
				duplicate,
				ui.IconButton("trash", "Remove "+title).
					OnClick(func(app.Context, app.Event) { v.removeVariant(i) }, app.EventScope("remove-variant", i))),
		),
		app.If(open, func() app.UI { return v.variantForm(i, run) }),
	)
}

// operations is how many operations a run needed, "" while that is not known.
func (v *View) operations(run *qoskind.PolicyRun) string {
	if v.result == nil {
		return ""
	}
	for _, one := range v.result.there() {
		if reflect.DeepEqual(one.policy, *run) {
			return ui.Counted(one.did.Run.Operations, "operation")
		}
	}
	return ""
}

// variantFields is how the ids of the fields of variants begin.
const variantFields = "qos-variant-"

func variantField(i int, name string) string { return fmt.Sprintf("%s%d-%s", variantFields, i, name) }

// variantForm has the fields of a variant.
func (v *View) variantForm(i int, run *qoskind.PolicyRun) app.UI {
	s := savingsOf(run)
	id := func(name string) string { return variantField(i, name) }
	known := qos.Names()
	names := ui.Options(len(known), func(i int) (value, text string) { return known[i], titleOf(known[i]) })
	prunings := ui.Options(len(pruningTexts), func(i int) (value, text string) { return pruningTexts[i][0], pruningTexts[i][1] })
	parameters, unlabelled := parametersOf(run.Name), *run
	unlabelled.Label = ""
	return app.Div().Body(
		app.Div().Class("form-grid").Body(
			ui.Field(id("policy"), "policy", v.variantSelect(i, "policy", run.Name, setVariantPolicy, names...)),
			ui.Field(id("scheduler"), "scheduler", v.variantSelect(i, "scheduler", cmp.Or(literally(run), qoskind.Fast), setVariantScheduler,
				ui.Option(qoskind.Fast, "fast"), ui.Option(qoskind.Literal, "literal")).
				Title("Only the literal scheduler has optimisations: it runs if you choose any.").
				Disabled(s != qoskind.Savings{})),
			app.Range(parameters).Slice(func(k int) app.UI {
				p := &parameters[k]
				return v.variantText(i, p.Name, ui.WithUnit(p.Title, p.Unit), show.Number(run.Value(p)), "", setVariantParameter(p))
			}),
			v.variantText(i, "label", "name", run.Label, unlabelled.Title(), setVariantLabel),
		),
		v.variantBox(i, "caching", "score caching", s.ScoreCaching, setCaching),
		v.variantBox(i, "equivalence", "equivalence class", s.EquivalenceClass, func(s *qoskind.Savings, on bool) { s.EquivalenceClass = on }),
		app.Div().Class("form-grid").Body(
			app.If(s.ScoreCaching, func() app.UI {
				return v.savingText(i, "validity", "cacheValidity", run)
			}),
			app.If(s.EquivalenceClass, func() app.UI {
				return v.savingText(i, "tolerance", "qTolerance", run)
			}),
			v.savingText(i, "relaxed", "relaxed", run),
			ui.Field(id("pruning"), "pruning of the queue", v.variantSelect(i, "pruning", s.Pruning, setPruning, prunings...).
				Title("Pruning as printed may skip a request that would fit; safe pruning changes no decision.")),
		),
		v.WrongOf(variantFields),
	)
}

// pruningTexts are the ways of pruning as a document and as the page calls
// them.
var pruningTexts = [][2]string{{"", "none"}, {"printed", "as printed"}, {"safe", "safe"}}

// savingsOf is a copy of the savings of a run, so that a change of it does not
// change inputs that went to the undo history.
func savingsOf(run *qoskind.PolicyRun) qoskind.Savings {
	if run.Savings == nil {
		return qoskind.Savings{}
	}
	s := *run.Savings
	if s.Pruning == pruningTexts[0][1] {
		s.Pruning = ""
	}
	return s
}

// literally is the scheduler of a run, "" for the fast one.
func literally(run *qoskind.PolicyRun) string {
	if run.Scheduler == qoskind.Literal || savingsOf(run) != (qoskind.Savings{}) {
		return qoskind.Literal
	}
	return ""
}

// variantSetter puts the text of a field into a variant.
type variantSetter func(run *qoskind.PolicyRun, s *qoskind.Savings, text string) error

func (v *View) variantSelect(i int, name, value string, set variantSetter, options ...app.UI) app.HTMLSelect {
	return ui.Select(variantField(i, name), value, func(value string) { v.setVariant(i, name, name, value, set) }, options...)
}

func (v *View) variantText(i int, name, label, text, unset string, set variantSetter) app.UI {
	id, whole := variantField(i, name), v.ofVariant(i, label)
	return ui.Field(id, label, v.Entry(id, whole, app.Input().Type("text").Placeholder(unset), text, inVariant(i, set)))
}

// savingText is the field of a parameter of the optimisations.
func (v *View) savingText(i int, name, parameter string, run *qoskind.PolicyRun) app.UI {
	p := qoskind.ParameterNamed(parameter)
	return v.variantText(i, name, ui.WithUnit(p.Title, p.Unit), lab.ParameterText(p, run), p.Usual, setSaving(parameter))
}

func (v *View) variantBox(i int, name, label string, on bool, set func(s *qoskind.Savings, on bool)) app.UI {
	id := variantField(i, name)
	box := ui.Checkbox(id, on, func(now bool) {
		v.setVariant(i, name, label, "", func(_ *qoskind.PolicyRun, s *qoskind.Savings, _ string) error {
			set(s, now)
			return nil
		})
	})
	return app.Label().Class("check").For(id).Body(box, app.Span().Text(label))
}

// setVariant puts a text into a variant.
func (v *View) setVariant(i int, name, label, text string, set variantSetter) {
	v.SetOption(variantField(i, name), v.ofVariant(i, label), text, inVariant(i, set))
}

// ofVariant names a field of a variant in messages.
func (v *View) ofVariant(i int, label string) string {
	return label + " of " + v.Inputs.options.Policies[i].Title()
}

// inVariant sets a value of a variant.
func inVariant(i int, set variantSetter) lab.Setter[*inputs] {
	return func(in *inputs, text string) error {
		run := &in.options.Policies[i]
		s, label, follows := savingsOf(run), run.Label, unnamed(run)
		if err := set(run, &s, text); err != nil {
			return err
		}
		run.Savings = &s
		if s.ScoreCaching && run.NeedsValidity() && s.CacheValidity == 0 {
			s.CacheValidity = validity
		}
		if follows && run.Label == label {
			run.Label = usualLabel(run)
		}
		in.tellApart()
		return nil
	}
}

func setVariantPolicy(run *qoskind.PolicyRun, _ *qoskind.Savings, text string) error {
	run.Name, run.HybridLimit, run.Parameters = text, 0, nil
	takeParameters(run, &qoskind.PolicyRun{Name: text})
	return nil
}

func setVariantScheduler(run *qoskind.PolicyRun, _ *qoskind.Savings, text string) error {
	run.Scheduler = ""
	if text == qoskind.Literal {
		run.Scheduler = text
	}
	return nil
}

func setVariantParameter(p *parameter.Parameter) variantSetter {
	return func(run *qoskind.PolicyRun, _ *qoskind.Savings, text string) error {
		value, err := p.Parse(text)
		if err == nil {
			run.SetValue(p.Name, value)
		}
		return err
	}
}

func setVariantLabel(run *qoskind.PolicyRun, _ *qoskind.Savings, text string) error {
	run.Label = strings.TrimSpace(text)
	if n := len([]rune(run.Label)); n > qoskind.MaxLabel {
		return fmt.Errorf("it has %d characters, at most %d", n, qoskind.MaxLabel)
	}
	return nil
}

func setCaching(s *qoskind.Savings, on bool) {
	s.ScoreCaching = on
	if !on {
		s.CacheValidity = 0
	}
}

// setSaving takes a parameter of the optimisations.
func setSaving(name string) variantSetter {
	set := lab.SetParameter(qoskind.ParameterNamed(name), func(run *qoskind.PolicyRun) any { return run })
	return func(_ *qoskind.PolicyRun, s *qoskind.Savings, text string) error {
		with := qoskind.PolicyRun{Savings: s}
		err := set(&with, text)
		*s = (qoskind.Savings{})
		if with.Savings != nil {
			*s = *with.Savings
		}
		return err
	}
}

func setPruning(_ *qoskind.PolicyRun, s *qoskind.Savings, text string) error {
	s.Pruning = text
	return nil
}

func (v *View) toggleVariant(i int) {
	if v.variantOpen(i) {
		i = noVariant
	}
	v.openVariant, v.openedAfter = i, v.Replaced
	v.Forgive(variantFields)
}

// variantOpen reports whether the fields of a variant are shown. They close when others take
// the place of all inputs.
func (v *View) variantOpen(i int) bool { return v.openVariant == i && v.openedAfter == v.Replaced }

// noVariant is the place of the open variant if none is.
const noVariant = -1

// addVariant adds the QoS-driven policy as table 7.1 of the thesis has it
// optimised.
func (v *View) addVariant() {
	run := qoskind.PolicyRun{Name: optimised, Savings: new(tableSavings)}
	run.Label = usualLabel(&run)
	v.insertVariant("add a variant", len(v.Inputs.options.Policies), run)
}

func (v *View) duplicateVariant(i int) {
	run := v.Inputs.options.Policies[i]
	run.Savings = new(savingsOf(&run))
	v.insertVariant("duplicate "+run.Title(), i+1, run)
}

func (v *View) insertVariant(name string, at int, run qoskind.PolicyRun) {
	v.Edit(name, func(in *inputs) {
		in.options.Policies = append(in.options.Policies, run)
		copy(in.options.Policies[at+1:], in.options.Policies[at:])
		in.options.Policies[at] = run
		in.tellApart()
	})
	v.openVariant, v.openedAfter = at, v.Replaced
	v.Forgive(variantFields)
}

func (v *View) removeVariant(i int) {
	v.Edit("remove "+v.Inputs.options.Policies[i].Title(), func(in *inputs) {
		in.options.Policies = slices.Delete(in.options.Policies, i, i+1)
	})
	v.openVariant = noVariant
	v.Forgive(variantFields)
}
