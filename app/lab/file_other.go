//go:build !js

package lab

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/wasm/bridge"
)

// blobOf returns an empty Blob: outside a browser no file can be chosen.
func blobOf(app.Value) bridge.Blob { return bridge.Blob{} }
