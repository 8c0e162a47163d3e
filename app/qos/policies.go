package qos

import (
	"cmp"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
)

// both asks for the fast scheduler and the literal one beside each other.
const both = "both"

var policyTexts = map[string]string{
	"qos":      "QoS-driven",
	"priority": "priority-based",
	"hybrid":   "hybrid",
}

// policyFields are the policies to compare, and by which scheduler each is
// carried out.
func (v *View) policyFields() app.UI {
	rows := []app.UI{app.H3().Text("Policies")}
	for _, name := range qos.PolicyNames() {
		rows = append(rows, v.policyRow(name))
	}
	return app.Div().Class("policies").Body(append(rows, v.variantRows()...)...)
}

func (v *View) policyRow(name string) app.UI {
	in := v.Inputs
	scheduler := in.scheduler(name)
	id := "qos-policy-" + name
	box := ui.Checkbox(id, scheduler != "", func(on bool) {
		v.openVariant = noVariant
		v.Forgive("qos-hybrid-limit")
		v.Edit("change the policies", func(in *inputs) { in.setPolicy(name, on) })
	})
	row := []app.UI{app.Label().Class("check").For(id).Body(box.DataSet("testid", id), app.Span().Text(policyTexts[name]))}
	if scheduler != "" {
		row = append(row, v.schedulerSelect(name, scheduler))
	}
	if scheduler != "" && name == "hybrid" {
		const id = "qos-hybrid-limit"
		row = append(row, v.NumberField(id, "by priority from a queue of", strconv.Itoa(in.hybridLimit()), (*inputs).setHybridLimit), v.WrongText(id))
	}
	return app.Div().Class("policy").Body(row...)
}

func (v *View) schedulerSelect(name, scheduler string) app.UI {
	return ui.Select("qos-scheduler-"+name, scheduler, func(chosen string) {
		v.openVariant = noVariant
		v.Edit("change the scheduler of "+name, func(in *inputs) { in.setScheduler(name, chosen) })
	}, ui.Option(qoskind.Fast, "fast"), ui.Option(qoskind.Literal, "literal"), ui.Option(both, "both")).
		Class("inline").Aria("label", "Scheduler of "+policyTexts[name]).
		Title("The literal one is algorithm 1 of the paper as printed: the same decisions, slowly.")
}

// scheduler is by which scheduler a policy is carried out, "" if it is not.
func (in inputs) scheduler(name string) string {
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

func (in *inputs) setPolicy(name string, on bool) {
	in.setScheduler(name, map[bool]string{true: qoskind.Fast}[on])
}

// setScheduler has a policy carried out by another scheduler, or by none. The
// policies stay in the order of their names, and variants after them.
func (in *inputs) setScheduler(name, scheduler string) {
	limit := in.hybridLimit()
	plain, variants := in.apartFromVariants()
	var runs []qoskind.PolicyRun
	for _, known := range qos.PolicyNames() {
		for _, run := range plain {
			if run.Name == known && known != name {
				runs = append(runs, run)
			}
		}
		if known != name || scheduler == "" {
			continue
		}
		run := qoskind.PolicyRun{Name: name}
		if name == "hybrid" {
			run.HybridLimit = limit
		}
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

// hybridLimit is the length of the queue from which the hybrid policy goes by
// priority, variants aside.
func (in inputs) hybridLimit() int {
	for _, run := range in.options.Policies {
		if run.Name == "hybrid" && !ownRow(&run) {
			return cmp.Or(run.HybridLimit, qos.DefaultHybridLimit)
		}
	}
	return qos.DefaultHybridLimit
}

func (in *inputs) setHybridLimit(text string) error {
	limit, err := lab.ParseWhole(text, 1, 1e9)
	if err != nil {
		return err
	}
	plain, variants := in.apartFromVariants()
	for i := range plain {
		if plain[i].Name == "hybrid" {
			plain[i].HybridLimit = limit
		}
	}
	in.options.Policies = append(plain, variants...)
	in.tellApart()
	return nil
}
