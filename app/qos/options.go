package qos

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
	"berth/engine/sim"
)

// optionFields are what steers the simulation, in parts that open.
func (v *View) optionFields() app.UI {
	return app.Div().Class("options").Body(
		v.policyFields(),
		lab.More(fmt.Sprintf("Classes and SLOs (%d)", len(v.Inputs.classes())), false, v.classTable()),
		lab.More(controllersTitle(v.Inputs), len(v.Inputs.options.Controllers) > 0, v.controllerSection()),
		lab.More(samplingTitle(v.Inputs), false, v.samplingFields()),
		lab.More("Times, limits and seeds", false, v.timeFields()),
		lab.More(failureTitle(v.Inputs), false, v.failureSection()),
	)
}

func (v *View) timeFields() app.UI {
	usual := v.Inputs.options.Times() // of fields that are empty
	return app.Div().Body(
		v.ParameterFieldOf("qos-preset", "", qoskind.ParameterNamed("preset"), "", documentOf, v.setPreset),
		app.Div().Class("form-grid").Body(
			v.option("margin", milliseconds(usual.Margin)),
			v.option("watchdog", milliseconds(usual.Watchdog)),
			v.option("alpha", ""),
			v.option("horizon", ""),
			v.option("seeds", ""),
			v.NumberField("qos-seed", "first seed", true, func(in *inputs) string { return strconv.FormatUint(in.options.Seed, 10) }, setSeed),
		),
		v.WrongTexts("qos-margin", "qos-watchdog", "qos-alpha", "qos-horizon", "qos-seeds", "qos-seed"),
		v.Checkbox("qos-limit", "preemption overhead is limited", !v.Inputs.options.NoLimit,
			func(in *inputs, on bool) { in.options.NoLimit = !on }),
		v.ParameterField("qos-first-overhead", qoskind.ParameterNamed("firstOverheadPending"), "", documentOf),
	)
}

func milliseconds(t sim.Milliseconds) string { return show.Number(float64(t) / 1000) }

func zeroAsEmpty(x float64) string {
	if x == 0 {
		return ""
	}
	return show.Number(x)
}

// percentText writes a part of one for a field that is in per cent, "" for 0.
func percentText(part float64) string { return zeroAsEmpty(100 * part) }

// setPreset chooses a preset, which replaces the given times.
func (v *View) setPreset(in *inputs, name string) error {
	v.Forgive("qos-margin")
	v.Forgive("qos-watchdog")
	in.options.Margin, in.options.Watchdog = nil, nil
	return setOption("preset")(in, name)
}

// option is the field of a parameter of the document.
func (v *View) option(name, unset string) app.UI {
	return v.ParameterField("qos-"+name, qoskind.ParameterNamed(name), unset, documentOf)
}

func documentOf(in *inputs) any { return &in.options }

// setOption takes such a parameter.
func setOption(name string) lab.Setter[*inputs] {
	return lab.SetParameter(qoskind.ParameterNamed(name), documentOf)
}

func setSeed(in *inputs, text string) error { return lab.SetSeed(&in.options.Seed, text) }
