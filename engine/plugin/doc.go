// Package plugin has what strategies, policies and schedulers are registered with:
// a [Registry] of each sort, in whose order they are listed and coloured, and [Own], what
// one tells of a run in words of its own.
package plugin
