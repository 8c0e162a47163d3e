package main

import (
	"fmt"

	"golang.org/x/sync/errgroup"

	"berth/engine/cmd/berth/fault"
	"berth/engine/plural"
)

var worker = &command{
	name: "worker", summary: "carry out runs of berth sweep --nats on this machine",
	usage: "  berth worker --nats URL [flags]",
	details: `It takes runs until it is interrupted; those that it has begun are left to others
then. Runs of another version of the engine are refused.`,
	run: runWorker,
}

func runWorker(c *call) error {
	f := c.flags()
	var p sweepFlags
	p.registerWorkers(f, 1)
	if _, err := c.parse(f); err != nil {
		return err
	}
	if p.nats == "" {
		return c.misuse("--nats is missing")
	}
	q, close, err := p.connect(c)
	if err != nil {
		return err
	}
	defer close()
	fmt.Fprintf(c.errs, "%s, waiting for runs\n", plural.Of(p.workers, "run")+" at a time")
	group, ctx := errgroup.WithContext(c)
	for range p.workers {
		group.Go(func() error { return fault.Guard(func() error { return q.Work(ctx, ctx, p.carry) }) })
	}
	return group.Wait()
}
