// Package plugin has what strategies, policies and schedulers are registered with:
// a [Registry] of each sort, in whose order they are listed and coloured.
package plugin
