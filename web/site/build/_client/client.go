// Package app contains replacements for the parts of go-app's files that page.go removes, and for
// the functions that page.go redirects here.
package app

import (
	"errors"
	"net/url"
	"strings"
)

// Handler is empty: a page serves nothing.
type Handler struct{}

// clientResourceResolver returns a function that resolves the paths of the site; web
// is the URL of /web.
func clientResourceResolver(web string) func(location string) string {
	base := strings.TrimSuffix(web, "/web")
	return func(location string) string {
		if !strings.HasPrefix(location, "/") {
			return location
		}
		return base + location
	}
}

// parseAddress parses the address of the page. Since anyone may have written a link to the page, a
// percent sign without a valid escape counts as a literal percent sign.
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

// dispatchEvent handles an event even if its element is replaced before the handler runs. go-app
// would drop the event, and with it the visitor's input.
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

// source is the element of an event with its JavaScript value, which go-app forgets
// once the element is removed.
type source struct {
	UI
	drawn Value
}

func (s source) JSValue() Value { return s.drawn }

// randomID returns a unique id.
func randomID() string {
	bytes := Window().Get("Uint8Array").New(16)
	Window().Get("crypto").Call("getRandomValues", bytes)
	return bytes.Call("join", "-").String()
}

var errNoCipher = errors.New("this page has no ciphers")

func encrypt(string, []byte) ([]byte, error) { return nil, errNoCipher }
func decrypt(string, []byte) ([]byte, error) { return nil, errNoCipher }
