package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"berth/engine/cmd/berth/fault"
	"berth/engine/cmd/berth/queue"
	_ "berth/engine/kinds" // what berth run and berth link know
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/written"
)

func init() { written.Register() }

func main() {
	signal.Ignore(syscall.SIGPIPE) // writing fails instead, and status is told
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	ctx = watched(ctx, func(err error) { os.Exit(status(err, os.Stderr)) })
	err := fault.Guard(func() error { return runAs(os.Args[0], ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) })
	os.Exit(status(err, os.Stderr))
}

// The exit statuses.
const (
	statusPlaced = iota
	statusFailed
	statusBadInput
	statusNotPlaced
)

// badInput is an error in what the user gave: files, flags, arguments.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

func badInputf(format string, args ...any) error { return badInput{fmt.Errorf(format, args...)} }

// errNotPlaced says that there is a result, but not the one hoped for.
var errNotPlaced = errors.New("not every deployment was placed")

// errInterrupted says that there is a result, but only of a part of the run.
var errInterrupted = errors.New("interrupted: the figures are those up to then")

// status prints what went wrong and returns the exit status for it. A reader
// that has gone away, as in "berth run … | head", is none of our business.
func status(err error, stderr io.Writer) int {
	stderr = shown{stderr}
	var input *scenario.InputError
	var panicked *fault.Fault
	switch {
	case err == nil:
		return statusPlaced
	case errors.As(err, &panicked):
		tellFault(stderr, panicked)
		return statusFailed
	case errors.Is(err, errNotPlaced):
		return statusNotPlaced
	case errors.Is(err, syscall.EPIPE):
		return statusFailed
	case errors.As(err, &input):
		fmt.Fprintln(stderr, err)
		return statusBadInput
	case errors.As(err, new(badInput)):
		fmt.Fprintln(stderr, err)
		return statusBadInput
	}
	fmt.Fprintln(stderr, "berth:", strings.ReplaceAll(err.Error(), context.Canceled.Error(), "interrupted"))
	return statusFailed
}

// tellFault says in one line that Berth has a fault; the trace is for those who look
// for it.
func tellFault(stderr io.Writer, f *fault.Fault) {
	fmt.Fprintf(stderr, "berth: a fault in Berth stopped the command: %s. Please report it with the command and what BERTH_DEBUG=1 adds.\n", show.Text(f.Error()))
	if os.Getenv("BERTH_DEBUG") != "" {
		stderr.Write(f.Trace)
	}
}

// shown is a writer of messages, which name things of other people's files and may name
// URLs with credentials.
type shown struct{ io.Writer }

func (s shown) Write(text []byte) (int, error) {
	_, err := io.WriteString(s.Writer, queue.Masked(show.Lines(string(text))))
	return len(text), err
}
