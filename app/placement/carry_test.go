//go:build !js

package placement

import (
	"slices"
	"strings"
	"testing"

	"berth/app/chart"
	"berth/engine/placement/drawing"
	"berth/engine/show"
)

// stands returns the cluster of a job in the result.
func (b *bench) stands(job string) string {
	for _, row := range b.picture.rows {
		if row.Cells[0].Text == job {
			return row.Cells[1].Text
		}
	}
	return ""
}

// While a job is dragged, the page shows its cost on each cluster. It stays where it is dropped, by
// a rule that can be removed.
func TestAJobIsCarried(t *testing.T) {
	b := open(t)
	var name, before, id, target string
	refused := 0
	for job, a := range b.result.report(b.shown).Deployments[0].Placement {
		if target != "" && refused > 0 {
			break
		}
		name, before, id, target = a.Job, a.Cluster, drawing.JobID(0, job), ""
		for j, c := range b.picture.Overview.Clusters {
			b.carry(b.Page, chart.Carry{ID: id, Over: drawing.ClusterID(j)})
			b.carriedText()
			b.settle()
			b.carriedText()
			b.settle()
			texts, no := b.carriedText()
			text, ifOthersMove := texts[0], texts[1]
			switch {
			case c.ID == before && text != "Stays on "+c.Name, no && !strings.HasPrefix(text, "Refused on "+c.Name+": "),
				!no && c.ID != before && !strings.HasPrefix(text, "On "+c.Name+": "),
				c.ID != before && !strings.HasSuffix(text, " with the others where they are"),
				!strings.HasPrefix(ifOthersMove, "If others may move: "):
				t.Errorf("%s over %s says %q", name, c.ID, texts)
			case no:
				refused++
			case c.ID != before:
				target = drawing.ClusterID(j)
			}
		}
		b.carry(b.Page, chart.Carry{ID: id, Dropped: true})
	}
	if target == "" {
		t.Fatal("no job can move")
	}
	b.carry(b.Page, chart.Carry{ID: id, Dropped: true}) // dropped outside of any cluster
	b.settle()
	if len(b.Inputs.options.Rules) > 0 {
		t.Fatalf("rules %q", b.Inputs.options.Rules)
	}
	b.carry(b.Page, chart.Carry{ID: id, Over: target})
	promised, shown := func() string { texts, _ := b.carriedText(); return texts[1] }(), b.result.report(b.shown)
	b.carry(b.Page, chart.Carry{ID: id, Over: target, Dropped: true})
	b.wantDone()
	then := b.result.report(0)
	others := len(movedBetween(placementsOf(shown), placementsOf(then))) - 1
	want := "If others may move: " + signed(float64(then.Total.Total-shown.Total.Total)) + ", "
	if others > 0 {
		want += show.Count(others, "other") + " "
	}
	if !strings.HasPrefix(promised, want) {
		t.Errorf("before it was dropped it said %q, and then %q", promised, want)
	}
	to := b.picture.Overview.Clusters[b.picture.clusterOf(target)].ID
	if got := b.Inputs.options.Rules; !slices.Equal(got, []string{name + ": only cluster=" + to}) || b.stands(name) != to {
		t.Errorf("rules %q, %s is on %s, want %s", got, name, b.stands(name), to)
	}
	b.pinJob(name, before)
	b.settle()
	if got := b.Inputs.options.Rules; len(got) != 1 || b.stands(name) != before {
		t.Errorf("put elsewhere: rules %q, %s is on %s", got, name, b.stands(name))
	}
	b.GoBack()
	b.settle()
	b.pinJob(name, "")
	b.settle()
	if got := b.Inputs.options.Rules; len(got) != 0 {
		t.Errorf("released: rules %q", got)
	}
}
