package qos

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
	"berth/engine/sim"
	"berth/engine/workload"
)

const mostSeconds = float64(workload.MaxTime / sim.Second)

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
	o, preset := v.Inputs.options, v.Inputs.preset()
	return app.Div().Body(
		ui.Field("qos-preset", "preset", ui.Select("qos-preset", preset.Name, v.choosePresetOfTimes,
			ui.Option(qos.Logs.Name, presetText(qos.Logs)), ui.Option(qos.Paper.Name, presetText(qos.Paper))).
			Title("paper: the values in the text; logs: the values of the published simulations")),
		app.Div().Class("form-grid").Body(
			v.option("margin", milliseconds(preset.Margin)),
			v.option("watchdog", milliseconds(preset.Watchdog)),
			v.option("alpha", ""),
			v.option("horizon", ""),
			v.option("seeds", ""),
			v.NumberField("qos-seed", "first seed", true, func(in *inputs) string { return strconv.FormatUint(in.options.Seed, 10) }, setSeed),
		),
		v.WrongTexts("qos-margin", "qos-watchdog", "qos-alpha", "qos-horizon", "qos-seeds", "qos-seed"),
		v.Checkbox("qos-limit", "preemption overhead is limited", !o.NoLimit,
			func(in *inputs, on bool) { in.options.NoLimit = !on }),
		v.Checkbox("qos-first-overhead", "the first allocation counts as pending time", o.FirstOverheadPending,
			func(in *inputs, on bool) { in.options.FirstOverheadPending = on }),
	)
}

func presetText(p qos.Preset) string {
	return fmt.Sprintf("%s: φ and watchdog %s s", p.Name, milliseconds(p.Margin))
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

// choosePresetOfTimes chooses a preset, which replaces the given times.
func (v *View) choosePresetOfTimes(name string) {
	v.Forgive("qos-margin")
	v.Forgive("qos-watchdog")
	v.Edit("change the preset", func(in *inputs) {
		in.options.Preset, in.options.Margin, in.options.Watchdog = name, nil, nil
	})
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

func setOptional(to **float64, text string, low, high float64) error {
	if strings.TrimSpace(text) == "" {
		*to = nil
		return nil
	}
	x, err := lab.ParseNumber(text, low, high)
	if err == nil {
		*to = &x
	}
	return err
}

func setSeed(in *inputs, text string) error { return lab.SetSeed(&in.options.Seed, text) }
