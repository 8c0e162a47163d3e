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

// variantList has the variants and what adds one.
func (v *View) variantList() []app.UI {
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

// variantRows are the policies with the fields of a variant.
func (v *View) variantRows() *lab.Rows[*inputs, qoskind.PolicyRun] {
	return &lab.Rows[*inputs, qoskind.PolicyRun]{
		Lead: variantFields, Name: (*qoskind.PolicyRun).Title,
		Of: func(in *inputs) []qoskind.PolicyRun { return in.options.Policies }, Put: (*inputs).putVariant,
	}
}

// variantColumns are the fields of a variant: the policy and its parameters, switches of savings,
// and other savings.
func variantColumns(run *qoskind.PolicyRun) (policy, switches, savings []lab.Column[qoskind.PolicyRun]) {
	type column = lab.Column[qoskind.PolicyRun]
	saving := func(key, name string) column {
		return lab.ColumnOf[qoskind.PolicyRun](key, qoskind.RunParameters(), name).Typed()
	}
	titles := map[string]string{}
	for _, name := range qos.Names() {
		titles[name] = titleOf(name)
	}
	policy = []column{
		{Key: "policy", Name: "policy", Choices: qos.Names(), Words: titles, Text: func(run *qoskind.PolicyRun) string { return run.Name }, Set: setVariantPolicy},
		{Key: "scheduler", Name: "scheduler", Title: "Only the literal scheduler has optimisations: it runs if you choose any.", Choices: []string{qoskind.Fast, qoskind.Literal},
			Has:  func(run *qoskind.PolicyRun) bool { return savingsOf(run) == qoskind.Savings{} },
			Text: func(run *qoskind.PolicyRun) string { return cmp.Or(literally(run), qoskind.Fast) }, Set: setVariantScheduler},
	}
	for _, p := range parametersOf(run.Name) {
		policy = append(policy, column{Key: p.Name, Name: ui.WithUnit(p.Title, p.Unit),
			Text: func(run *qoskind.PolicyRun) string { return show.Number(run.Value(&p)) },
			Set: func(run *qoskind.PolicyRun, text string) error {
				value, err := p.Parse(text)
				if err == nil {
					run.SetValue(p.Name, value)
				}
				return err
			}})
	}
	policy = append(policy, column{Key: "label", Name: "name", Text: func(run *qoskind.PolicyRun) string { return run.Label }, Set: setVariantLabel,
		Unset: func(run *qoskind.PolicyRun) string {
			unlabelled := *run
			unlabelled.Label = ""
			return unlabelled.Title()
		}})
	s := savingsOf(run)
	if s.ScoreCaching {
		savings = append(savings, saving("validity", "cacheValidity"))
	}
	if s.EquivalenceClass {
		savings = append(savings, saving("tolerance", "qTolerance"))
	}
	return policy, []column{saving("caching", "scoreCaching"), saving("equivalence", "equivalenceClass")}, append(savings, saving("relaxed", "relaxed"), saving("pruning", "pruning"))
}

// variantForm has the fields of a variant.
func (v *View) variantForm(i int, run *qoskind.PolicyRun) app.UI {
	policy, switches, savings := variantColumns(run)
	fields := func(columns []lab.Column[qoskind.PolicyRun]) (all []app.UI) {
		for k := range columns {
			all = append(all, v.variantRows().Labelled(v.Lab, i, &columns[k]))
		}
		return all
	}
	return app.Div().Body(
		app.Div().Class("form-grid").Body(fields(policy)...),
		app.Div().Body(fields(switches)...),
		app.Div().Class("form-grid").Body(fields(savings)...),
		v.WrongOf(variantFields),
	)
}

// savingsOf is a copy of the savings of a run, so that a change of it does not
// change inputs that went to the undo history.
func savingsOf(run *qoskind.PolicyRun) qoskind.Savings {
	if run.Savings == nil {
		return qoskind.Savings{}
	}
	s := *run.Savings
	if s.Pruning == "none" {
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

// putVariant stores the policies after variant i changed: it completes its savings and names it.
func (in *inputs) putVariant(all []qoskind.PolicyRun, i int) error {
	before, run := in.options.Policies[i], &all[i]
	s := savingsOf(run)
	switch {
	case !s.ScoreCaching:
		s.CacheValidity = 0
	case run.NeedsValidity():
		s.CacheValidity = cmp.Or(s.CacheValidity, validity)
	}
	run.Savings = &s
	unnamed := before.Label == "" || before.Label == usualLabel(&before) || numbered(&before, before.Label)
	if unnamed && run.Label == before.Label {
		run.Label = usualLabel(run)
	}
	in.options.Policies = all
	in.tellApart()
	return nil
}

func setVariantPolicy(run *qoskind.PolicyRun, text string) error {
	run.Name, run.HybridLimit, run.Parameters = text, 0, nil
	takeParameters(run, &qoskind.PolicyRun{Name: text})
	return nil
}

func setVariantScheduler(run *qoskind.PolicyRun, text string) error {
	run.Scheduler = ""
	if text == qoskind.Literal {
		run.Scheduler = text
	}
	return nil
}

func setVariantLabel(run *qoskind.PolicyRun, text string) error {
	run.Label = strings.TrimSpace(text)
	if n := len([]rune(run.Label)); n > qoskind.MaxLabel {
		return fmt.Errorf("it has %d characters, at most %d", n, qoskind.MaxLabel)
	}
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
