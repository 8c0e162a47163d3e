package qos

import (
	"fmt"
	"strings"

	"berth/engine/show"
)

// Reason is the reason why a host cannot take a request, or Feasible.
type Reason string

// The reasons. A policy can also refuse a host itself, by Policy.Host.
const (
	Feasible        Reason = "feasible"
	HostDown        Reason = "the host is down"
	ConstraintOff   Reason = "a placement constraint is not met"
	AntiAffine      Reason = "another request of the same job is there"
	HostTooSmall    Reason = "the host is too small even if it is empty"
	TooFewVictims   Reason = "too little is free even after every allowed preemption"
	NobodyPreempts  Reason = "no instance there may be preempted for the request"
	RefusedByPolicy Reason = "the policy refuses the host"
)

// keptReason is a built-in policy's reason not to preempt an instance.
type keptReason string

const (
	noLessImportant keptReason = "it is not less important"
	protected       keptReason = "protected: its preemption overhead is above the limit"
	qNotAbove       keptReason = "its Q is not above that of the request"
	belowMargin     keptReason = "it is below its margin, and the request is not below its own"
)

func (r keptReason) String() string { return string(r) }

// Counterfactual describes the penalty that requests that never ran would owe if waiting were
// charged; "" if all requests ran.
func (m *Missed) Counterfactual() string {
	if m.Waived == 0 {
		return ""
	}
	return "Requests that never ran owe nothing; charged for the time that they waited, they would owe " + show.Figure(float64(m.Waived)) + " CPU-hours. "
}

// String lists the causes with their numbers of requests.
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

// String returns a suffix for the title of a policy, such as " with score caching"; "" without
// savings.
func (s *Savings) String() (text string) {
	for _, x := range []struct {
		on   bool
		text string
	}{
		{s.ScoreCaching, ", score caching"}, {s.ScoreCaching && s.CacheValidity > 0, fmt.Sprintf(" for %v s", s.CacheValidity)},
		{s.EquivalenceClass, ", equivalence class"}, {s.EquivalenceClass && s.WithinJob, " within a job"},
		{s.EquivalenceClass && s.QTolerance > 0, fmt.Sprintf(" of %v s", s.QTolerance)},
		{s.Relaxed > 0, fmt.Sprintf(", %.4g %% of the hosts", 100*s.Relaxed)}, {s.Pruning != "" && s.Pruning != NoPruning, ", " + s.Pruning + " pruning"},
	} {
		if x.on {
			text += x.text
		}
	}
	return strings.Replace(text, ",", " with", 1)
}
