// Package chart draws figures: bars, lines with error bars and heat maps on
// Observable Plot and d3, and the drawings of Graphviz with pan and zoom.
//
// The drawing itself is JavaScript (web/assets/chart.js and panzoom.js), loaded
// when the first chart is shown; this package hands it typed data, and gives
// every chart what it needs to be read without seeing it: a title, a table of
// the same figures, and downloads as CSV and SVG.
//
// A series has the same colour in the whole site: its number picks one of the
// eight colours of berth.css.
package chart
