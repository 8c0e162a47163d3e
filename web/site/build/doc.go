// Package build makes the static site. It compiles the page and the engine worker to
// WebAssembly, collects the site's files, adds the hash of the content to file names
// that may change, generates the pages, and compresses everything ahead of time.
//
// The programs are as small as the standard compiler can make them: the page uses a
// copy of go-app without its server (page.go), the compiler inlines functions only in
// packages with tight loops, and the tables of line numbers are removed (lines.go).
// Each of these steps depends on the exact text of go-app or of the Go release, and
// fails the build if that text changes.
//
// The same sources give the same bytes: no clock, absolute path or version control
// state reaches the output.
package build
