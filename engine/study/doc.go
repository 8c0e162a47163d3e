// Package study runs one scenario many times, and says what may be concluded.
//
// The kind "experiment" has a base, which is a scenario of any other kind, factors with
// the levels that they take, and a number of seeds. A cell is one combination of
// levels; a run is a cell with one seed, and is a plain scenario with its own hash. So
// runs may be carried out in any order, anywhere, and each [Result] be kept under the
// [Plan.Key] of its run:
//
//	plan, err := study.NewPlan(document) // what there is to run
//	sheet := plan.NewSheet()
//	err = sheet.Carry(ctx, store, executor, nil) // what the store lacks, wherever the executor runs it
//	report := sheet.Report()                     // the same bytes, whatever the order
//
// A metric is a figure of the kind, by its name. Of each a cell has the mean over its
// seeds with the 95 % confidence interval of Student's t distribution. Between levels of
// one factor, or between the subjects of the reports, there are the paired differences
// over the same seeds with the p-value of a paired t-test. These come from package stats
// rather than gonum/stat, whose last bits differ between amd64 and the browser.
//
// A criterion is a test of such figures that was stated before any run. Verdicts are
// computed from it and never written: see [Verdict].
package study
