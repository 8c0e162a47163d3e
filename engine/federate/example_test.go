package federate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"berth/engine/federate"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
)

// Three jobs run on four workers. The last one waits for the second to end. With two GMs it also
// waits until its own GM has heard of that end.
func ExampleRun() {
	load, err := trace.ReadTrace("three.tr", strings.NewReader("0 3 10 10 10 10\n1 1 5 5\n2 1 1 1\n"), workload.Window{})
	if err != nil {
		log.Fatal(err)
	}
	c := federate.Default(4, 2, 2)
	for _, scheduler := range []string{"ideal", "megha-1", "megha"} {
		r, err := federate.Run(context.Background(), scheduler, c, load, federate.Options{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d tasks, up to %.4f s to start\n", scheduler, r.Tasks, r.Allocation.At("max"))
	}
	// Output:
	// ideal: 5 tasks, up to 0.0000 s to start
	// megha-1: 5 tasks, up to 4.0032 s to start
	// megha: 5 tasks, up to 8.0016 s to start
}
