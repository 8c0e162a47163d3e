package replay

import "berth/engine/packing"

// Strategy is how NodeResourcesFit scores the use of a node.
type Strategy uint8

const (
	LeastAllocated           Strategy = iota // prefers empty nodes
	MostAllocated                            // prefers full nodes: bin packing
	RequestedToCapacityRatio                 // prefers what a shape says
)

// Weights are how much the score of each plug-in counts; 0 switches it off.
type Weights struct {
	Fit, Balanced, Image, Taint, NodeAffinity, Spread, PodAffinity int64
}

// Resource is a resource that NodeResourcesFit scores, with its weight.
type Resource struct {
	Name   string
	Weight int64
}

// Point is one of a shape: the score, 0 to 10, at a utilisation in percent.
type Point struct{ Utilization, Score int64 }

// Profile has the parameters of a scheduler.
type Profile struct {
	Weights   Weights
	Fit       Strategy
	Resources []Resource // that Fit scores
	Shape     []Point    // of RequestedToCapacityRatio, by rising utilisation
}

// Default is the default profile of kube-scheduler.
func Default() Profile {
	return Profile{
		Weights:   Weights{Fit: 1, Balanced: 1, Image: 1, Taint: 3, NodeAffinity: 2, Spread: 2, PodAffinity: 2},
		Resources: []Resource{{packing.CPU, 1}, {packing.Memory, 1}},
		Shape:     []Point{{0, 0}, {100, 10}},
	}
}
