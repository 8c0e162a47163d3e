package qos

import (
	"cmp"
	"slices"
	"sort"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

// both selects the fast and the literal scheduler, side by side.
const both = "both"

// titleOf returns the title of a policy, or its name if it is unknown.
func titleOf(name string) string {
	p, _ := qos.Lookup(name)
	return cmp.Or(p.Title, name)
}

func parametersOf(name string) []parameter.Parameter {
	p, _ := qos.Lookup(name)
	return p.Parameters
}

// parameterField is the id of a parameter's field in the row of its policy.
func parameterField(policy, parameter string) string { return "qos-" + policy + "-" + parameter }

// policyFields draws the choice of the policies to compare, each with its scheduler.
func (f *fields) policyFields() app.UI {
	rows := []app.UI{app.H3().Text("Policies")}
	for _, name := range qos.Names() {
		rows = append(rows, f.policyRow(name))
	}
	return app.Div().Class("policies checks").DataSet("rove", "yes").Body(append(rows, f.variantList()...)...)
}

func (f *fields) policyRow(name string) app.UI {
	in := f.view.Inputs
	scheduler := in.scheduler(name)
	id := "qos-policy-" + name
	policy, _ := qos.Lookup(name)
	box := ui.Checkbox(id, scheduler != "", func(on bool) {
		f.openVariant = noVariant
		for _, p := range parametersOf(name) {
			f.view.Form.Forgive(parameterField(name, p.Name))
		}
		f.view.Edit("change the policies", func(in *inputs) { in.setScheduler(name, map[bool]string{true: qoskind.Fast}[on]) })
	})
	row := []app.UI{app.Label().Class("check").For(id).Title(policy.Description).Body(box.DataSet("testid", id), app.Span().Text(titleOf(name)))}
	if scheduler != "" {
		row = append(row, f.schedulerSelect(name, scheduler))
		for _, p := range parametersOf(name) {
			id := parameterField(name, p.Name)
			row = append(row, f.view.Form.NumberField(id, ui.WithUnit(p.Title, p.Unit), false,
				func(in *inputs) string {
					plain := in.row(name)
					return show.Number(plain.Value(&p))
				},
				func(in *inputs, text string) error { return in.setParameter(name, p, text) }), f.view.Form.WrongText(id))
		}
	}
	return app.Div().Class("policy").Body(row...)
}

func (f *fields) schedulerSelect(name, scheduler string) app.UI {
	return ui.Select("qos-scheduler-"+name, scheduler, func(chosen string) {
		f.openVariant = noVariant
		f.view.Edit("change the scheduler of "+name, func(in *inputs) { in.setScheduler(name, chosen) })
	}, ui.Option(qoskind.Fast, "fast"), ui.Option(qoskind.Literal, "literal"), ui.Option(both, "both")).
		Class("inline").Aria("label", "Scheduler of "+titleOf(name)).
		Title("The literal scheduler is algorithm 1 of the paper as printed: the same decisions, but slower.")
}

// scheduler returns the scheduler that runs a policy; "" if the policy is not compared.
func (in *inputs) scheduler(name string) string {
	found := ""
	for _, run := range in.options.Policies {
		if run.Name != name || in.variant(&run) {
			continue
		}
		this := qoskind.Fast
		if run.Scheduler == qoskind.Literal {
			this = qoskind.Literal
		}
		if found != "" && found != this {
			return both
		}
		found = this
	}
	return found
}

// setScheduler chooses the scheduler that runs a policy; "" removes the policy.
// Policies stay in the order of [qos.Names], with variants after them.
func (in *inputs) setScheduler(name, scheduler string) {
	row := in.row(name)
	plain, variants := in.apartFromVariants()
	runs := slices.DeleteFunc(plain, func(run qoskind.PolicyRun) bool { return run.Name == name })
	for _, s := range map[string][]string{qoskind.Fast: {""}, qoskind.Literal: {qoskind.Literal}, both: {"", qoskind.Literal}}[scheduler] {
		run := qoskind.PolicyRun{Name: name, Scheduler: s}
		takeParameters(&run, &row)
		runs = append(runs, run)
	}
	sort.SliceStable(runs, func(i, j int) bool {
		return slices.Index(qos.Names(), runs[i].Name) < slices.Index(qos.Names(), runs[j].Name)
	})
	in.options.Policies = append(runs, variants...)
	in.tellApart()
}

// row returns the run in the row of a policy or, if there is none, a run with the defaults.
func (in *inputs) row(name string) qoskind.PolicyRun {
	for _, run := range in.options.Policies {
		if run.Name == name && !ownRow(&run) {
			return run
		}
	}
	return qoskind.PolicyRun{Name: name}
}

// takeParameters copies the parameters of another run of the same policy. It sets them explicitly
// even if they have their default values.
func takeParameters(run, from *qoskind.PolicyRun) {
	for _, p := range parametersOf(run.Name) {
		run.SetValue(p.Name, from.Value(&p))
	}
}

func (in *inputs) setParameter(name string, p parameter.Parameter, text string) error {
	value, err := p.Parse(text)
	if err != nil {
		return err
	}
	plain, variants := in.apartFromVariants()
	for i := range plain {
		if plain[i].Name == name {
			plain[i].SetValue(p.Name, value)
		}
	}
	in.options.Policies = append(plain, variants...)
	in.tellApart()
	return nil
}
