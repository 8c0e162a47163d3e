// Package script compiles and runs policies written in Starlark (go.starlark.net),
// which has the syntax of Python but no clock, files, network or modules, so that a
// text makes the same decisions everywhere.
//
// The number of steps is limited for each call and for a run. A step is roughly one
// operation of the interpreter. An operation may copy much data, so steps limit
// neither time nor memory: they are a measure, and they end honest mistakes at the
// line that causes them. The caller must limit the time and memory of a text that it
// does not trust (see [policy.Watch]).
package script
