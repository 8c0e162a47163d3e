package qoskind_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
)

// A quantile of the availabilities that is declared once has a column in CSV and, if it has a
// label, a figure in tables and experiments, for all requests and for each class.
func TestAQuantileIsDeclaredOnce(t *testing.T) {
	columns := "," + strings.TrimSpace(string(qoskind.FiguresTable.CSV(&qoskind.Report{}))) + ","
	named := map[string]figure.Figure{}
	for _, f := range qoskind.Figures {
		named[f.Name] = f
	}
	for _, p := range qos.Percentiles {
		if !strings.Contains(columns, ","+p.Name+",") {
			t.Errorf("CSV has no column %s: %s", p.Name, columns)
		}
		for _, class := range []string{"", "." + qos.GoogleClasses(0)[0].Name} {
			if f, ok := named["availability."+p.Name+class]; ok != (p.Label != "") {
				t.Errorf("availability.%s%s is %+v, want one: %t", p.Name, class, f, p.Label != "")
			}
		}
	}
}

// Fractions are declared as such, so that tables, differences and experiments all write them as
// percentages.
func TestAvailabilitiesAndDeficitsAreParts(t *testing.T) {
	for _, f := range qoskind.Figures {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.Name, "controllers."), ".")
		part := slices.Contains([]string{"availability", "met", "deficit", "shortfall", "least", "fulfilment"}, name)
		if part != (f.Form == figure.Part) {
			t.Errorf("%s has the form %v, want a part: %t", f.Name, f.Form, part)
		}
	}
}

// The command line prints the figures of a policy and of each class at their paths, and no
// others.
func TestTheCommandPrintsTheFigures(t *testing.T) {
	_, r := run(t, oneHost(qoskind.PolicyRun{Name: "qos"}))
	r.Policies[0].Run.Classes = r.Policies[0].Run.Classes[:1]
	var printed struct {
		Policies []struct{ Classes, All any }
	}
	data, err := json.Marshal(qoskind.CommandReport(r, [][]float64{{1500}}))
	if err == nil {
		err = json.Unmarshal(data, &printed)
	}
	const kept = `^\{"headline":".*","details":\[.*\],"policies":\[\{"name":"qos","requests":3,"preemptions":\d+,"passes":\d+,"decisions":\d+,"operations":\d+,"events":\d+,"seconds":1.5,"classes":`
	if err != nil || !regexp.MustCompile(kept).Match(data) {
		t.Errorf("it prints %s, %v", data, err)
	}
	c, _ := json.Marshal(printed.Policies[0].Classes)
	const class = `^\[\{"availability":\{"max":1,"mean":1,"min":1,"p25":1,"p5":1,"p50":1,"p75":1,"p95":1\},"deficit":\{"max":null,"mean":null\},"fulfilled":1,"gini":0,"name":"gold","penalty":0,"requests":1,"slo":[0-9.]+\}\]$`
	if !regexp.MustCompile(class).Match(c) {
		t.Errorf("of a class it prints %s", c)
	}
}
