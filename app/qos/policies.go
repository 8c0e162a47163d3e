package qos

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

// both asks for the fast scheduler and the literal one beside each other.
const both = "both"

// titleOf is the title of a policy.
func titleOf(name string) string {
	p, _ := qos.Lookup(name)
	return cmp.Or(p.Title, name)
}

func parametersOf(name string) []parameter.Parameter {
	p, _ := qos.Lookup(name)
	return p.Parameters
}

// parameterField is the field of a parameter in the row of its policy.
func parameterField(policy, parameter string) string { return "qos-" + policy + "-" + parameter }

// policyFields are the policies to compare, each with its scheduler.
func (v *View) policyFields() app.UI {
	rows := []app.UI{app.H3().Text("Policies")}
	for _, name := range qos.Names() {
		rows = append(rows, v.policyRow(name))
	}
	return app.Div().Class("policies checks").DataSet("rove", "yes").Body(append(rows, v.variantList()...)...)
}

func (v *View) policyRow(name string) app.UI {
	in := v.Inputs
	scheduler := in.scheduler(name)
	id := "qos-policy-" + name
	policy, _ := qos.Lookup(name)
	box := ui.Checkbox(id, scheduler != "", func(on bool) {
		v.openVariant = noVariant
		for _, p := range parametersOf(name) {
			v.Forgive(parameterField(name, p.Name))
		}
		v.Edit("change the policies", func(in *inputs) { in.setScheduler(name, map[bool]string{true: qoskind.Fast}[on]) })
	})
	row := []app.UI{app.Label().Class("check").For(id).Title(policy.Description).Body(box.DataSet("testid", id), app.Span().Text(titleOf(name)))}
	if scheduler != "" {
		row = append(row, v.schedulerSelect(name, scheduler))
		for _, p := range parametersOf(name) {
			id := parameterField(name, p.Name)
			row = append(row, v.NumberField(id, ui.WithUnit(p.Title, p.Unit), false,
				func(in *inputs) string {
					plain := in.row(name)
					return show.Number(plain.Value(&p))
				},
				func(in *inputs, text string) error { return in.setParameter(name, p, text) }), v.WrongText(id))
		}
	}
	return app.Div().Class("policy").Body(row...)
}

func (v *View) schedulerSelect(name, scheduler string) app.UI {
	return ui.Select("qos-scheduler-"+name, scheduler, func(chosen string) {
		v.openVariant = noVariant
		v.Edit("change the scheduler of "+name, func(in *inputs) { in.setScheduler(name, chosen) })
	}, ui.Option(qoskind.Fast, "fast"), ui.Option(qoskind.Literal, "literal"), ui.Option(both, "both")).
		Class("inline").Aria("label", "Scheduler of "+titleOf(name)).
		Title("The literal scheduler is algorithm 1 of the paper as printed: the same decisions, but slower.")
}

// scheduler is the scheduler that carries a policy out, "" if it is not compared.
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

// setScheduler has a policy carried out by another scheduler, or by none. The
// policies stay in the order of their names, and variants after them.
func (in *inputs) setScheduler(name, scheduler string) {
	row := in.row(name)
	plain, variants := in.apartFromVariants()
	var runs []qoskind.PolicyRun
	for _, known := range qos.Names() {
		for _, run := range plain {
			if run.Name == known && known != name {
				runs = append(runs, run)
			}
		}
		if known != name || scheduler == "" {
			continue
		}
		run := qoskind.PolicyRun{Name: name}
		takeParameters(&run, &row)
		if scheduler != qoskind.Literal {
			runs = append(runs, run)
		}
		if scheduler != qoskind.Fast {
			run.Scheduler = qoskind.Literal
			runs = append(runs, run)
		}
	}
	in.options.Policies = append(runs, variants...)
	in.tellApart()
}

// row is the run in the row of a policy, or a run with the defaults.
func (in *inputs) row(name string) qoskind.PolicyRun {
	for _, run := range in.options.Policies {
		if run.Name == name && !ownRow(&run) {
			return run
		}
	}
	return qoskind.PolicyRun{Name: name}
}

// takeParameters gives a run the parameters of another one of its policy, by
// name even where they are the defaults.
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
