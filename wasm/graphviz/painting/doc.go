// Package painting draws Graphviz's SVG as a PNG or as a PDF: its shapes, plain and shaded,
// and text in the Go fonts, which have Latin, Greek and Cyrillic letters. It needs no font
// of the machine, so that a drawing looks the same everywhere.
package painting
