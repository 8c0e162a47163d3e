// Package stats has the statistics that reports and schedulers share and
// gonum/stat does not give, or not with the same bits on every platform:
//
//   - gonum's Mean and StdDev add with vector instructions on amd64 and in order
//     elsewhere, so the last bits differ: [Mean], [HalfWidth95] and [Welch] add in
//     order.
//   - gonum's StudentsT rests on math.Exp and math.Pow. Rounded to nine decimals its
//     quantile is the same natively and in the browser up to a million degrees of
//     freedom, and wrong in the ninth decimal above: [StudentT975] is not.
//   - [Log], [Exp2], [Cos] and others of package math have other bits where a processor
//     fuses a product with a sum, or has assembly of its own.
//   - gonum's Quantile is the inverse of a distribution function; [Quantile]
//     interpolates between order statistics, as the published tables do.
//   - the Gini coefficient, Welch's test, Jain's index, densities and logarithmic
//     histograms are not in gonum.
//
// gonum/stat is what the tests compare with.
package stats
