package improve

// xorshift is Marsaglia's xorshift generator (Journal of Statistical Software 8:14, 2003). Its
// state must not be 0.
type xorshift uint64

// next returns 64 random bits.
func (r *xorshift) next() uint64 {
	x := uint64(*r)
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = xorshift(x)
	return x
}

// below returns a random number in [0, n).
func (r *xorshift) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }
