package main

import (
	_ "berth/engine/formats" // what this program adds to the page's
	_ "berth/engine/kinds"
	"berth/engine/written"
	"berth/wasm/worker"
)

func main() {
	written.Register()
	worker.Serve()
}
