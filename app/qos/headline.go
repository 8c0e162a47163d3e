package qos

import (
	"fmt"
	"strings"

	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
)

// status is what the status line says.
func (v *View) status() shell.Status {
	s := shell.Status{State: v.mark(), Message: v.sentence(), Title: v.Inputs.name}
	r := v.result
	if r == nil {
		return s
	}
	s.Scenario = r.Document.Hash
	s.Seed = fmt.Sprint(r.Inputs.options.Seed)
	s.Engine = r.whole.Engine
	if r.whole.Partial {
		return s // what was stopped can be repeated by nobody
	}
	s.Result = r.whole.Results
	return s
}

// sentence is how the policies did, or what stands between them and the inputs.
func (v *View) sentence() string {
	if text := v.Pending("Simulating " + v.Inputs.policyNames()); text != "" {
		return text
	}
	return v.result.outcome()
}

func (in inputs) policyNames() string {
	names := make([]string, len(in.options.Policies))
	for i, run := range in.options.Policies {
		names[i] = run.Title()
	}
	return strings.Join(names, ", ")
}

// outcome says in one line how each policy did: for how many requests the SLO
// was kept, and by how much it was missed at most.
func (r *result) outcome() string {
	var parts []string
	for _, p := range r.policies() {
		all := &p.Run.All
		if all.Requests == 0 {
			parts = append(parts, p.Title+" no requests")
			continue
		}
		text := p.Title + " " + ui.Percent(share(all.Fulfilled, all.Requests))
		if d := float64(all.Deficit.Max); d > 0 {
			text += ", missed by up to " + ui.Percent(d)
		}
		parts = append(parts, text)
	}
	text := "SLO kept: " + strings.Join(parts, " · ")
	if r.partial() {
		return "Only a part. " + text
	}
	return text
}

func share(n, of int) float64 { return float64(n) / float64(of) }

// mark is how the state of the shown result is drawn, as the states of the
// status line.
func (v *View) mark() string {
	if v.Phase == lab.Done && v.result.partial() {
		return shell.Partial
	}
	return string(v.Phase)
}
