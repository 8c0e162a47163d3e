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

// A variant is a run that the row of its policy cannot express: it has the optimisations of section
// 7.1 of the thesis, its own name, or other parameters.

// validity is the default lifetime of a cached score, in seconds. It equals the watchdog interval
// of the paper.
const validity = 10

// ownRow reports whether a run cannot be edited in the row of its policy.
func ownRow(run *qoskind.PolicyRun) bool {
	return run.Savings != nil || run.Label != "" || run.Policy != nil
}

// variant reports whether a run has its own row.
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

// tellApart gives each variant a title that no other run has, by its options or by a number.
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

// optimised is the policy that tableSavings belong to.
var optimised = qos.QoSDriven().Name

// usualLabel returns a short label for the usual optimisations. For other variants it returns "",
// because their options make the title.
func usualLabel(run *qoskind.PolicyRun) string {
	if run.Name == optimised && run.Savings != nil && savingsOf(run) == tableSavings {
		return "qos optimised"
	}
	return ""
}

// numbered reports whether a label is the name of the policy with a number that makes
// the title unique.
func numbered(run *qoskind.PolicyRun, label string) bool {
	number, found := strings.CutPrefix(label, run.Name+" (")
	number, closed := strings.CutSuffix(number, ")")
	_, err := strconv.Atoi(number)
	return found && closed && err == nil
}

// variantList draws the variants and the button that adds one.
func (f *fields) variantList() []app.UI {
	var rows []app.UI
	for i := range f.view.Inputs.options.Policies {
		if run := &f.view.Inputs.options.Policies[i]; f.view.Inputs.variant(run) && run.Policy == nil {
			rows = append(rows, f.variantRow(i, run))
		}
	}
	add := ui.Disabled(ui.Button("plus", "Add a variant"), f.fullOfPolicies()).DataSet("testid", "qos-add-variant").
		Title("Run a policy again with the optimisations of section 7.1 of the thesis, or with another limit").
		OnClick(func(app.Context, app.Event) { f.addVariant() })
	return []app.UI{app.Ul().Class("sources").Body(rows...), app.Div().Class("row").Body(add)}
}

func (f *fields) fullOfPolicies() bool {
	return len(f.view.Inputs.options.Policies) >= qoskind.MaxPolicies
}

func (f *fields) variantRow(i int, run *qoskind.PolicyRun) app.UI {
	title, open := run.Title(), f.variantOpen(i)
	duplicate := ui.Disabled(ui.IconButton("copy", "Duplicate "+title), f.fullOfPolicies()).
		OnClick(func(app.Context, app.Event) { f.duplicateVariant(i) }, app.EventScope("duplicate", i))
	return app.Li().Class("source").Body(
		app.Div().Class("source-head").Body(
			app.Div().Class("variant-name").Body(
				app.Button().Type("button").Class("source-name").Aria("expanded", open).Title(show.Words(title)).
					OnClick(func(app.Context, app.Event) { f.toggleVariant(i) }, app.EventScope("variant", i)).
					Body(app.Span().Text(show.Words(title))),
				app.Small().Class(f.view.Form.Dimmed("operations")).Text(f.operations(run)),
			),
			app.Div().Class("source-buttons").Body(
				duplicate,
				ui.IconButton("trash", "Remove "+title).
					OnClick(func(app.Context, app.Event) { f.removeVariant(i) }, app.EventScope("remove-variant", i))),
		),
		app.If(open, func() app.UI { return f.variantForm(i, run) }),
	)
}

// operations describes the number of operations of a run; "" while unknown.
func (f *fields) operations(run *qoskind.PolicyRun) string {
	if f.view.result == nil {
		return ""
	}
	for _, one := range f.view.result.there() {
		if reflect.DeepEqual(one.policy, *run) {
			return ui.Counted(one.did.Run.Operations, "operation")
		}
	}
	return ""
}

// variantFields is the prefix of the ids of the fields of variants.
const variantFields = "qos-variant-"

// variantRows describes the fields of variants, over all policies.
func (f *fields) variantRows() *lab.Rows[*inputs, qoskind.PolicyRun] {
	return &lab.Rows[*inputs, qoskind.PolicyRun]{
		Lead: variantFields, Name: (*qoskind.PolicyRun).Title,
		Of: func(in *inputs) []qoskind.PolicyRun { return in.options.Policies }, Put: (*inputs).putVariant,
	}
}

// variantColumns returns the fields of a variant: the policy with its parameters, the
// switches of its savings, and the numbers and choices of its savings.
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

func (f *fields) variantForm(i int, run *qoskind.PolicyRun) app.UI {
	policy, switches, savings := variantColumns(run)
	fields := func(columns []lab.Column[qoskind.PolicyRun]) (all []app.UI) {
		for k := range columns {
			all = append(all, f.variantRows().Labelled(f.view.Lab, i, &columns[k]))
		}
		return all
	}
	return app.Div().Body(
		app.Div().Class("form-grid").Body(fields(policy)...),
		app.Div().Body(fields(switches)...),
		app.Div().Class("form-grid").Body(fields(savings)...),
		f.view.Form.WrongOf(variantFields),
	)
}

// savingsOf returns a copy of the savings of a run. Changing the copy does not affect inputs in the
// undo history.
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

// literally returns the scheduler of a run; "" for the fast one.
func literally(run *qoskind.PolicyRun) string {
	if run.Scheduler == qoskind.Literal || savingsOf(run) != (qoskind.Savings{}) {
		return qoskind.Literal
	}
	return ""
}

// putVariant stores the policies after variant i changed. It sets the missing savings
// of the variant and its label.
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

func (f *fields) toggleVariant(i int) {
	if f.variantOpen(i) {
		i = noVariant
	}
	f.openVariant, f.openedAfter = i, f.view.Replaced
	f.view.Form.Forgive(variantFields)
}

// variantOpen reports whether the fields of a variant are on screen. They close when all inputs are
// replaced.
func (f *fields) variantOpen(i int) bool {
	return f.openVariant == i && f.openedAfter == f.view.Replaced
}

// noVariant is the index of the open variant if none is open.
const noVariant = -1

// addVariant adds the QoS-driven policy with the optimisations of table 7.1 of the
// thesis.
func (f *fields) addVariant() {
	run := qoskind.PolicyRun{Name: optimised, Savings: new(tableSavings)}
	run.Label = usualLabel(&run)
	f.insertVariant("add a variant", len(f.view.Inputs.options.Policies), run)
}

func (f *fields) duplicateVariant(i int) {
	run := f.view.Inputs.options.Policies[i]
	run.Savings = new(savingsOf(&run))
	f.insertVariant("duplicate "+run.Title(), i+1, run)
}

func (f *fields) insertVariant(name string, at int, run qoskind.PolicyRun) {
	f.view.Edit(name, func(in *inputs) {
		in.options.Policies = append(in.options.Policies, run)
		copy(in.options.Policies[at+1:], in.options.Policies[at:])
		in.options.Policies[at] = run
		in.tellApart()
	})
	f.openVariant, f.openedAfter = at, f.view.Replaced
	f.view.Form.Forgive(variantFields)
}

func (f *fields) removeVariant(i int) {
	f.view.Edit("remove "+f.view.Inputs.options.Policies[i].Title(), func(in *inputs) {
		in.options.Policies = slices.Delete(in.options.Policies, i, i+1)
	})
	f.openVariant = noVariant
	f.view.Form.Forgive(variantFields)
}
