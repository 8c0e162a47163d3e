// Package written converts texts in Starlark to strategies, policies and schedulers. For each lab
// it defines the functions that a text may define, the objects passed to them, and the plug-in that
// calls them. A program that calls [Register] can run such texts.
package written
