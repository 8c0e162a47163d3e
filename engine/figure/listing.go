package figure

import "berth/engine/input/csv"

// Listing is a table of a report that can be saved as CSV.
type Listing struct {
	Name  string                    // in names of files: "series"
	Label string                    // in menus: "Shares over time as CSV"
	Rows  func(body any) [][]string // with a header
}

// ListingOf makes a table of a report of type B.
func ListingOf[B any](name, label string, rows func(B) [][]string) Listing {
	return Listing{name, label, func(body any) [][]string { return rows(body.(B)) }}
}

// CSV writes the table of a report.
func (l *Listing) CSV(body any) []byte { return csv.Table(l.Rows(body)) }
