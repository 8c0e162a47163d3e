// Command crossvalidate runs the public simulators of other authors and Berth on the same generated
// traces. It records the response times of jobs and the duration of each run. It neither contains
// nor changes the simulators: you install each one by its own instructions. The documentation's
// page on cross-validation lists the commits and the defects to fix. A simulator without a command
// is recorded as not run.
//
// Usage:
//
//	crossvalidate -eagle 'python2 DIR/eagle_simulation.py' … -record FILE
//
// A command is split at spaces. It runs in its own folder.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	_ "berth/engine/federate/schedulers"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "crossvalidate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	flags := flag.NewFlagSet("crossvalidate", flag.ContinueOnError)
	jobs := flags.Int("jobs", 1000, "how many jobs each trace has")
	to := flags.String("record", "", "the file to write, as JSON")
	commands := map[string]*string{}
	for _, p := range programs {
		commands[p.id] = flags.String(p.id, "", "the command that runs "+p.about())
	}
	switch err := flags.Parse(arguments); {
	case err != nil:
		return err
	case *to == "":
		return errors.New("-record is missing: say which file to write")
	case *jobs < 2:
		return fmt.Errorf("-jobs %d: expected at least 2", *jobs)
	}
	r := record{Date: time.Now().UTC().Format(time.DateOnly), Jobs: *jobs, Workers: workers}
	for i := range programs {
		if err := r.add(ctx, &programs[i], *commands[programs[i].id]); err != nil {
			return err
		}
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(*to, append(data, '\n'), 0o666)
}
