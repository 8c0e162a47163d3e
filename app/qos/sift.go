package qos

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
)

// siftTitle says which requests are simulated.
func siftTitle(in inputs) string {
	var parts []string
	if s := in.options.Sample; s != nil {
		parts = append(parts, percentText(samplePart(s))+" % of the users")
	}
	if a := in.options.Admission; a != nil {
		parts = append(parts, "up to "+percentText(a.Limit)+" % of the hosts")
	}
	if parts == nil {
		return "Sampling and admission (off)"
	}
	return "Sampling and admission (" + strings.Join(parts, ", ") + ")"
}

// siftFields say which requests of the workload are simulated. The fields of a
// part are there while it is on.
func (v *View) siftFields() app.UI {
	o := v.Inputs.options
	wrong := []string{"qos-sample", "qos-admission"}
	sample := []app.UI{v.siftField("qos-sample", "sample of the users (%)", sampleText(o.Sample), "all of them",
		"Users are grouped by k-means, and of each group this part is drawn; the paper has 10 %. For traces that name users.", setSample)}
	if s := o.Sample; s != nil {
		wrong = append(wrong, "qos-sample-groups", "qos-sample-seed")
		sample = append(sample,
			v.siftField("qos-sample-groups", "groups of users", zeroAsEmpty(float64(s.Groups)), strconv.Itoa(qoskind.DefaultGroups),
				"Users of a group submit alike: how many requests, and how much they differ", setSampleGroups),
			v.siftField("qos-sample-seed", "seed of the sample", strconv.FormatUint(s.Seed, 10), "", "", setSampleSeed))
	}
	admission := []app.UI{v.siftField("qos-admission", "admit up to (% of the hosts)", admissionText(o.Admission), "everything",
		"A request is let in if the active ones then ask for no more than this part of all hosts; the thesis has 90, 95 and 100 %.", setAdmission)}
	if a := o.Admission; a != nil {
		wrong = append(wrong, "qos-admission-start")
		admission = append(admission, v.siftField("qos-admission-start", "the same at time 0 (%)", percentText(a.AtStart), percentText(a.Started()),
			"Of the requests that are there when the trace begins", setAdmissionAtStart))
	}
	return app.Div().Body(
		app.Div().Class("form-grid").Body(sample...),
		app.Div().Class("form-grid").Body(admission...),
		v.WrongTexts(wrong...),
		app.If(v.sifted() != "", func() app.UI { return app.P().Class(v.Dimmed("hint")).Text(v.sifted()) }),
	)
}

// sifted says what became of the workload in the last run.
func (v *View) sifted() string {
	r := v.known(qoskind.WorkloadSlot)
	if r == nil {
		return ""
	}
	var parts []string
	if s := r.Workload.Sample; s != nil {
		parts = append(parts, fmt.Sprintf("%s of %s with %s of %s",
			ui.Count(int64(s.Users)), ui.Counted(s.UsersInAll, "user"), ui.Count(int64(s.Requests)), ui.Counted(s.RequestsInAll, "request")))
	}
	if a := r.Workload.Admission; a != nil {
		parts = append(parts, fmt.Sprintf("%s of %s let in", ui.Count(int64(a.Admitted)), ui.Counted(a.Offered, "request")))
	}
	return strings.Join(parts, " · ")
}

func (v *View) siftField(id, label, text, unset, title string, set func(in *inputs, text string) error) app.UI {
	return v.Field(id, label, app.Input().Type("text").DataSet("testid", id).Placeholder(unset).Title(title), text, set)
}

func samplePart(s *qoskind.Sample) float64 {
	if s.Part == 0 {
		return qoskind.DefaultPart
	}
	return s.Part
}

func sampleText(s *qoskind.Sample) string {
	if s == nil {
		return ""
	}
	return percentText(samplePart(s))
}

func admissionText(a *qoskind.Admission) string {
	if a == nil {
		return ""
	}
	return percentText(a.Limit)
}

// The setters replace what they change, since inputs that went to the undo
// history point to it.

func setSample(in *inputs, text string) error {
	s := qoskind.Sample{Seed: 1}
	if in.options.Sample != nil {
		s = *in.options.Sample
	}
	if err := setPercent(&s.Part, text); err != nil {
		return err
	}
	if in.options.Sample = &s; s.Part == 0 {
		in.options.Sample = nil
	}
	return nil
}

func setSampleGroups(in *inputs, text string) error {
	s := *in.options.Sample
	if s.Groups = 0; strings.TrimSpace(text) != "" {
		var err error
		if s.Groups, err = lab.ParseWhole(text, 1, qoskind.MaxGroups); err != nil {
			return err
		}
	}
	in.options.Sample = &s
	return nil
}

func setSampleSeed(in *inputs, text string) error {
	s := *in.options.Sample
	err := lab.SetSeed(&s.Seed, text)
	in.options.Sample = &s
	return err
}

func setAdmission(in *inputs, text string) error {
	var a qoskind.Admission
	if in.options.Admission != nil {
		a = *in.options.Admission
	}
	if err := setPercent(&a.Limit, text); err != nil {
		return err
	}
	if a.Limit == 0 {
		in.options.Admission = nil
		return nil
	}
	if a.AtStart > a.Limit || a.Started() <= 0 {
		a.AtStart = a.Limit
	}
	in.options.Admission = &a
	return nil
}

func setAdmissionAtStart(in *inputs, text string) error {
	a := *in.options.Admission
	if err := setPercent(&a.AtStart, text); err != nil {
		return err
	}
	if a.AtStart > a.Limit || a.Started() <= 0 {
		return fmt.Errorf("%q is not above 0 and up to %s", text, percentText(a.Limit))
	}
	in.options.Admission = &a
	return nil
}
