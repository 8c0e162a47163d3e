package qos

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
