// Package written makes strategies, policies and schedulers of texts in Starlark: of each
// laboratory, the functions that a text may define, the objects that they are given, and
// the plug-in that calls them. [Register] puts it into a program.
package written
