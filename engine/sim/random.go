package sim

import (
	"math"
	"math/bits"

	"berth/engine/stats"
)

// Random is a stream of pseudo-random numbers, the same as of [math/rand/v2.PCG]. Equal seeds and
// streams give equal numbers on every platform.
type Random struct{ state uint128 }

// NewRandom returns one of the streams of a seed. Use a separate stream for each purpose, so that
// draws for one purpose do not change the numbers of another.
func NewRandom(seed, stream uint64) *Random { return &Random{uint128{seed, stream}} }

// uint128 is a number below 2¹²⁸; its operations wrap around.
type uint128 struct{ high, low uint64 }

func (a uint128) times(b uint128) uint128 {
	high, low := bits.Mul64(a.low, b.low)
	return uint128{high + a.high*b.low + a.low*b.high, low}
}

func (a uint128) plus(b uint128) uint128 {
	low, carry := bits.Add64(a.low, b.low, 0)
	return uint128{a.high + b.high + carry, low}
}

// multiplier and increment return the constants of the generator's step.
func multiplier() uint128 { return uint128{2549297995355413924, 4865540595714422341} }
func increment() uint128  { return uint128{6364136223846793005, 1442695040888963407} }

// next returns the state after a.
func (a uint128) next() uint128 { return a.times(multiplier()).plus(increment()) }

// number returns the random bits of a state: DXSM, "double xorshift multiply".
func (a uint128) number() uint64 {
	x := (a.high ^ a.high>>32) * 0xda942042e4dd58b5
	return (x ^ x>>48) * (a.low | 1)
}

// Uint64 returns 64 random bits.
func (r *Random) Uint64() uint64 {
	r.state = r.state.next()
	return r.state.number()
}

// Skip skips n draws in O(log n): it doubles the step for each bit of n.
func (r *Random) Skip(n int) {
	for times, plus := multiplier(), increment(); n > 0; n >>= 1 {
		if n&1 != 0 {
			r.state = r.state.times(times).plus(plus)
		}
		times, plus = times.times(times), plus.times(times).plus(plus)
	}
}

// IntN returns a number in [0, n); n must be positive. It takes the high word of a product, which
// has a bias below n/2⁶⁴.
func (r *Random) IntN(n int) int {
	high, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(high)
}

// Float64 returns a number in [0, 1), a multiple of 2⁻⁵³.
func (r *Random) Float64() float64 { return float64(r.Uint64()>>11) / (1 << 53) }

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
	state := r.state // in registers
	for i := range p {
		state = state.next()
		j, _ := bits.Mul64(state.number(), uint64(i+1))
		p[i] = p[j]
		p[j] = i
	}
	r.state = state
}
