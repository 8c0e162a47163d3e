package ui

import (
	"math"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/must"
)

func jobs() *Table {
	row := func(name string, cost float64) Row { return Row{Cells: []Cell{Text(name), Figure(cost)}} }
	return &Table{
		ID: "t", TestID: "placement-table", Caption: "Placement",
		Columns: []Column{{Name: "job"}, {Name: "cost", Numeric: true}},
		Rows:    []Row{row("n10", 5), row("n9", math.NaN()), row("n2", 7), row("<b>", 6)},
	}
}

func (t *Table) names() string {
	var names []string
	for _, i := range t.order() {
		names = append(names, t.Rows[i].Cells[0].Text)
	}
	return strings.Join(names, " ")
}

func TestTableSorts(t *testing.T) {
	table := jobs()
	for _, c := range []struct {
		column int // whose head is clicked
		want   string
	}{
		{0, "n10 n9 n2 <b>"},
		{1, "<b> n2 n9 n10"},
		{1, "n10 n9 n2 <b>"},
		{1, "n10 n9 n2 <b>"}, // the third click restores the first order
		{2, "n10 <b> n2 n9"},
		{2, "n2 <b> n10 n9"}, // undefined figures stay last
	} {
		if c.column > 0 {
			table.sortBy(c.column)
		}
		if got := table.names(); got != c.want {
			t.Errorf("after column %d the order is %q, want %q", c.column, got, c.want)
		}
	}
}

func TestCompareNatural(t *testing.T) {
	for _, c := range []struct {
		x, y string
		want int
	}{
		{"n9", "n10", -1},
		{"n10", "n9", 1},
		{"n01", "n1", 0},
		{"a", "b", -1},
		{"a", "a1", -1},
		{"2", "n", -1},
		{"", "", 0},
		{"99999999999999999999", "100000000000000000000", -1},
	} {
		if got := compareNatural(c.x, c.y); got != c.want {
			t.Errorf("compareNatural(%q, %q) = %d, want %d", c.x, c.y, got, c.want)
		}
	}
}

func TestTableWritesTextAsText(t *testing.T) {
	table := jobs()
	table.Rows[0].Cells[1].After = "<svg></svg>"
	got := table.markup()
	if strings.Contains(got, "<b>") {
		t.Error("a name became HTML")
	}
	if !strings.Contains(got, "<svg></svg>") || !strings.Contains(got, `data-testid="placement-table"`) {
		t.Errorf("the table lacks its markup or its name:\n%s", got)
	}
}

func TestTableSaysWhatItLeavesOut(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "job"}}, Rows: make([]Row, 2500)}
	for i := range table.Rows {
		table.Rows[i] = Row{Cells: []Cell{Text("job")}}
	}
	got := table.markup()
	if n := strings.Count(got, "<tr data-row"); n != tableRows {
		t.Errorf("%d rows are drawn, want %d", n, tableRows)
	}
	if !strings.Contains(spaced(got), "The first 1 000 of 2 500 rows") {
		t.Error("the table does not say how many rows it leaves out")
	}
}

func TestTableFollowsNewRows(t *testing.T) {
	table := jobs()
	engine := app.NewTestEngine()
	must.Do(t, engine.Load(table))
	next := jobs()
	next.Rows = next.Rows[:1]
	must.Do(t, engine.Load(next))
	engine.ConsumeAll()
	if n := strings.Count(app.HTMLString(table), "<tr data-row"); n != 1 {
		t.Errorf("the table shows %d rows after an update, want 1", n)
	}
}

func BenchmarkTableMarkup(b *testing.B) {
	table := &Table{Columns: []Column{{Name: "job"}, {Name: "cost", Numeric: true}}, Rows: make([]Row, 1000)}
	for i := range table.Rows {
		table.Rows[i] = Row{Cells: []Cell{Text("job"), Figure(float64(i))}}
	}
	for b.Loop() {
		table.write()
	}
}
