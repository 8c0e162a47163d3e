package sim

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"berth/engine/stats"
)

// Random is a stream of pseudo-random numbers. Equal seeds and streams give
// equal numbers on every platform.
type Random struct{ pcg rand.PCG }

// NewRandom returns one of the streams of a seed. Use a separate stream for each purpose, so that
// draws for one purpose do not change the numbers of another.
func NewRandom(seed, stream uint64) *Random {
	r := new(Random)
	r.pcg.Seed(seed, stream)
	return r
}

// Uint64 returns 64 random bits.
func (r *Random) Uint64() uint64 { return r.pcg.Uint64() }

// IntN returns a number in [0, n); n must be positive. It takes the high word of a product, which
// has a bias below n/2⁶⁴.
func (r *Random) IntN(n int) int {
	high, _ := bits.Mul64(r.pcg.Uint64(), uint64(n))
	return int(high)
}

// Float64 returns a number in [0, 1), a multiple of 2⁻⁵³.
func (r *Random) Float64() float64 { return float64(r.pcg.Uint64()>>11) / (1 << 53) }

// Exponential returns an exponentially distributed number of mean 1.
func (r *Random) Exponential() float64 { return -stats.Log(1 - r.Float64()) }

// Normal returns a normally distributed number of mean 0 and variance 1, by the Box–Muller
// transform.
func (r *Random) Normal() float64 {
	radius := math.Sqrt(-2 * stats.Log(1-r.Float64()))
	return radius * stats.Cos(2*math.Pi*r.Float64())
}

// Permutation returns the numbers 0 … n−1 in random order.
func (r *Random) Permutation(n int) []int {
	p := make([]int, n)
	r.Permute(p)
	return p
}

// Permute fills p with the numbers 0 … len(p)−1 in random order. It draws len(p) numbers.
func (r *Random) Permute(p []int) {
	for i := range p {
		j := r.IntN(i + 1)
		p[i] = p[j]
		p[j] = i
	}
}
