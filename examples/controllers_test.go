package examples_test

import (
	"math"
	"testing"

	"berth/engine/golden"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/examples"
)

// The thesis measured 94.3 % by priority and 93.3 % by QoS over all controllers, and all
// controllers of service 1 got everything (7.2.6 and figure 7.10). A golden file has the figures of
// each controller.
func TestDeploymentsAsInTheThesis(t *testing.T) {
	var report *qoskind.Report
	for _, e := range examples.List() {
		if e.Name == "deployments" {
			report = qoskind.ReportOf(run(t, e))
		}
	}
	if report == nil {
		t.Fatal("there is no such example")
	}
	for i, want := range []struct{ published, within float64 }{{0.933, 0.01}, {0.943, 0.001}} {
		p := &report.Policies[i]
		all := p.Run.Controllers
		got, _ := qoskind.OfControllers(all)
		first, met := qoskind.OfControllers(all[:20])
		if len(all) != 53 || math.Abs(float64(got)-want.published) > want.within || first < 0.9999 || met < 0.8 {
			t.Errorf("%s: %d controllers with %v, those of service 1 with %v; published %v", p.Title, len(all), got, first, want.published)
		}
	}
	wantCloser(t, report)
	golden.Check(t, "testdata/deployments.csv.txt", string(qoskind.ControllersTable.CSV(report)))
}

// wantCloser checks that the largest deficit under the first policy, which is QoS-driven, is
// smaller than under the second.
func wantCloser(t *testing.T, r *qoskind.Report) {
	t.Helper()
	deficit := func(all []qos.ControllerReport) (most float64) {
		for _, c := range all {
			most = max(most, c.SLO-c.Availability)
		}
		return most
	}
	if a, b := deficit(r.Policies[0].Run.Controllers), deficit(r.Policies[1].Run.Controllers); a > 0.1 || b < 0.4 {
		t.Errorf("by QoS a controller misses its SLO by up to %v, by priority by %v", a, b)
	}
}
