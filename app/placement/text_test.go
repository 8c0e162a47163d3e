package placement

import (
	"math"
	"slices"
	"strings"
	"testing"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
)

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 102: "102nd", 111: "111th"} {
		if got := ordinal(n); got != want {
			t.Errorf("ordinal(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestCostsAreOfWhatWasPlaced(t *testing.T) {
	const total = 7
	r := &placementkind.Report{Deployments: []placementkind.DeploymentSummary{{Jobs: 1, Units: 10}}}
	report := func(status placement.Status, placed int) *placementkind.StrategyReport {
		s := &placementkind.StrategyReport{Total: placementkind.NoCost, Deployments: []placementkind.DeploymentReport{{Status: status}}}
		if status == placement.Placed {
			s.Total = placementkind.Cost{Node: total, Link: total, Total: total}
		}
		if placed >= 0 {
			e := figure.Estimate{N: 1, Mean: total, HalfWidth: figure.Undefined}
			s.Summary = &placementkind.Summary{Runs: 20, Placed: placed, Estimates: map[string]figure.Estimate{"total": e, "perUnit": e}}
		}
		return s
	}
	costs := tallied(placementkind.OfCost)
	for _, c := range []struct {
		report             *placementkind.StrategyReport
		status, cost, unit string
	}{
		{report(placement.Placed, -1), "✓ placed", "7", "0.7"},
		{report(placement.Infeasible, -1), "✗ infeasible", "–", "–"},
		{report(placement.Placed, 20), "✓ 20 of 20", "7", "7"},
		{report(placement.Placed, 19), "✗ 19 of 20", "7", "7"},
	} {
		status, cost, unit := outcomes[0].of(c.report, r), costs[2].of(c.report, r), costs[3].of(c.report, r)
		if status != c.status || cost != c.cost || unit != c.unit {
			t.Errorf("%s, %s, %s per unit; want %s, %s, %s", status, cost, unit, c.status, c.cost, c.unit)
		}
	}
}

// A figure that is declared once appears in the tables of strategies and of deployments.
func TestAFigureIsDeclaredOnce(t *testing.T) {
	declared := placementkind.Tallied
	t.Cleanup(func() { placementkind.Tallied = declared })
	placementkind.Tallied = append(slices.Clip(declared), figure.Of(figure.Figure{Label: "twice"}, func(t *placementkind.Tally) figure.Number { return 2 * t.Total }))
	r := &placementkind.Report{Deployments: make([]placementkind.DeploymentSummary, 1)}
	s := &placementkind.StrategyReport{Total: placementkind.Cost{Total: 7}, Deployments: []placementkind.DeploymentReport{{Cost: placementkind.Cost{Total: 7}}}}
	if got := measured(tallied(placementkind.OfCost), "twice", s, r); got != "14" {
		t.Errorf("the table of strategies has %q, want 14", got)
	}
	if cells := deploymentRows(r, s, nil)[0].Cells; cells[len(cells)-2].Text != "14" {
		t.Errorf("the table of deployments has %v", cells)
	}
}

func TestCandidateRows(t *testing.T) {
	rows := candidateRows(&placement.Explanation{
		PA: []placement.Candidate{
			{Cluster: "a", CM: 1, NAM: 1, Ratio: 1, Tried: true},
			{Cluster: "b", CM: 2, NAM: 1, Ratio: 2, Chosen: true},
			{Cluster: "c", CM: 2, NAM: 0, Ratio: math.MaxFloat64},
		},
		Refusals: []placement.Refusal{{Cluster: "d", Text: "no room"}},
	})
	if len(rows) != 4 || rows[1].Class != "chosen" || rows[1].Cells[5].Text != "✓ chosen" {
		t.Fatalf("rows %v; want four, the second chosen", rows)
	}
	if got := rows[0].Cells[5].Text; got != takenBack {
		t.Errorf("the cluster tried first says %q, want %q", got, takenBack)
	}
	if bar := string(rows[1].Cells[4].After); !strings.Contains(bar, `width="10.0"`) {
		t.Errorf("an outlier hides the others: the bar of 2 is %s, want a tenth", bar)
	}
	if got := rows[3]; got.Class != "refused" || got.Cells[5].Text != "refused: no room" || got.Cells[2].Text != "–" {
		t.Errorf("the refused cluster is %v", got)
	}
}

// The row of the cluster in a step is marked, whether it takes the job or refuses it.
func TestPlayedRows(t *testing.T) {
	row := &placement.Explanation{PA: []placement.Candidate{{Cluster: "a"}, {Cluster: "b"}}, Refusals: []placement.Refusal{{Cluster: "c"}, {Cluster: "d"}}}
	for cluster, want := range map[string]int{"b": 1, "c": 2, "": -1} {
		rows := playedRows(&placement.Played{Cluster: cluster, Row: row})
		if got := slices.IndexFunc(rows, func(r ui.Row) bool { return strings.HasSuffix(r.Class, " now") }); got != want || len(rows) != 4 {
			t.Errorf("%q marks row %d of %d, want %d of 4", cluster, got, len(rows), want)
		}
	}
}

func TestBlankCells(t *testing.T) {
	cm := []float64{0, 3, math.Inf(1)}
	blank(whyCM, cm)
	if cm[0] != 0 || cm[1] != 3 || !math.IsNaN(cm[2]) {
		t.Errorf("CM became %v, want 0, 3 and none", cm)
	}
	nam := []float64{0, 0.5}
	blank(whyNAM, nam)
	if !math.IsNaN(nam[0]) || nam[1] != 0.5 {
		t.Errorf("NAM became %v, want none and 0.5", nam)
	}
}

func TestSizesOfAFileWithSeveralGraphs(t *testing.T) {
	all := []placementkind.DeploymentSummary{{Name: "a.dot#1", Jobs: 1}, {Name: "a.dot#2", Jobs: 2}, {Name: "a.dot-2", Jobs: 3}}
	if got := sizesOf(lab.TextSource("dir/a.dot", "x"), all); len(got) != 2 || got[1].Nodes != 2 {
		t.Errorf("sizes %v, want those of a.dot#1 and a.dot#2", got)
	}
}

func TestNeighboursAreCounted(t *testing.T) {
	explanation := func(placed, of int) *placement.Explanation {
		e := &placement.Explanation{Requests: []placement.Request{{Resource: "cpu", Request: 350}, {Resource: "memory", Request: 2048}}}
		for i := range of {
			e.Neighbours = append(e.Neighbours, placement.Neighbour{Cluster: map[bool]string{true: "eu"}[i < placed]})
		}
		return e
	}
	for _, test := range []struct {
		placed, of int
		want       string
	}{
		{0, 0, "It has no neighbours in the deployment."},
		{1, 1, "Its one neighbour in the deployment was placed before it."},
		{0, 1, "Its one neighbour in the deployment was not placed before it."},
		{0, 4, "None of its 4 neighbours in the deployment was placed before it."},
		{1, 4, "Of its 4 neighbours in the deployment, 1 was placed before it."},
		{4, 4, "Of its 4 neighbours in the deployment, 4 were placed before it."},
	} {
		if got, want := neighbourhood(explanation(test.placed, test.of)), "It requests cpu 350, memory 2\u202f048. "+test.want; got != want {
			t.Errorf("%d of %d: %q, want %q", test.placed, test.of, got, want)
		}
	}
}

// measured returns the text in a row of the comparison for a strategy.
func measured(rows []measure, name string, s *placementkind.StrategyReport, r *placementkind.Report) string {
	return rows[slices.IndexFunc(rows, func(m measure) bool { return m.name == name })].of(s, r)
}
