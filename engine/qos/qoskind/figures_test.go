package qoskind_test

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
)

// A quantile of the availabilities is declared once: CSV has a column of each, and tables
// and experiments a figure of each that has a label, of all requests and of each class.
func TestAQuantileIsDeclaredOnce(t *testing.T) {
	table, err := qoskind.FiguresTable(&qoskind.Report{})
	if err != nil {
		t.Fatal(err)
	}
	columns := "," + strings.TrimSpace(string(table)) + ","
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

// Parts of a whole are declared as such, so that tables, differences and experiments all
// write them as percentages.
func TestAvailabilitiesAndDeficitsAreParts(t *testing.T) {
	for _, f := range qoskind.Figures {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.Name, "controllers."), ".")
		part := slices.Contains([]string{"availability", "met", "deficit", "shortfall", "least", "fulfilment"}, name)
		if part != (f.Form == figure.Part) {
			t.Errorf("%s has the form %v, want a part: %t", f.Name, f.Form, part)
		}
	}
}
