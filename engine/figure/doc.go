// Package figure declares the measured figures of reports. A [Figure] is declared once, with its
// name, title, unit and format, which values are better, its path in JSON, its column in CSV, and a
// function that computes it from a subject of a report. Reports, tables on the command line and the
// page, CSV files, charts, comparisons and experiments iterate over the declarations, so a new
// figure needs only one. An [Object] is JSON written from declarations.
//
// A [Number] may be undefined: null in JSON and a dash in tables. An [Estimate] is a mean with its
// 95 % confidence interval, and [Quantiles] describe a distribution.
package figure
