package lab

import (
	"testing"

	"berth/engine/figure"
	"berth/engine/plugin"
)

// thing is a subject of tables.
type thing struct {
	x   float64
	own plugin.Own
}

// The table has, for each subject, each figure, the counters of plug-ins and the time, and how the
// first subject differs from the pinned one.
func TestTheTableHasEachFigure(t *testing.T) {
	counted := plugin.Own{Counters: []plugin.Counter{{Name: "tries", Value: 3}}}
	subjects := []Subject{{Name: "a", Is: &thing{x: 3, own: counted}, Was: &thing{x: 2}}, {Name: "b", Is: &thing{x: 5}}}
	figures := []figure.Figure{figure.Of(figure.Figure{Name: "x", Label: "x", Title: "An x"}, func(t *thing) figure.Number { return figure.Number(t.x) })}
	figures = append(figures, Counted(subjects, "", func(t *thing) *plugin.Own { return &t.own })...)
	table := FigureTable("things", "Things", "thing", figures, subjects)
	var heads []string
	for _, c := range table.Columns {
		heads = append(heads, c.Name)
	}
	want := [][]string{{"thing", "Δ a", "a", "b"}, {"x", "+50\u202f%", "3", "5"}, {"tries", "", "3", "–"}, {"time", "", "–", "–"}}
	rows := [][]string{heads}
	for _, r := range table.Rows {
		var cells []string
		for _, c := range r.Cells {
			cells = append(cells, c.Text)
		}
		rows = append(rows, cells)
	}
	for i := range want {
		for k := range want[i] {
			if rows[i][k] != want[i][k] {
				t.Errorf("row %d is %q, want %q", i, rows[i], want[i])
				break
			}
		}
	}
}
