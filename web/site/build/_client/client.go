// Package app: what go-app's page needs of the three files that page.go leaves
// out, and what page.go has it do otherwise.
package app

import (
	"net/url"
	"regexp"
	"strings"
)

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

var percent = regexp.MustCompile(`%([0-9A-Fa-f]{2})?`)

// parseAddress parses the address of the page, which anybody may have written: a
// percent sign that escapes nothing stands for itself.
func parseAddress(raw string) *url.URL {
	u, err := url.Parse(raw)
	if err != nil {
		u, _ = url.Parse(percent.ReplaceAllStringFunc(raw, func(escape string) string {
			if escape == "%" {
				return "%25"
			}
			return escape
		}))
	}
	return u
}
