package qos

import (
	"berth/app/lab"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

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
	return show.Joined(in.options.Policies, ", ", func(run qoskind.PolicyRun) string { return run.Title() })
}
