//go:build !js

package store

// thisBrowser is an empty one, which forgets: there is none here.
func thisBrowser() browser { return &memoryBrowser{items: map[string]string{}} }
