package qos

import (
	"fmt"
	"strings"

	"berth/engine/show"
)

func (r Reason) String() string {
	return [...]string{
		"feasible", "the host is down", "a placement constraint is not met", "another request of the same job is there",
		"the host is too small even if it is empty", "too little is free even after every allowed preemption",
		"no instance there may be preempted for the request", "the policy refuses the host",
	}[r]
}

// keptReason is the reason of a built-in policy not to preempt an instance.
type keptReason uint8

const (
	noLessImportant keptReason = iota
	protected                  // its preemption overhead is above the limit
	qNotAbove                  // its Q is not above the request's
	belowMargin                // it is below its margin, and the request is not below its own
)

func (r keptReason) String() string {
	return [...]string{
		"it is not less important", "protected: its preemption overhead is above the limit",
		"its Q is not above that of the request", "it is below its margin, and the request is not below its own",
	}[r]
}

// Counterfactual says what requests that never ran would owe; "" where all ran.
func (m *Missed) Counterfactual() string {
	if m.Waived == 0 {
		return ""
	}
	return "Requests that never ran owe nothing; charged for the time that they waited, they would owe " + show.Figure(float64(m.Waived)) + " CPU-hours. "
}

// String counts what they lost time to.
func (m *Missed) String() string {
	var parts []string
	for _, x := range []struct {
		n    int
		what string
	}{{m.Preempted, "preempted"}, {m.NeverRan, "never ran"}, {m.Late, "waited too long"}} {
		if x.n > 0 {
			parts = append(parts, show.Group(fmt.Sprint(x.n))+" "+x.what)
		}
	}
	return strings.Join(parts, ", ")
}
