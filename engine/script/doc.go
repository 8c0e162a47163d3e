// Package script compiles and runs policies that are written in Starlark
// (go.starlark.net): the syntax of Python, without a clock, files, a network or modules,
// so that the same text gives the same decisions everywhere.
//
// A run is bounded in steps, for each call and in all. One step is about one operation of
// the interpreter, and one operation may copy much, so steps bound neither time nor memory:
// they are a measure, and end an honest mistake at its line. Whoever runs a text that may
// be anybody's bounds time and memory from outside (see [policy.Watch]).
package script
