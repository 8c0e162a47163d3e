package qos

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
	"berth/engine/sim"
)

// fields are the inputs other than the trace.
type fields struct {
	view *View

	openVariant int // index of the variant with open fields; noVariant for none
	openedAfter int // value of Replaced when openVariant was set

	controllerPages, failurePages lab.Pages // pages of the tables of controllers and failures
}

// optionFields draws the options of the simulation, in groups that the user can open.
func (f *fields) optionFields() app.UI {
	controllers := len(f.view.Inputs.options.Controllers)
	return app.Div().Class("options").Body(
		f.policyFields(),
		lab.More(withCount("Classes and SLOs", len(f.view.Inputs.classes())), false, f.classTable()),
		lab.More(withCount("Controllers", controllers), controllers > 0, f.controllerSection()),
		lab.More(samplingTitle(f.view.Inputs), false, f.samplingFields()),
		lab.More("Times, limits and seeds", false, f.timeFields()),
		lab.More(withCount("Failures of hosts", len(f.view.Inputs.options.HostEvents)), false, f.failureSection()),
	)
}

// withCount adds the number of entries to the title of a group, unless it is 0.
func withCount(title string, n int) string {
	if n == 0 {
		return title
	}
	return fmt.Sprintf("%s (%d)", title, n)
}

func (f *fields) timeFields() app.UI {
	usual := f.view.Inputs.options.Times() // values of empty fields
	return app.Div().Body(
		f.view.Form.ParameterFieldOf("qos-preset", "", qoskind.ParameterNamed("preset"), "", documentOf, f.setPreset),
		app.Div().Class("form-grid").Body(
			f.option("margin", milliseconds(usual.Margin)),
			f.option("watchdog", milliseconds(usual.Watchdog)),
			f.option("alpha", ""),
			f.option("horizon", ""),
			f.option("seeds", ""),
			f.view.Form.SeedField("qos-seed", "first seed", func(in *inputs) *uint64 { return &in.options.Seed }),
		),
		f.view.Form.WrongTexts("qos-margin", "qos-watchdog", "qos-alpha", "qos-horizon", "qos-seeds", "qos-seed"),
		f.view.Form.Checkbox("qos-limit", "preemption overhead is limited", !f.view.Inputs.options.NoLimit,
			func(in *inputs, on bool) { in.options.NoLimit = !on }),
		f.view.Form.ParameterField("qos-first-overhead", qoskind.ParameterNamed("firstOverheadPending"), "", documentOf),
	)
}

func milliseconds(t sim.Milliseconds) string { return show.Number(float64(t) / 1000) }

func zeroAsEmpty(x float64) string {
	if x == 0 {
		return ""
	}
	return show.Number(x)
}

// percentText formats a fraction for a field in per cent; "" for 0.
func percentText(part float64) string { return zeroAsEmpty(100 * part) }

// setPreset chooses a preset of times, which replaces the times that the user entered.
func (f *fields) setPreset(in *inputs, name string) error {
	f.view.Form.Forgive("qos-margin")
	f.view.Form.Forgive("qos-watchdog")
	in.options.Margin, in.options.Watchdog = nil, nil
	return setOption("preset")(in, name)
}

func (f *fields) option(name, unset string) app.UI {
	return f.view.Form.ParameterField("qos-"+name, qoskind.ParameterNamed(name), unset, documentOf)
}

func documentOf(in *inputs) any { return &in.options }

func setOption(name string) lab.Setter[*inputs] {
	return lab.SetParameter(qoskind.ParameterNamed(name), documentOf)
}
