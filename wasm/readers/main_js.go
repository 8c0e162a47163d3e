package main

import (
	_ "berth/engine/kinds"
	_ "berth/engine/readers" // what this program adds to the page's
	"berth/engine/written"
	"berth/wasm/worker"
)

func main() {
	written.Register()
	worker.Serve()
}
