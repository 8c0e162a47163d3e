// Package script compiles and runs policies written in Starlark (go.starlark.net),
// which has the syntax of Python but no clock, files, network or modules, so that a
// text makes the same decisions everywhere.
//
// The number of steps is limited for each call and for a run. A step is roughly one operation of
// the interpreter. One operation may copy much data, so steps limit neither time nor memory. They
// stop accidental endless loops at the line that causes them, at the same step on every machine.
// The caller must limit the time and memory of a text that it does not trust (see [policy.Watch]).
package script
