package qos

import (
	"fmt"
	"strings"

	"berth/app/lab"
	"berth/app/shell"
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
		return s // what was stopped can be repeated by no one
	}
	s.Result = r.whole.Results
	return s
}

// sentence is the headline of the report, or why there is none.
func (v *View) sentence() string {
	if text := v.Pending("Simulating " + v.Inputs.policyNames()); text != "" {
		return text
	}
	return v.result.whole.Headline
}

// details are the sentences below the headline.
func (v *View) details() []string {
	if v.result == nil || v.Phase != lab.Done {
		return nil
	}
	return append([]string{v.Borrowed()}, v.result.whole.Details...)
}

func (in *inputs) policyNames() string {
	names := make([]string, len(in.options.Policies))
	for i, run := range in.options.Policies {
		names[i] = run.Title()
	}
	return strings.Join(names, ", ")
}

// mark is how the state of the shown result is drawn, as the states of the
// status line: one that is done may still have missed what it was to reach.
func (v *View) mark() string {
	if v.Phase == lab.Done && (v.result.Partial() || !v.result.report.Met()) {
		return shell.Partial
	}
	return string(v.Phase)
}
