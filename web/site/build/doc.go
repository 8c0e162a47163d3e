// Package build makes the static site: it compiles the page and the engine
// worker to WebAssembly, gathers what they need beside it, gives every file
// but the few that must keep their names a name with the hash of its content,
// generates the pages, and compresses everything ahead of time.
//
// What is compiled is as small as can be had without another compiler: the page
// is built against a copy of go-app without its server (page.go), calls are
// inlined only where there is much to compute, and the tables that tell lines of
// code are taken out of the program (lines.go). Each of these knows go-app or the
// Go release word by word, and fails the build where it finds other words.
//
// The same sources give the same bytes: no clock, no absolute path and no
// version control state reaches the output.
package build
