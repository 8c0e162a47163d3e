// Package build makes the static site: it compiles the page and the engine
// worker to WebAssembly, gathers what they need beside it, gives every file
// but the few that must keep their names a name with the hash of its content,
// generates the pages, and compresses everything ahead of time.
//
// The same sources give the same bytes: no clock, no absolute path and no
// version control state reaches the output.
package build
