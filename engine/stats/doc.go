// Package stats provides the statistics of reports and schedulers that gonum/stat lacks, or does
// not compute with the same bits on every platform:
//
//   - gonum's Mean and StdDev add with vector instructions on amd64 and in order elsewhere, so
//     the last bits differ. [Mean], [HalfWidth95] and [Welch] add in order.
//   - gonum's StudentsT uses math.Exp and math.Pow. Up to a million degrees of freedom its
//     quantile, rounded to nine decimals, is the same natively and in the browser; above, the
//     ninth decimal is wrong. [StudentT975] is correct there.
//   - The bits of math.Log, Exp2, Cos and others differ between processors that fuse a product
//     with a sum, or have their own assembly. [Log], [Exp2] and [Cos] are the same everywhere.
//   - gonum's Quantile inverts the empirical distribution function. [Quantile] interpolates
//     between order statistics, as the published tables do.
//   - gonum has no Gini coefficient, Welch's test, Jain's index, densities or logarithmic
//     histograms.
//
// The tests compare with gonum/stat.
package stats
