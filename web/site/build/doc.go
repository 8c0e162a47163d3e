// Package build makes the static site. It compiles the page and the engine worker to
// WebAssembly, collects their files, adds the hash of the content to the names of all
// files that may be renamed, generates the pages, and compresses everything ahead of
// time.
//
// The programs are as small as the standard compiler can make them: the page uses a
// copy of go-app without its server (page.go), functions are inlined only where there
// is much to compute, and the tables of line numbers are removed (lines.go). Each of
// these steps knows the exact text of go-app or of the Go release, and fails the build
// if that changes.
//
// The same sources give the same bytes: no clock, no absolute path and no version
// control state reaches the output.
package build
