package main

import (
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/policy"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// The small problems exercise the policies: requests lose their hosts if the policy preempts, and
// tasks wait if there are few workers.
func TestSmallProblemsAskWhatIsChecked(t *testing.T) {
	preemptions := map[string]int64{"qos-driven": 50, "priority": 10, "fcfs": 0} // at least
	for _, one := range policy.Templates {
		least, asked := preemptions[one.Name]
		if !asked {
			continue
		}
		waits := 0
		problems := must.Get(smallProblems(one.Kind, one.Text("mine")))(t)
		for _, s := range problems {
			report := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
			if r := qoskind.ReportOf(report); r != nil && r.Policies[0].Run.Preemptions < least {
				t.Errorf("%s, %s: %d preemptions", one.Name, s.Name, r.Policies[0].Run.Preemptions)
			}
			if r := federatekind.ReportOf(report); r != nil && r.Schedulers[0].Components.Queueing > 1 {
				waits++
			}
		}
		if one.Name == "fcfs" && waits < len(problems)/2 {
			t.Errorf("tasks wait in %d problems, want all with few workers", waits)
		}
	}
}
