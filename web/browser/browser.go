package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/chromedp/chromedp"
)

// Start starts Chromium with a new profile and returns the context of its first tab; stop ends
// Chromium and removes the profile. The environment variable CHROMIUM may name the executable. If
// it is not set, Start takes Debian's headless shell, which needs a quarter less processor time, or
// else the first Chromium or Chrome that it finds.
func Start(parent context.Context, options ...chromedp.ExecAllocatorOption) (ctx context.Context, stop func(), err error) {
	path := os.Getenv("CHROMIUM")
	if path == "" {
		path, _ = exec.LookPath("chromium-headless-shell")
	}
	return start(parent, path, options...)
}

// StartProfile starts a full Chromium, the first that it finds, with the profile in dir. The
// headless shell ignores the settings of a profile.
func StartProfile(parent context.Context, dir string) (ctx context.Context, stop func(), err error) {
	path := os.Getenv("CHROMIUM")
	if whole, err := exec.LookPath("chromium"); err == nil {
		path = whole
	}
	return start(parent, path, chromedp.UserDataDir(dir))
}

func start(parent context.Context, path string, more ...chromedp.ExecAllocatorOption) (ctx context.Context, stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		// AutofillServerCommunication sends a request to another host for every form.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,AutofillServerCommunication"),
		// The tests measure and compare pages; a scrollbar or a blinking caret would
		// differ.
		chromedp.Flag("hide-scrollbars", true),
	)
	if path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(parent, append(options, more...)...)
	ctx, cancel := chromedp.NewContext(allocator)
	stop = func() {
		cancel()
		stopAllocator()
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, fmt.Errorf("starting Chromium: %w (make tools installs it; CHROMIUM may name it)", err)
	}
	return ctx, stop, nil
}
