// Package plugin describes strategies, policies, schedulers and scorers by one type, [Plugin], and
// keeps them in a [Registry]. The order of the registry determines the order and colours of lists.
// [Own] has the counts and notes that a plug-in adds to the result of a run.
package plugin
