package figure

import "berth/engine/csv"

// Table is a table of a report that can be saved as CSV.
type Table struct {
	Name  string                    // in names of files: "series"
	Label string                    // in menus: "Shares over time as CSV"
	Rows  func(body any) [][]string // with a header
}

// TableOf makes a table of a report of type B.
func TableOf[B any](name, label string, rows func(B) [][]string) Table {
	return Table{name, label, func(body any) [][]string { return rows(body.(B)) }}
}

// CSV writes the table of a report.
func (t *Table) CSV(body any) []byte { return csv.Table(t.Rows(body)) }
