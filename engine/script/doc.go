// Package script compiles and runs policies that are written in Starlark
// (go.starlark.net): the syntax of Python, without a clock, files, a network or modules,
// so that the same text gives the same decisions everywhere.
//
// A run is bounded in steps, for each call and in all. One step is about one operation of
// the interpreter, and one operation may copy much, so steps bound neither time nor memory:
// they are a measure, and end an honest mistake at its line. The caller bounds the time and
// memory of a text that it does not trust (see [policy.Watch]).
package script
