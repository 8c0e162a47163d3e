package drawing_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/placement/drawing"
	"berth/engine/rule"
)

// Jobs that a rule names have a second outline, the rule among their figures and an entry in the
// legend. A rule for all jobs marks none.
func TestJobsThatRulesNameAreMarked(t *testing.T) {
	d, f := read(t, deployment, federation)
	rules := must.Get(rule.Parse("api: only cluster=eu; at most 2 clusters"))(t)
	got := must.Get(drawing.Draw(f, []drawing.Placed{{Name: "d", Deployment: d, Cluster: []int32{0, 1, 1}, Rules: rules}}, drawing.Options{View: drawing.ResultView}))(t)
	if marked := regexp.MustCompile(`id="job-[^/]*/title><rect[^/]*/><rect`).FindAllString(got.SVG, -1); len(marked) != 1 || !strings.HasPrefix(marked[0], `id="job-0-0"`) {
		t.Errorf("%q are marked, want one:\n%s", marked, got.SVG)
	}
	for _, e := range got.Elements {
		has := slices.Contains(e.Figures, drawing.Property{Name: "rule", Value: "api: only cluster=eu"})
		if want := e.ID == drawing.JobID(0, 0); has != want {
			t.Errorf("%s has the rule: %v, want %v", e.ID, has, want)
		}
	}
	if !slices.ContainsFunc(got.Legend, func(k drawing.Key) bool { return k.Sign == "ruled" }) {
		t.Errorf("the legend is %v", got.Legend)
	}
}
