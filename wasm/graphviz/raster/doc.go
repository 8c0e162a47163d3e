// Package raster draws Graphviz's SVG as a PNG: its shapes, plain and shaded, and text
// in the Go fonts, which have Latin, Greek and Cyrillic letters. It needs no font of
// the machine, so that a PNG looks the same everywhere.
package raster
