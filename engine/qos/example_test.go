package qos_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"berth/engine/input/workload"
	"berth/engine/qos"
	"berth/engine/sim"
)

// The first validation of the paper under both policies: the lowest availability of each
// class.
func ExampleRun() {
	overheads := []sim.Milliseconds{2 * sim.Second, 8 * sim.Second} // of allocations
	for _, policy := range []qos.Policy{qos.QoSDriven(), qos.PriorityBased()} {
		r, err := qos.Run(context.Background(), qos.Input{
			Hosts: workload.ValidationHosts(), Requests: &workload.Slice{Requests: workload.Validation1(1)},
		}, qos.Config{
			Policy: policy, Classes: qos.GoogleClasses(30 * sim.Second), Watchdog: 30 * sim.Second, Horizon: 3599 * sim.Second,
			Alpha: -1, HotSet: overheads, ColdSet: overheads,
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(r.Policy)
		for i, c := range r.Classes {
			least := slices.Min(r.Availabilities(i))
			fmt.Printf(", %s from %.0f %%", c.Class.Name, 100*least)
		}
		fmt.Println()
	}
	// Output:
	// qos, gold from 100 %, silver from 90 %, bronze from 43 %
	// priority, gold from 100 %, silver from 100 %, bronze from 0 %
}
