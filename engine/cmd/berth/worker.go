package main

import (
	"fmt"

	flag "github.com/spf13/pflag"

	"berth/engine/show"
)

var worker = &command{
	name: "worker", group: experimentsGroup, summary: "carry out runs of berth sweep --nats on this machine",
	use: "--nats URL",
	details: `A worker takes runs until you interrupt it; other workers then take the runs that it
has begun. It leaves runs of another version of the engine alone, says so, and refuses
runs whose inputs are not the ones they were submitted with.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		p := &sweepFlags{}
		p.registerWorkers(f, 1)
		return func([]string) error { return p.work(c) }
	},
}

// work executes runs of sweeps on other machines until it is interrupted.
func (p *sweepFlags) work(c *call) error {
	if p.nats == "" {
		return c.misuse("--nats is missing")
	}
	at, err := p.open(c, false)
	if err != nil {
		return err
	}
	defer at.close()
	fmt.Fprintf(c.errs, "%s, waiting for runs\n", show.Count(p.workers, "run")+" at a time")
	return at.queue.Work(c, c, p.workers, p.carry)
}
