package qos

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
)

// samplingTitle describes which requests are simulated.
func samplingTitle(in *inputs) string {
	var parts []string
	if in.options.Window != nil {
		parts = append(parts, "a window")
	}
	if s := in.options.Sample; s != nil {
		parts = append(parts, percentText(cmp.Or(s.Part, qoskind.DefaultPart))+" % of the users")
	}
	if a := in.options.Admission; a != nil {
		parts = append(parts, "up to "+percentText(a.Limit)+" % of the hosts")
	}
	if parts == nil {
		return "Sampling and admission (off)"
	}
	return "Sampling and admission (" + strings.Join(parts, ", ") + ")"
}

// samplingFields draws the fields that choose the simulated requests of the workload.
// The further fields of a sample or an admission limit appear once it is set.
func (f *fields) samplingFields() app.UI {
	o := f.view.Inputs.options
	wrong, part := []string{"qos-sample", "qos-admission"}, ""
	var window []app.UI
	for _, name := range []string{"first", "from", "to", "every"} {
		wrong = append(wrong, "qos-window-"+name)
		window = append(window, f.samplingField("qos-window-"+name, name, "", setWindow(name)))
	}
	if o.Sample != nil {
		part = percentText(qoskind.DefaultPart) // for a document that sets no part
	}
	sample := []app.UI{f.samplingField("qos-sample", "sample", part, setSample)}
	if s := o.Sample; s != nil {
		wrong = append(wrong, "qos-sample-groups", "qos-sample-seed")
		sample = append(sample, f.samplingField("qos-sample-groups", "sampleGroups", "", setOption("sampleGroups")),
			f.view.Form.NumberField("qos-sample-seed", "seed of the sample", true, func(in *inputs) string {
				if in.options.Sample == nil {
					return ""
				}
				return strconv.FormatUint(in.options.Sample.Seed, 10)
			}, setSampleSeed))
	}
	admission := []app.UI{f.samplingField("qos-admission", "admission", "", setAdmission)}
	if a := o.Admission; a != nil {
		wrong = append(wrong, "qos-admission-start")
		admission = append(admission, f.samplingField("qos-admission-start", "admissionAtStart", percentText(a.Started()), setAdmissionAtStart))
	}
	return app.Div().Body(
		app.Div().Class("form-grid").Body(window...),
		app.Div().Class("form-grid").Body(sample...),
		app.Div().Class("form-grid").Body(admission...),
		f.view.Form.WrongTexts(wrong...),
		app.If(f.sampled() != "", func() app.UI { return app.P().Class(f.view.Form.Dimmed("hint")).Text(f.sampled()) }),
	)
}

// sampled describes the sample and the admission in the latest report on the workload;
// "" if there are none.
func (f *fields) sampled() string {
	r := f.view.known(qoskind.WorkloadSlot)
	if r == nil {
		return ""
	}
	var parts []string
	if s := r.Workload.Sample; s != nil {
		parts = append(parts, fmt.Sprintf("%s of %s with %s of %s",
			ui.Count(int64(s.Users)), ui.Counted(s.UsersInAll, "user"), ui.Count(int64(s.Requests)), ui.Counted(s.RequestsInAll, "request")))
	}
	if a := r.Workload.Admission; a != nil {
		parts = append(parts, fmt.Sprintf("%s of %s admitted", ui.Count(int64(a.Admitted)), ui.Counted(a.Offered, "request")))
	}
	return strings.Join(parts, " · ")
}

func (f *fields) samplingField(id, name, unset string, set lab.Setter[*inputs]) app.UI {
	p := qoskind.ParameterNamed(name)
	return f.view.Form.ParameterFieldOf(id, ui.WithUnit(p.Title, p.Unit), p, unset, documentOf, set)
}

func setSample(in *inputs, text string) error {
	if text == "" {
		in.options.Sample = nil
		return nil
	}
	if in.options.Sample == nil {
		in.options.Sample = &qoskind.Sample{Seed: 1}
	}
	return setOption("sample")(in, text)
}

// The setters below replace the values behind pointers, because inputs in the undo history share
// these pointers.

func setWindow(name string) lab.Setter[*inputs] {
	return func(in *inputs, text string) error {
		err := setOption(name)(in, text)
		w := in.options.Window
		if err != nil || w == nil {
			return err
		}
		if w.All() {
			in.options.Window = nil
		}
		return w.Check()
	}
}

func setSampleSeed(in *inputs, text string) error {
	if in.options.Sample == nil {
		return errors.New("there is no sample any more")
	}
	s := *in.options.Sample
	err := lab.SetSeed(&s.Seed, text)
	in.options.Sample = &s
	return err
}

func setAdmission(in *inputs, text string) error {
	if text == "" {
		in.options.Admission = nil
		return nil
	}
	err := setOption("admission")(in, text)
	if a := in.options.Admission; err == nil && (a.AtStart > a.Limit || a.Started() <= 0) {
		a.AtStart = a.Limit
	}
	return err
}

func setAdmissionAtStart(in *inputs, text string) error {
	err := setOption("admissionAtStart")(in, text)
	if a := in.options.Admission; err == nil && (a.AtStart > a.Limit || a.Started() <= 0) {
		return fmt.Errorf("%q is out of range: expected more than 0, at most %s", text, percentText(a.Limit))
	}
	return err
}
