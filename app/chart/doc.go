// Package chart draws figures with Observable Plot and d3 (lines, areas, bars, box plots, heat maps
// and strips), animated drawings on canvases (timelines and data centres), and Graphviz drawings
// with pan and zoom.
//
// JavaScript draws them (web/assets/chart*.js and panzoom.js); it is loaded with the first chart.
// This package passes typed data to the scripts, and makes every chart accessible without seeing
// it: with a title, a table of the same figures, and downloads as CSV and SVG. A chart is redrawn
// when its figures change, which it detects by comparing them, so callers must not change slices in
// place.
//
// A series looks the same on the whole site. [StyleAt] gives each policy, strategy and scheduler a
// colour of berth.css by its place in its registry, and [StyleOf] gives each service class a
// colour. Each colour has its own dash, symbol and pattern.
package chart
