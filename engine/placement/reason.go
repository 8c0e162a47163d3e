package placement

// Shortage says that the jobs request more of a resource than all clusters have left.
type Shortage struct {
	Supply              string
	Wanted, Left, Short float64 // in its units
}

// DeadEnd is a job that no cluster can take.
type DeadEnd struct {
	Job      string // DOT id
	Placed   int    // before it
	Refusals []RefusalCount
	Nodes    []NodesRefusal // of the first clusters
}

// RefusalCount is how many clusters refuse a job for reasons of one kind.
type RefusalCount struct {
	Kind     string
	Clusters int
}

// NodesRefusal is the answer of the nodes of a cluster.
type NodesRefusal struct{ Cluster, Why string }

// OfNodes is the answer of the nodes of the only cluster to the only job.
type OfNodes string

// Stuck is a search that does not backtrack, and where it stopped.
type Stuck struct{ At Reason }

// Stopped is a search whose context ended.
type Stopped struct{ Cause error }

// Unfinished is an attempt that was given up.
type Unfinished struct {
	Status       Status
	Placed, Jobs int
}

// Ended is the end of a search that used up its budget or its choices.
type Ended struct {
	How               End
	Steps, Expansions int64
}

// End is the way in which a search ended.
type End uint8

// The ends.
const (
	OutOfExpansions End = iota // one may exist
	NodesUnproved              // the same, and not every packing on nodes was tried
	OutOfBudget                // while jobs stay where they are
	OutOfSteps                 // of expansions, and of improving
	NotOptimal                 // a placement is not proved optimal
	NothingFound               // neither a placement nor a proof that none exists
	JobRefused                 // by every cluster, whatever the others do
	AllTried                   // while some jobs stay where they are
	AllRuledOut
)
