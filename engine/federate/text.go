package federate

import (
	"fmt"
	"strings"

	"berth/engine/cluster"
	"berth/engine/show"
	"berth/engine/workload"
)

func (r NeverReason) String() string {
	if r == TooLittleCapacity {
		return "no worker has that much capacity"
	}
	return "no worker satisfies all of its constraints"
}

// Describe writes a group for people.
func (n Never) Describe(load *workload.Tasks) string {
	return fmt.Sprintf("%s of %s (the first in job %d) can never run: %s", show.Count(n.Tasks, "task"), load.KindString(n.Kind), n.Job+1, n.Reason)
}

// DescribeMore sums up groups of tasks.
func DescribeMore(all []Never) string {
	tasks := 0
	for _, n := range all {
		tasks += n.Tasks
	}
	return fmt.Sprintf("%s of %d more kinds can never run either: larger workers, or a list of machines, would help", show.Count(tasks, "task"), len(all))
}

func (r StallReason) String() string {
	switch r.Kind {
	case OutOfTime:
		return fmt.Sprintf("the simulated time ended after %.3g s", seconds(clockEnd))
	case Livelocked:
		return fmt.Sprintf("tasks preempted each other %d times, and none of them ended", r.Preemptions)
	}
	return "no later event frees capacity for them"
}

func capacity(of []cluster.Amount, load *workload.Tasks) string {
	var parts []string
	for r, amount := range of {
		parts = append(parts, fmt.Sprintf("%s %v", load.Resources[r], amount.Units()))
	}
	return strings.Join(parts, ", ")
}
