package manifest_test

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"berth/engine/kube/manifest"
)

// A quantity equals the result of exact fractions, rounded up.
func TestQuantitiesAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	suffixes := map[string]*big.Rat{"": big.NewRat(1, 1), "n": big.NewRat(1, 1e9), "m": big.NewRat(1, 1000), "k": big.NewRat(1000, 1), "E": big.NewRat(1e18, 1),
		"Ki": big.NewRat(1<<10, 1), "Ti": big.NewRat(1<<40, 1), "Ei": big.NewRat(1<<60, 1), "e3": big.NewRat(1000, 1), "E-2": big.NewRat(1, 100)}
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(strconv.Itoa(rng.IntN(10)))
		}
		return b.String()
	}
	for range 20_000 {
		number := digits(1 + rng.IntN(20))
		switch rng.IntN(3) {
		case 0:
			number += "." + digits(rng.IntN(20))
		case 1:
			number = "0." + strings.Repeat("0", rng.IntN(12)) + digits(1+rng.IntN(5))
		}
		for suffix, factor := range suffixes {
			for _, parts := range []int64{1, 1000} {
				value, _ := new(big.Rat).SetString(number)
				value.Mul(value, factor).Mul(value, big.NewRat(parts, 1))
				want, rest := new(big.Int).QuoRem(value.Num(), value.Denom(), new(big.Int))
				if rest.Sign() > 0 {
					want.Add(want, big.NewInt(1))
				}
				if !want.IsInt64() {
					want.SetInt64(manifest.MaxQuantity)
				}
				if got, err := manifest.ParseQuantity(number+suffix, parts); err != nil || got != want.Int64() {
					t.Fatalf("%s%s in parts of %d is %d (%v), want %s", number, suffix, parts, got, err, want)
				}
			}
		}
	}
}
