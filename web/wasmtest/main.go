package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"berth/web/browser"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	status, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "wasmtest:", err)
		status = 2
	}
	os.Exit(status)
}

// run runs the test binary args[0] with the flags that follow it and returns its exit
// status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	if len(args) == 0 {
		return 0, errors.New("usage: wasmtest binary [flags]")
	}
	args = withoutTestLog(args)
	if limit := timeout(args); limit > 0 {
		var cancel context.CancelFunc
		// The test should time out by itself and report the place; a page in an
		// endless loop cannot.
		ctx, cancel = context.WithTimeout(ctx, limit+20*time.Second)
		defer cancel()
	}
	server, err := serve(args)
	if err != nil {
		return 0, err
	}
	defer server.Close()
	tab, stop, err := browser.Start(ctx)
	if err != nil {
		return 0, err
	}
	defer stop()
	return runPage(tab, server.URL, stdout, stderr)
}

// runPage opens the page of the test and waits until the test ends.
func runPage(ctx context.Context, url string, stdout, stderr io.Writer) (int, error) {
	type result struct {
		status int
		err    error
	}
	ended := make(chan result, 3)
	end := func(status int, err error) {
		select {
		case ended <- result{status, err}:
		default: // ended already
		}
	}
	err := chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *runtime.EventBindingCalled:
			switch event.Name {
			case "wasmtestOut":
				stdout.Write(latin1(event.Payload))
			case "wasmtestErr":
				stderr.Write(latin1(event.Payload))
			case "wasmtestExit":
				status, err := strconv.Atoi(event.Payload)
				end(status, err)
			}
		case *runtime.EventExceptionThrown:
			end(2, fmt.Errorf("the page threw: %s", exceptionText(event.ExceptionDetails)))
		case *inspector.EventTargetCrashed:
			end(2, errors.New("the page crashed, perhaps because it ran out of memory"))
		}
	})
	if err != nil {
		return 0, err
	}
	for _, name := range []string{"wasmtestOut", "wasmtestErr", "wasmtestExit"} {
		if _, err := chromedp.Call(ctx, runtime.AddBinding, runtime.AddBindingParams{Name: name}); err != nil {
			return 0, err
		}
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		return 0, err
	}
	select {
	case r := <-ended:
		return r.status, r.err
	case <-ctx.Done():
		return 0, fmt.Errorf("the test did not end: %w", context.Cause(ctx))
	}
}

// latin1 decodes the page's output, which has one byte per character, because a
// single write of Go may end within a UTF-8 character.
func latin1(text string) []byte {
	bytes := make([]byte, 0, len(text))
	for _, r := range text {
		bytes = append(bytes, byte(r))
	}
	return bytes
}

func exceptionText(details *runtime.ExceptionDetails) string {
	if details.Exception != nil && details.Exception.Description != "" {
		return details.Exception.Description
	}
	return details.Text
}

// withoutTestLog removes the flag for the log of files that the test reads, which the
// browser cannot write.
func withoutTestLog(args []string) []string {
	var kept []string
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-test.testlogfile=") {
			kept = append(kept, arg)
		}
	}
	return kept
}

// timeout returns the value of -test.timeout, 0 for none.
func timeout(args []string) time.Duration {
	for _, arg := range args {
		if value, ok := strings.CutPrefix(arg, "-test.timeout="); ok {
			limit, _ := time.ParseDuration(value) // the test itself reports an error
			return limit
		}
	}
	return 0
}
