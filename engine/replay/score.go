package replay

import (
	"math"

	"berth/engine/stats"
)

// maxScore is the best score of a node, as plug-ins give it.
const maxScore = 100

// The scorers below are pure functions of amounts and counts. They follow the plug-ins
// of kube-scheduler v1.34 to the bit, with its whole divisions.

// use is how much of a resource is requested on a node with the pod that is scored.
type use struct{ requested, allocatable, weight int64 }

// fitScore scores the resources of a node by a strategy.
func (p *Profile) fitScore(uses []use) int64 {
	var sum, weights int64
	for _, u := range uses {
		if u.allocatable == 0 {
			continue
		}
		score := p.resourceScore(u)
		if p.Fit == RequestedToCapacityRatio && score == 0 {
			continue
		}
		sum += score * u.weight
		weights += u.weight
	}
	switch {
	case weights == 0:
		return 0
	case p.Fit == RequestedToCapacityRatio:
		return int64(math.Round(float64(sum) / float64(weights)))
	}
	return sum / weights
}

func (p *Profile) resourceScore(u use) int64 {
	switch p.Fit {
	case MostAllocated:
		return min(u.requested, u.allocatable) * maxScore / u.allocatable
	case RequestedToCapacityRatio:
		if u.requested > u.allocatable {
			return p.shaped(100)
		}
		return p.shaped(u.requested * 100 / u.allocatable)
	}
	if u.requested > u.allocatable {
		return 0
	}
	return (u.allocatable - u.requested) * maxScore / u.allocatable
}

// shaped is the score at a utilisation, linear between the points of the shape.
func (p *Profile) shaped(utilization int64) int64 {
	const scale = maxScore / 10
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

// balancedScore is higher the closer the shares of CPU and memory are to each other.
func balancedScore(cpu, memory use) int64 {
	if cpu.allocatable == 0 || memory.allocatable == 0 {
		return maxScore
	}
	return int64((1 - math.Abs((cpu.share()-memory.share())/2)) * maxScore)
}

func (u use) share() float64 { return min(1, float64(u.requested)/float64(u.allocatable)) }

// The sizes of images between which their score rises, in bytes.
const (
	leastImage = 23 << 20
	mostImage  = 1000 << 20 // a container
)

// imageScore is of the bytes of images that a node has, each scaled by the share of nodes
// that have it.
func imageScore(bytes int64, containers int) int64 {
	most := int64(mostImage) * int64(containers)
	return maxScore * (min(max(bytes, leastImage), most) - leastImage) / (most - leastImage)
}

// normalize scales scores to the highest of them; reverse makes the lowest the best.
func normalize(score, highest int64, reverse bool) int64 {
	if highest == 0 {
		if reverse {
			return maxScore
		}
		return score
	}
	score = maxScore * score / highest
	if reverse {
		return maxScore - score
	}
	return score
}

// spreadScore is of the number of pods that count in the domain of a node.
func spreadScore(pods int64, maxSkew int, weight float64) float64 {
	return float64(float64(pods)*weight) + float64(maxSkew-1)
}

// spreadWeight makes the constraints comparable, by how many domains each has.
func spreadWeight(domains int) float64 { return stats.Log(float64(domains + 2)) }

// normalizeSpread prefers the nodes with the fewest pods.
func normalizeSpread(score, lowest, highest int64) int64 {
	if highest == 0 {
		return maxScore
	}
	return maxScore * (highest + lowest - score) / highest
}

// normalizeAffinity puts the scores between the lowest and the highest.
func normalizeAffinity(score, lowest, highest int64) int64 {
	if highest <= lowest {
		return 0
	}
	return int64(maxScore * (float64(score-lowest) / float64(highest-lowest)))
}
