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
		lab.More(siftTitle(v.Inputs), false, v.siftFields()),
		lab.More("Times, limits and seeds", false, v.timeFields()),
		lab.More(failureTitle(v.Inputs), false, v.failureSection()),
	)
}

func (v *View) timeFields() app.UI {
	o, preset := v.Inputs.options, v.Inputs.preset()
	return app.Div().Body(
		ui.Field("qos-preset", "preset", ui.Select("qos-preset", preset.Name, v.choosePresetOfTimes,
			ui.Option(qos.Logs.Name, presetText(qos.Logs)), ui.Option(qos.Paper.Name, presetText(qos.Paper))).
			Title("What the text of the paper says, and what its published simulations really used")),
		app.Div().Class("form-grid").Body(
			v.optional("qos-margin", "safety margin φ (s)", o.Margin, milliseconds(preset.Margin), 0,
				func(in *inputs) **float64 { return &in.options.Margin }),
			v.optional("qos-watchdog", "watchdog (s)", o.Watchdog, milliseconds(preset.Watchdog), 0.001,
				func(in *inputs) **float64 { return &in.options.Watchdog }),
			v.optional("qos-alpha", "α, overhead (s)", o.Alpha, "mean of the set", 0,
				func(in *inputs) **float64 { return &in.options.Alpha }),
			v.Field("qos-horizon", "horizon (s)", lab.NumberInput("until all is done").Title("From the first arrival"),
				zeroAsEmpty(o.Horizon), setHorizon),
			v.NumberField("qos-seeds", "seeds", strconv.Itoa(max(1, o.Seeds)), setSeeds),
			v.NumberField("qos-seed", "first seed", strconv.FormatUint(o.Seed, 10), setSeed),
		),
		v.WrongTexts("qos-margin", "qos-watchdog", "qos-alpha", "qos-horizon", "qos-seeds", "qos-seed"),
		v.Checkbox("qos-limit", "preemption overhead is limited", !o.NoLimit,
			func(in *inputs, on bool) { in.options.NoLimit = !on }),
		v.Checkbox("qos-first-overhead", "the first allocation counts as pending", o.FirstOverheadPending,
			func(in *inputs, on bool) { in.options.FirstOverheadPending = on }),
	)
}

func presetText(p qos.Preset) string {
	return fmt.Sprintf("%s: φ and watchdog %s s", p.Name, milliseconds(p.Margin))
}

func milliseconds(t sim.Milliseconds) string { return lab.Figure(float64(t) / 1000) }

func zeroAsEmpty(x float64) string {
	if x == 0 {
		return ""
	}
	return lab.Figure(x)
}

// percentText writes a part of one for a field that is in per cent, "" for 0.
func percentText(part float64) string { return zeroAsEmpty(100 * part) }

// choosePresetOfTimes takes up a preset, which wins over what was given before.
func (v *View) choosePresetOfTimes(name string) {
	v.Forgive("qos-margin")
	v.Forgive("qos-watchdog")
	v.Edit("change the preset", func(in *inputs) {
		in.options.Preset, in.options.Margin, in.options.Watchdog = name, nil, nil
	})
}

// optional is a field for a figure that has a default, which stands in it while
// it is empty.
func (v *View) optional(id, label string, value *float64, unset string, low float64, field func(*inputs) **float64) app.UI {
	return v.Field(id, label, lab.NumberInput(unset), optionalText(value), func(in *inputs, text string) error {
		return setOptional(field(in), text, low, mostSeconds)
	})
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

// setOrZero takes a figure from a field that may be empty.
func setOrZero(to *float64, text string, most float64) (err error) {
	if *to = 0; strings.TrimSpace(text) != "" {
		*to, err = lab.ParseNumber(text, 0, most)
	}
	return err
}

// setPercent takes a part of one from a field in per cent that may be empty.
func setPercent(to *float64, text string) error {
	percent := 0.0
	err := setOrZero(&percent, text, 100)
	*to = percent / 100
	return err
}

// setHorizon takes times that are a millisecond or longer; 0 is none as well.
func setHorizon(in *inputs, text string) (err error) {
	if err = setOrZero(&in.options.Horizon, text, mostSeconds); err == nil && in.options.Horizon != 0 {
		_, err = lab.ParseNumber(text, 0.001, mostSeconds)
	}
	return err
}

func setSeeds(in *inputs, text string) error {
	n, err := lab.ParseWhole(text, 1, qoskind.MaxSeeds)
	if err == nil {
		in.options.Seeds = n
	}
	return err
}

func setSeed(in *inputs, text string) error { return lab.SetSeed(&in.options.Seed, text) }
