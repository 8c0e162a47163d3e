// Package plugin describes strategies, policies, schedulers and scorers by one type,
// [Plugin], and keeps them in a [Registry], whose order lists and colours follow. [Own] has
// the counts and notes that one of them adds to the result of a run.
package plugin
