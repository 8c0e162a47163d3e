package main

import (
	_ "berth/engine/formats" // what this program has beside that of the page
	_ "berth/engine/kinds"
	"berth/wasm/worker"
)

func main() { worker.Serve() }
