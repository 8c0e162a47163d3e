package manifest

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// MaxQuantity is the largest quantity that Kubernetes allows.
const MaxQuantity = 1<<63 - 1

// scales maps the suffixes of quantities to powers of 10 or of 1024.
var scales = map[string]struct {
	ten  int
	kibi uint
}{
	"": {}, "n": {ten: -9}, "u": {ten: -6}, "m": {ten: -3},
	"k": {ten: 3}, "M": {ten: 6}, "G": {ten: 9}, "T": {ten: 12}, "P": {ten: 15}, "E": {ten: 18},
	"Ki": {kibi: 1}, "Mi": {kibi: 2}, "Gi": {kibi: 3}, "Ti": {kibi: 4}, "Pi": {kibi: 5}, "Ei": {kibi: 6},
}

// ParseQuantity parses a non-negative Kubernetes quantity (250m, 1Gi, 1e3, 0.5) as a
// number of parts of its unit: parts is 1000 for thousandths and 1 for whole units.
// Like Kubernetes it rounds fractions of a part up and caps the result at
// [MaxQuantity].
func ParseQuantity(text string, parts int64) (int64, error) {
	number, suffix := cutNumber(text)
	scale, ok := scales[suffix]
	if whole, err := strconv.ParseUint(number, 10, 20); err == nil && ok && len(text) <= 64 { // the common case
		switch {
		case scale.ten == 0 && scale.kibi <= 3:
			return int64(whole) * parts << (10 * scale.kibi), nil
		case scale.ten == -3 && parts == 1000:
			return int64(whole), nil
		}
	}
	whole, fraction, _ := strings.Cut(strings.TrimLeft(number, "+-"), ".")
	value, valid := new(big.Int), len(text) <= 64
	if valid {
		_, valid = value.SetString(whole+fraction, 10)
	}
	if !valid {
		return 0, fmt.Errorf("%.70q is not a quantity: expected a number such as 250m, 0.5, 1e3 or 1Gi", text)
	}
	if !ok {
		if scale.ten, ok = exponentOf(suffix); !ok {
			return 0, fmt.Errorf("%.70q is not a quantity: the suffix %q is none of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei", text, suffix)
		}
	}
	if number[0] == '-' && value.Sign() != 0 {
		return 0, fmt.Errorf("%.70q is a negative quantity", text)
	}
	value.Lsh(value.Mul(value, big.NewInt(parts)), 10*scale.kibi)
	if up := scale.ten - len(fraction); up >= 0 {
		value.Mul(value, ten(up))
	} else {
		down := ten(-up)
		value.Quo(value.Add(value, down).Sub(value, big.NewInt(1)), down)
	}
	if !value.IsInt64() {
		return MaxQuantity, nil
	}
	return value.Int64(), nil
}

func ten(power int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil)
}

// cutNumber separates a quantity into a signed decimal and its suffix.
func cutNumber(text string) (number, suffix string) {
	end := 0
	for end < len(text) && (strings.IndexByte("0123456789.", text[end]) >= 0 || end == 0 && (text[0] == '+' || text[0] == '-')) {
		end++
	}
	return text[:end], text[end:]
}

// exponentOf parses an exponent such as e3 or E-3, with at most two digits.
// Kubernetes allows more, but no realistic quantity needs them.
func exponentOf(suffix string) (int, bool) {
	if suffix == "" || suffix[0] != 'e' && suffix[0] != 'E' {
		return 0, false
	}
	n, err := strconv.Atoi(suffix[1:])
	return n, err == nil && len(strings.TrimLeft(suffix[1:], "+-")) <= 2
}
