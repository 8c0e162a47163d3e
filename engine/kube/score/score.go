// Package score is how kube-scheduler scores nodes: pure functions of amounts and counts,
// which follow the plug-ins of v1.34 to the bit, with their whole divisions.
package score

import (
	"math"

	"berth/engine/stats"
)

// Max is the best score of a node, as plug-ins give it.
const Max = 100

// Strategy is how NodeResourcesFit scores the use of a node.
type Strategy uint8

const (
	LeastAllocated           Strategy = iota // prefers empty nodes
	MostAllocated                            // prefers full nodes: bin packing
	RequestedToCapacityRatio                 // prefers what a shape says
)

// Point is one of a shape: the score, 0 to 10, at a utilisation in percent.
type Point struct{ Utilization, Score int64 }

// Fit has the parameters of NodeResourcesFit.
type Fit struct {
	Strategy Strategy
	Shape    []Point // of RequestedToCapacityRatio, by rising utilisation
}

// Use is how much of a resource is requested on a node with the pod that is scored.
type Use struct{ Requested, Allocatable, Weight int64 }

// Of scores the resources of a node.
func (p *Fit) Of(uses []Use) int64 {
	var sum, weights int64
	for _, u := range uses {
		if u.Allocatable == 0 {
			continue
		}
		score := p.resource(u)
		if p.Strategy == RequestedToCapacityRatio && score == 0 {
			continue
		}
		sum += score * u.Weight
		weights += u.Weight
	}
	switch {
	case weights == 0:
		return 0
	case p.Strategy == RequestedToCapacityRatio:
		return int64(math.Round(float64(sum) / float64(weights)))
	}
	return sum / weights
}

func (p *Fit) resource(u Use) int64 {
	switch p.Strategy {
	case MostAllocated:
		return min(u.Requested, u.Allocatable) * Max / u.Allocatable
	case RequestedToCapacityRatio:
		if u.Requested > u.Allocatable {
			return p.shaped(100)
		}
		return p.shaped(u.Requested * 100 / u.Allocatable)
	}
	if u.Requested > u.Allocatable {
		return 0
	}
	return (u.Allocatable - u.Requested) * Max / u.Allocatable
}

// shaped is the score at a utilisation, linear between the points of the shape.
func (p *Fit) shaped(utilization int64) int64 {
	const scale = Max / 10
	for i, to := range p.Shape {
		if utilization > to.Utilization {
			continue
		}
		if i == 0 {
			return to.Score * scale
		}
		from := p.Shape[i-1]
		return from.Score*scale + (to.Score-from.Score)*scale*(utilization-from.Utilization)/(to.Utilization-from.Utilization)
	}
	return p.Shape[len(p.Shape)-1].Score * scale
}

// Balanced is higher the closer the shares of CPU and memory are to each other.
func Balanced(cpu, memory Use) int64 {
	if cpu.Allocatable == 0 || memory.Allocatable == 0 {
		return Max
	}
	return int64((1 - math.Abs((cpu.share()-memory.share())/2)) * Max)
}

func (u Use) share() float64 { return min(1, float64(u.Requested)/float64(u.Allocatable)) }

// The sizes of images between which their score rises, in bytes.
const (
	leastImage = 23 << 20
	mostImage  = 1000 << 20 // a container
)

// Image is of the bytes of images that a node has, each scaled by the share of nodes
// that have it.
func Image(bytes int64, containers int) int64 {
	most := int64(mostImage) * int64(containers)
	return Max * (min(max(bytes, leastImage), most) - leastImage) / (most - leastImage)
}

// Normalize scales scores to the highest of them; reverse makes the lowest the best.
func Normalize(score, highest int64, reverse bool) int64 {
	if highest == 0 {
		if reverse {
			return Max
		}
		return score
	}
	score = Max * score / highest
	if reverse {
		return Max - score
	}
	return score
}

// Spread is of the number of pods that count in the domain of a node.
func Spread(pods int64, maxSkew int, weight float64) float64 {
	return float64(float64(pods)*weight) + float64(maxSkew-1)
}

// SpreadWeight makes the constraints comparable, by how many domains each has.
func SpreadWeight(domains int) float64 { return stats.Log(float64(domains + 2)) }

// NormalizeSpread prefers the nodes with the fewest pods.
func NormalizeSpread(score, lowest, highest int64) int64 {
	if highest == 0 {
		return Max
	}
	return Max * (highest + lowest - score) / highest
}

// NormalizeAffinity puts the scores between the lowest and the highest.
func NormalizeAffinity(score, lowest, highest int64) int64 {
	if highest <= lowest {
		return 0
	}
	return int64(Max * (float64(score-lowest) / float64(highest-lowest)))
}
