package e2e

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"berth/engine/must"
	"berth/web/browser"
	"berth/web/site/build"
	"berth/web/site/server"
)

const repository = "../.."

func TestMain(m *testing.M) {
	status := m.Run()
	for _, f := range atExit {
		f()
	}
	os.Exit(status)
}

var atExit []func()

// dist returns the directory of the site, which it builds once unless BERTH_DIST names
// one.
func dist(t testing.TB) string {
	t.Helper()
	return must.Get(distOnce())(t)
}

var distOnce = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv("BERTH_DIST"); dir != "" {
		// Relative to the repository, since go test changes the directory.
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(repository, dir)
		}
		return dir, nil
	}
	dir, err := os.MkdirTemp("", "berth-e2e-")
	if err != nil {
		return "", err
	}
	atExit = append(atExit, func() { os.RemoveAll(dir) })
	fmt.Fprintln(os.Stderr, "e2e: building the site; BERTH_DIST can name one that is built")
	out := filepath.Join(dir, "dist")
	_, err = build.Site(context.Background(), build.Options{Root: repository, Out: out, Quality: 5})
	return out, err
})

// serve serves a built site at a new origin.
func serve(t testing.TB, dist string) *httptest.Server {
	t.Helper()
	handler := must.Get(server.Open(filepath.Join(repository, "netlify.toml"), dist))(t)
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

// chromium returns the browser that all tests share.
var chromium = sync.OnceValues(func() (context.Context, error) {
	var options []chromedp.ExecAllocatorOption
	if flag.Lookup("test.bench").Value.String() == "" {
		// V8 optimises functions later, because a test ends before that pays off.
		options = append(options, chromedp.Flag("js-flags", "--wasm-tiering-budget=200000000"))
	}
	ctx, stop, err := browser.Start(context.Background(), options...)
	if err == nil {
		atExit = append(atExit, stop)
	}
	return ctx, err
})
