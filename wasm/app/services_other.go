//go:build !js

package main

import "berth/app/placement"

// services are none: outside a browser no view is ever mounted.
func services() placement.Services { return placement.Services{} }
