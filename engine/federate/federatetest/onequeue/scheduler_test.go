package onequeue_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	"berth/engine/federate/federatetest/onequeue"
	"berth/engine/workload"
)

func init() {
	if err := federate.Register(onequeue.Plugin); err != nil {
		panic(err)
	}
}

func TestASchedulerFromOutsideConforms(t *testing.T) { federatetest.Conform(t, onequeue.Plugin) }

func TestAnotherOfThatNameIsRefused(t *testing.T) {
	if err := federate.Register(onequeue.Plugin); err == nil {
		t.Error("it is registered twice")
	}
}

// Three jobs on four workers: the last one waits for the second to end.
func Example() {
	load, err := workload.ReadTrace("three.tr", strings.NewReader("0 3 10 10 10 10\n1 1 5 5\n2 1 1 1\n"))
	if err != nil {
		log.Fatal(err)
	}
	r, err := federate.Run(context.Background(), "one-queue", federate.Default(4, 2, 2), load, federate.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d tasks, up to %.4f s to start, %d messages\n", r.Tasks, r.Allocation.Max, r.Counters.Messages)
	// Output: 5 tasks, up to 4.0015 s to start, 10 messages
}
