// Package chart draws figures on Observable Plot and d3 (lines, areas, bars, box
// plots, heat maps and strips), on canvases what can be played over time
// (timelines and data centres), and the drawings of Graphviz with pan and zoom.
//
// The drawing itself is JavaScript (web/assets/chart*.js and panzoom.js), loaded
// when the first chart is shown; this package hands it typed data, and gives
// every chart what it needs to be read without seeing it: a title, a table of
// the same figures, and downloads as CSV and SVG. A chart is drawn again when
// its figures change, which it finds out by comparing them: slices that were
// handed over must not be changed in place.
//
// A series has the same look in the whole site: [StyleAt] gives each policy,
// strategy and scheduler one of the colours of berth.css by its place in its
// registry, [StyleOf] each service class, and with it go a dash, a symbol and a
// pattern.
package chart
