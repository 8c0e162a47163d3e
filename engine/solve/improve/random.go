package improve

// xorshift is Marsaglia's xorshift generator (Journal of Statistical Software 8:14, 2003). It
// must not be 0.
type xorshift uint64

// next draws 64 bits.
func (r *xorshift) next() uint64 {
	x := uint64(*r)
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = xorshift(x)
	return x
}

// below draws a number from 0 to n - 1.
func (r *xorshift) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }
