// Command app is the page of Berth. Compiled for the browser it is app.wasm;
// compiled natively it does nothing, so that the whole module builds anywhere.
package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
)

func main() {
	shell.Routes()
	app.RunWhenOnBrowser()
}
