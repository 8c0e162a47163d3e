// Package figure is what is measured: a [Figure] is declared once, with its name, title,
// unit and form, which values are better, its path in JSON and column in CSV, and how it
// comes from a subject of a report. Reports, tables of the command line and of the page, CSV
// files, charts, comparisons and experiments go over the declarations; a new figure is one
// declaration. An [Object] is JSON that is written from them.
//
// A [Number] may be undefined, which JSON writes as null and tables as a dash. An
// [Estimate] is a mean with its 95 % confidence interval, and [Quantiles] describe a
// distribution.
package figure
