package browser

import (
	"context"
	"fmt"
	"os"

	"github.com/chromedp/chromedp"
)

// Start starts Chromium with a profile of its own and gives the context of its
// first tab; stop ends it and removes the profile. The environment variable
// CHROMIUM may name the executable; else the usual places are searched. More
// options may name another profile, which stays.
func Start(parent context.Context, more ...chromedp.ExecAllocatorOption) (ctx context.Context, stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		// The last of these asks another host about every form.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,AutofillServerCommunication"),
		// The tests measure and compare; a scrollbar or a blinking caret would differ.
		chromedp.Flag("hide-scrollbars", true),
	)
	if path := os.Getenv("CHROMIUM"); path != "" {
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
