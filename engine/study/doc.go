// Package study runs one scenario many times, and judges claims by the results.
//
// The kind "experiment" has a base, which is a scenario of any other kind, factors with
// their levels, and a number of seeds. A cell is one combination of levels. A run is a
// cell with one seed: a plain scenario with its own hash. So runs may be carried out in
// any order on any machine, and each [Result] may be stored under the [Plan.Key] of its
// run:
//
//	plan, err := study.NewPlan(document)        // lists the runs
//	sheet := plan.NewSheet()
//	err = sheet.Carry(ctx, store, workers, nil) // carries out the runs that the store lacks
//	report := sheet.Report()                    // the same bytes for any order of the runs
//
// A metric is a figure of the kind, by its name. A cell has the mean of each metric over
// the seeds, with the 95 % confidence interval of Student's t distribution. Comparisons
// between the levels of one factor, or between the subjects of the reports, are paired
// differences over the same seeds, with the p-value of a paired t-test. They use package
// stats, not gonum/stat, whose last bits differ between amd64 and the browser.
//
// A criterion is a test of such figures, stated before any run. Berth always computes its
// verdict from the results; see [Verdict].
package study
