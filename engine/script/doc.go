// Package script compiles and runs policies that are written in Starlark
// (go.starlark.net): the syntax of Python, without a clock, files, a network or modules,
// so that the same text gives the same decisions everywhere.
//
// A run is bounded in steps, for each call and in all. One step is about one operation of
// the interpreter. What a single operation would do to many values counts as many steps:
// the compiler puts a guard before each operation that copies or makes values ([guard]),
// and operations that could make more than they are charged for do not exist. So what a
// run allocates is bounded by its steps, too.
package script
