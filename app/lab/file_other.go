//go:build !js

package lab

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/wasm/bridge"
)

// blobOf is empty outside a browser, where there are no files to choose.
func blobOf(app.Value) bridge.Blob { return bridge.Blob{} }
