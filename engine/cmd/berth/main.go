package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"berth/engine/cmd/berth/fault"
	_ "berth/engine/kinds" // what berth run and berth link know
	"berth/engine/scenario"
	"berth/engine/show"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // writing fails instead, and status is told
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	err := fault.Guard(func() error { return berth(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) })
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
var errInterrupted = errors.New("interrupted: the figures are of what had been simulated by then")

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

// shown is a writer of messages, which name things of other people's files.
type shown struct{ io.Writer }

func (s shown) Write(text []byte) (int, error) {
	_, err := io.WriteString(s.Writer, show.Lines(string(text)))
	return len(text), err
}

const overview = `Berth is a laboratory for scheduling and placement.

Usage:
  berth COMMAND [flags]

Commands:
%s
"berth COMMAND --help" explains a command, "berth --licences" prints the licences of
the work of others in this program. "-" as a file is standard input.

Exit status: 0 everything was placed or could run, 3 something could not, a run of
an experiment failed or gave something else than its bundle has, 2 bad input or bad
flags, 1 anything else.
`

var commands = []*command{place, simulate, federateCommand, generate, run, sweep, worker, galleryCommand, link, render, convert, export, diff}

// berth runs one command. Its errors are for status.
func berth(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) error {
	if len(args) == 0 {
		return badInputf("berth: which command? %s; see berth --help", names())
	}
	switch args[0] {
	case "-h", "-help", "--help", "help":
		if len(args) > 1 {
			return berth(ctx, []string{args[1], "--help"}, in, out, errs)
		}
		var list strings.Builder
		for _, c := range commands {
			fmt.Fprintf(&list, "  %-10s %s\n", c.name, c.summary)
		}
		_, err := fmt.Fprintf(out, overview, list.String())
		return err
	case "--licences":
		_, err := io.WriteString(out, licences)
		return err
	}
	for _, c := range commands {
		if c.name == args[0] {
			call := &call{Context: ctx, command: c, args: args[1:], in: in, out: out, errs: shown{errs}}
			defer func() { call.discard() }()
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // see keepWithin
			err := c.run(call)
			if errors.Is(err, errHelped) {
				return nil
			}
			return err
		}
	}
	return badInputf("berth: unknown command %q; known: %s", args[0], names())
}

func names() string {
	var all []string
	for _, c := range commands {
		all = append(all, c.name)
	}
	return strings.Join(all, ", ")
}
