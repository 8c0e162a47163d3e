package main

import (
	_ "berth/engine/kinds"
	_ "berth/engine/readers" // which the page's program lacks
	"berth/engine/written"
	"berth/wasm/worker"
)

func main() {
	written.Register()
	worker.Serve()
}
