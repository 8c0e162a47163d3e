// Package plugin has what policies and strategies are registered with: a
// [Registry] of each sort, in whose order they are listed and coloured.
package plugin
