// Package app: what go-app's page needs of the three files that page.go leaves
// out, and what page.go has it do otherwise.
package app

import (
	"errors"
	"net/url"
	"strings"
)

// Handler serves a page; a page serves none.
type Handler struct{}

// clientResourceResolver returns where the paths of the site are, given where /web is.
func clientResourceResolver(web string) func(location string) string {
	base := strings.TrimSuffix(web, "/web")
	return func(location string) string {
		if !strings.HasPrefix(location, "/") {
			return location
		}
		return base + location
	}
}

// pathPrefix replaces the patterns of routes. A page has only those of the form
// ^/prefix.
type pathPrefix string

func compilePattern(pattern string) pathPrefix {
	prefix, ok := strings.CutPrefix(pattern, "^")
	if !ok || strings.ContainsAny(prefix, `\.+*?()|[]{}^$`) {
		panic("the page has routes by prefix alone, not " + pattern)
	}
	return pathPrefix(prefix)
}

func (p pathPrefix) MatchString(path string) bool { return strings.HasPrefix(path, string(p)) }

// parseAddress parses the address of the page, which anybody may have written: a
// percent sign that escapes nothing stands for itself.
func parseAddress(raw string) *url.URL {
	u, err := url.Parse(raw)
	if err == nil {
		return u
	}
	parts := strings.Split(raw, "%")
	for i, part := range parts[1:] {
		if _, err := url.PathUnescape("%" + part); err != nil {
			parts[i+1] = "25" + part
		}
	}
	u, _ = url.Parse(strings.Join(parts, "%"))
	return u
}

// dispatchEvent handles an event although its element gives way to another before
// its turn comes: what somebody has changed there would be lost.
func (ctx Context) dispatchEvent(handle func(Context)) {
	ctx.sourceElement = source{ctx.sourceElement, ctx.JSSrc()}
	var around []Composer
	for c, ok := component(ctx.sourceElement); ok; c, ok = component(c.parent()) {
		around = append(around, c)
	}
	ctx.dispatch(func() {
		for _, c := range around {
			if c.Mounted() {
				ctx.addComponentUpdate(c, 1)
			}
		}
		handle(ctx)
	})
}

// source is an element that an event comes from, with what stood for it in the page,
// which is forgotten once it is gone.
type source struct {
	UI
	drawn Value
}

func (s source) JSValue() Value { return s.drawn }

// randomID is an id that no other tab has.
func randomID() string {
	bytes := Window().Get("Uint8Array").New(16)
	Window().Get("crypto").Call("getRandomValues", bytes)
	return bytes.Call("join", "-").String()
}

var errNoCipher = errors.New("this page has no ciphers")

func encrypt(string, []byte) ([]byte, error) { return nil, errNoCipher }
func decrypt(string, []byte) ([]byte, error) { return nil, errNoCipher }
