package build

import (
	"fmt"
	"regexp"
	"strings"
)

// A site may have a path on its host, as on GitHub Pages. Every path in a page then
// begins with the site's path: go-app resolves its own paths with assets.Resolve, and
// rebase changes the paths in other HTML.

// validBase matches a base that needs no escaping in any syntax.
var validBase = regexp.MustCompile(`^(/[A-Za-z0-9_~.-]*[A-Za-z0-9_~-][A-Za-z0-9_~.-]*)*/$`)

// prefixOf returns the prefix of each path of a site at a base: "" at "/", and
// "/berth" at "/berth/".
func prefixOf(base string) (string, error) {
	if base == "" {
		return "", nil
	}
	if !validBase.MatchString(base) {
		return "", fmt.Errorf("base is %q; it must begin and end with a slash, as in /berth/, with letters, digits and -._~ between slashes", base)
	}
	return strings.TrimSuffix(base, "/"), nil
}

var ownPath = regexp.MustCompile(` (href|src|data-search)="/`)

// rebase inserts the base before the paths in HTML.
func rebase(html []byte, base string) []byte {
	if base == "" {
		return html
	}
	return ownPath.ReplaceAll(html, []byte(` ${1}="`+base+"/"))
}
