// Command wasmtest runs a Go test binary for js/wasm in headless Chromium:
//
//	GOOS=js GOARCH=wasm go test -exec "$PWD/.bin/wasmtest" ./wasm/...
//
// Flags, standard output, standard error and the exit status go through, so
// -run, -v, -bench and the like work as they do natively. The test may read
// files of this machine (golden files and other test data); what it writes
// (temporary files) stays in the memory of its page.
// Its page is a secure origin, on which the root of the repository is served:
// fetch("/web/assets/boot.js") works. Of the environment it sees the variables BERTH_*.
package main
