// Package app: what go-app's page needs of the three files that page.go leaves
// out.
package app

import "strings"

// Handler serves a page; a page serves none.
type Handler struct{}

// clientResourceResolver returns where resources below /web/ are, below root.
func clientResourceResolver(root string) func(location string) string {
	return func(location string) string {
		path, ok := strings.CutPrefix(strings.TrimPrefix(location, "/"), "web/")
		if !ok {
			return location
		}
		return root + "/" + strings.TrimSuffix(path, "/")
	}
}
