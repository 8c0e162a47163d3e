package main

import (
	_ "berth/engine/formats" // what this program adds to the page's
	_ "berth/engine/kinds"
	"berth/wasm/worker"
)

func main() { worker.Serve() }
