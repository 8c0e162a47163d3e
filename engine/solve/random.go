package solve

// Random is Marsaglia's xorshift generator (Journal of Statistical Software 8:14, 2003). It
// must not be 0.
type Random uint64

// Next draws 64 bits.
func (r *Random) Next() uint64 {
	x := uint64(*r)
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = Random(x)
	return x
}

// Below draws a number from 0 to n - 1.
func (r *Random) Below(n int) int { return int(r.Next() >> 32 * uint64(n) >> 32) }
