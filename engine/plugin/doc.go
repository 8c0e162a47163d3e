// Package plugin has what policies, strategies and schedulers are registered
// with: a [Registry] of each sort, in whose order they are listed and coloured,
// and the rows that say what one of them takes.
package plugin
