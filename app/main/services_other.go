//go:build !js

package main

import (
	"berth/app/placement"
)

func servedPage() bool { return false }

// services returns none: outside a browser no view is mounted.
func services() placement.Services { return placement.Services{} }
