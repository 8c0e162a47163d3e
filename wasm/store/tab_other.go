//go:build !js

package store

// thisBrowser returns an empty memoryBrowser: this program runs outside a browser.
func thisBrowser() browser { return &memoryBrowser{items: map[string]string{}} }
