// Package painting draws Graphviz's SVG as a PNG or as a PDF: its shapes, in plain
// colours and gradients, and text in the Go fonts, which have Latin, Greek and
// Cyrillic letters. It uses no font of the machine, so that a drawing looks the same
// everywhere.
package painting
