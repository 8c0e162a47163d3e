// Package everywhere holds one test: the same inputs give the same bytes on every processor
// and in the browser. It runs all examples, scenarios that package drawn draws for each
// laboratory, samples of all formats, and every function of package stats, and compares
// digests of their results with golden files, whose own digest names the engine. The same
// files hold natively, on arm64 and in Chromium:
//
//	go test ./engine/everywhere
//	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go test -exec qemu-aarch64 ./engine/everywhere
//	GOOS=js GOARCH=wasm go test -exec "$PWD/.bin/wasmtest" ./engine/everywhere
package everywhere
