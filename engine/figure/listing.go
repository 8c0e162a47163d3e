package figure

import "berth/engine/input/csv"

// Listing is a table of a report that can be saved as CSV.
type Listing struct {
	Name  string                    // in file names: "series"
	Label string                    // in menus: "Shares over time as CSV"
	Rows  func(body any) [][]string // first row is the header
}

// ListingOf returns a listing for reports of type B.
func ListingOf[B any](name, label string, rows func(B) [][]string) Listing {
	return Listing{name, label, func(body any) [][]string { return rows(body.(B)) }}
}

// CSV returns the table of a report as CSV.
func (l *Listing) CSV(body any) []byte { return csv.Table(l.Rows(body)) }
