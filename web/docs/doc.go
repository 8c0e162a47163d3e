// Package docs is the documentation of Berth: static pages, readable without
// WebAssembly.
//
// The pages are written in Markdown (pages/*.md; the first heading is the title) and
// rendered when the site is built. The articles on the algorithms come from
// app/about, which Berth itself shows. A fenced block may have a second word:
//
//	```dot shop.dot       a file to download, which the commands of the page may read
//	```js plot.mjs        such a file, a module that draws into the figure #plot before it
//	```sh                 commands, which a test runs, in the order of the page
//	```output             the output of the last command; the test's -update renews it
//	```figure KIND FILE   a drawing that Berth makes when the site is built: see figures.go
//	```figure sequence    the messages of Megha: see sequence.go
//	```figure packages    the parts of the program, from its imports: see packages.go
//	```figure claims NAME a document of the package claims: see figures.go
//	```figure rules NAME  a list of rules for verdicts, of the package study
//
// A link to scenario:FILE opens that example in Berth.
package docs
