//go:build !js

package main

import (
	"berth/app/placement"
)

func servedPage() bool { return false }

// services are none: outside a browser no view is ever mounted.
func services() placement.Services { return placement.Services{} }
