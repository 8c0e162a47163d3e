package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"berth/engine/diag"
	"berth/engine/fault"
	_ "berth/engine/kinds" // registers all kinds
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
	_ "berth/examples" // publishes the examples that links refer to
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe fails instead, and status handles the error
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	ctx = watched(ctx, func(err error) { os.Exit(status(err, os.Stderr)) })
	err := fault.Guard(func() error { return runAs(os.Args[0], ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) })
	os.Exit(status(err, os.Stderr))
}

// Exit statuses, as documented for the command.
const (
	statusPlaced = iota
	statusFailed
	statusBadInput
	statusNotPlaced
)

// badInput is an error in the user's input: files, flags or arguments.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

func badInputf(format string, args ...any) error { return badInput{fmt.Errorf(format, args...)} }

// errNotPlaced means that the command has written a result, but something was not placed, or
// results differ.
var errNotPlaced = errors.New("not every deployment was placed")

// errInterrupted means that the command has written the result of a partial run.
var errInterrupted = errors.New("interrupted: the figures are those up to then")

// status prints an error and returns its exit status. It ignores a closed pipe, as in "berth run …
// | head".
func status(err error, stderr io.Writer) int {
	stderr = shown{stderr}
	var input *scenario.InputError
	var panicked *fault.Fault
	switch {
	case err == nil:
		return statusPlaced
	case errors.As(err, &panicked):
		printFault(stderr, panicked)
		return statusFailed
	case errors.Is(err, errNotPlaced):
		return statusNotPlaced
	case errors.Is(err, syscall.EPIPE):
		return statusFailed
	case errors.As(err, &input):
		fmt.Fprintln(stderr, err)
		printRepairs(stderr, input.Diagnostics)
		return statusBadInput
	case errors.As(err, new(badInput)):
		fmt.Fprintln(stderr, err)
		return statusBadInput
	}
	fmt.Fprintln(stderr, "berth:", strings.ReplaceAll(err.Error(), context.Canceled.Error(), "interrupted"))
	return statusFailed
}

// printRepairs prints the flags that make the reader accept an input.
func printRepairs(stderr io.Writer, found diag.List) {
	for _, p := range placementkind.ReadingParameters() {
		if slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Repair() == p.Name }) {
			fmt.Fprintf(stderr, "hint: --%s: %s\n", p.Flag(), p.Help)
		}
	}
}

// printFault reports a panic in Berth, with the stack trace if BERTH_DEBUG is set.
func printFault(stderr io.Writer, f *fault.Fault) {
	fmt.Fprintf(stderr, "berth: a fault in Berth stopped the command: %s. Please report it with the command and what BERTH_DEBUG=1 adds.\n", show.Text(f.Error()))
	if os.Getenv("BERTH_DEBUG") != "" {
		stderr.Write(f.Trace)
	}
}

// shown is a writer that escapes control characters, because messages quote other people's files.
type shown struct{ io.Writer }

func (s shown) Write(text []byte) (int, error) {
	_, err := io.WriteString(s.Writer, show.Lines(string(text)))
	return len(text), err
}
