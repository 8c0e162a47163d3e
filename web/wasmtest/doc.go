// Command wasmtest runs a Go test binary for js/wasm in headless Chromium:
//
//	GOOS=js GOARCH=wasm go test -exec "$PWD/.bin/wasmtest" ./wasm/...
//
// Flags, standard output, standard error and the exit status pass through, so that
// -run, -v, -bench and so on work as in a native test. The test may read files of
// this machine (golden files and other test data); files that it writes (temporary
// files) stay in the memory of its page. Its page is a secure origin that serves the
// root of the repository, so fetch("/web/assets/boot.js") works. The test sees only
// the environment variables BERTH_*.
package main
