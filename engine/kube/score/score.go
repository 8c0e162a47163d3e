// Package score contains the scoring functions of kube-scheduler: pure functions of amounts and
// counts. They match the plug-ins of v1.34 bit for bit, including their integer divisions.
package score

import (
	"math"

	"berth/engine/stats"
)

// Max is the highest score that a plug-in gives a node (MaxNodeScore).
const Max = 100

// Strategy is the scoring strategy of NodeResourcesFit.
type Strategy uint8

const (
	LeastAllocated           Strategy = iota // prefers empty nodes
	MostAllocated                            // prefers full nodes: bin packing
	RequestedToCapacityRatio                 // scores the utilization by a piecewise linear function
)

// Point is a point of the RequestedToCapacityRatio function: the score, from 0 to 10, at a utilization in percent.
type Point struct{ Utilization, Score int64 }

// Fit has the parameters of NodeResourcesFit.
type Fit struct {
	Strategy Strategy
	Shape    []Point // points for RequestedToCapacityRatio, by ascending utilization
}

// Use is the use of one resource on a node, including the request of the pod being scheduled.
type Use struct{ Requested, Allocatable, Weight int64 }

// Of returns the NodeResourcesFit score of a node, from 0 to Max: the weighted mean over its
// resources. It skips resources that the node does not have.
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
	requested := min(u.Requested, u.Allocatable)
	switch p.Strategy {
	case MostAllocated:
		return requested * Max / u.Allocatable
	case RequestedToCapacityRatio:
		return p.shaped(requested * 100 / u.Allocatable)
	}
	return (u.Allocatable - requested) * Max / u.Allocatable
}

// shaped returns the score at a utilization in percent, interpolated between the points of the
// shape.
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

// Balanced returns the NodeResourcesBalancedAllocation score, which is higher if the used shares of
// CPU and memory are closer to each other.
func Balanced(cpu, memory Use) int64 {
	if cpu.Allocatable == 0 || memory.Allocatable == 0 {
		return Max
	}
	return int64((1 - math.Abs((cpu.share()-memory.share())/2)) * Max)
}

func (u Use) share() float64 { return min(1, float64(u.Requested)/float64(u.Allocatable)) }

// The image score is 0 up to leastImage bytes and Max from mostImage bytes.
const (
	leastImage = 23 << 20
	mostImage  = 1000 << 20 // per container
)

// Image returns the ImageLocality score. bytes is the size of the pod's images on the node, each
// weighted by the share of nodes that have the image.
func Image(bytes int64, containers int) int64 {
	most := int64(mostImage) * int64(containers)
	return Max * (min(max(bytes, leastImage), most) - leastImage) / (most - leastImage)
}

// Normalize scales a score that is at least 0 so that the highest becomes Max. If reverse is true,
// lower scores are better.
func Normalize(score, highest int64, reverse bool) int64 {
	if highest > 0 {
		score = Max * score / highest
	}
	if reverse {
		return Max - score
	}
	return score
}

// Spread returns the contribution of one constraint to the PodTopologySpread score of a node,
// before normalization. pods is the number of matching pods in the node's domain.
func Spread(pods int64, maxSkew int, weight float64) float64 {
	return float64(float64(pods)*weight) + float64(maxSkew-1)
}

// SpreadWeight returns the weight of a constraint in [Spread], which makes constraints with
// different numbers of domains comparable.
func SpreadWeight(domains int) float64 { return stats.Log(float64(domains + 2)) }

// NormalizeSpread maps the sum of [Spread] over the constraints to 0…Max. Fewer pods score higher.
func NormalizeSpread(score, lowest, highest int64) int64 {
	if highest == 0 {
		return Max
	}
	return Max * (highest + lowest - score) / highest
}

// NormalizeAffinity maps the range from lowest to highest to 0…Max; 0 if all scores are equal.
func NormalizeAffinity(score, lowest, highest int64) int64 {
	if highest <= lowest {
		return 0
	}
	return int64(Max * (float64(score-lowest) / float64(highest-lowest)))
}
