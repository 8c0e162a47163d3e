package kubernetes

import (
	"fmt"
	"math/big"
	"strings"
)

// MaxQuantity is the largest quantity, in thousandths: what Kubernetes takes, too.
const MaxQuantity = 1<<63 - 1

var shifts = [...]uint{'K': 10, 'M': 20, 'G': 30}

// factors are what the suffixes of a quantity multiply it by.
var factors = map[string]*big.Rat{
	"": decimalPower(0), "n": decimalPower(-9), "u": decimalPower(-6), "m": decimalPower(-3),
	"k": decimalPower(3), "M": decimalPower(6), "G": decimalPower(9), "T": decimalPower(12), "P": decimalPower(15), "E": decimalPower(18),
	"Ki": binaryPower(10), "Mi": binaryPower(20), "Gi": binaryPower(30), "Ti": binaryPower(40), "Pi": binaryPower(50), "Ei": binaryPower(60),
}

func decimalPower(e int) *big.Rat {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), power)
	}
	return new(big.Rat).SetInt(power)
}

func binaryPower(e uint) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), e)) }

// ParseQuantity reads a quantity of Kubernetes (250m, 1Gi, 1e3, 0.5) in parts of
// its unit: 1000 for thousandths, 1 for whole units. As there, what is below a
// part is rounded away from zero, and what is too large is the largest there is.
func ParseQuantity(text string, parts int64) (int64, error) {
	number, suffix := cutNumber(text)
	if whole, ok := smallInteger(number); ok && whole < 1<<20 { // as most are
		switch {
		case suffix == "":
			return whole * parts, nil
		case suffix == "m" && parts == 1000:
			return whole, nil
		case suffix == "Ki" || suffix == "Mi" || suffix == "Gi":
			return whole * parts << shifts[suffix[0]], nil
		}
	}
	value, ok := decimalNumber(number)
	if !ok || len(text) > 64 {
		return 0, fmt.Errorf("%.70q is not a quantity: expected a number such as 250m, 0.5, 1e3 or 1Gi", text)
	}
	factor, ok := factors[suffix]
	if !ok {
		exponent, isExponent := exponentOf(suffix)
		if !isExponent {
			return 0, fmt.Errorf("%.70q is not a quantity: the suffix %q is none of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei", text, suffix)
		}
		factor = decimalPower(exponent)
	}
	value.Mul(value, factor)
	if value.Sign() < 0 {
		return 0, fmt.Errorf("%.70q is a negative quantity", text)
	}
	value.Mul(value, new(big.Rat).SetInt64(parts))
	rounded, rest := new(big.Int).QuoRem(value.Num(), value.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		rounded.Add(rounded, big.NewInt(1))
	}
	if !rounded.IsInt64() {
		return MaxQuantity, nil
	}
	return rounded.Int64(), nil
}

// smallInteger reads digits alone, which most quantities are.
func smallInteger(text string) (int64, bool) {
	if text == "" || len(text) > 12 {
		return 0, false
	}
	var n int64
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = 10*n + int64(text[i]-'0')
	}
	return n, true
}

// cutNumber cuts a signed decimal off the head of a quantity.
func cutNumber(text string) (number, suffix string) {
	end := 0
	for end < len(text) && (strings.IndexByte("0123456789.", text[end]) >= 0 || end == 0 && (text[0] == '+' || text[0] == '-')) {
		end++
	}
	return text[:end], text[end:]
}

func decimalNumber(text string) (*big.Rat, bool) {
	digits := strings.TrimLeft(text, "+-")
	if strings.Count(digits, ".") > 1 || strings.Trim(digits, ".") == "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// exponentOf reads e3 or E-3. Kubernetes takes an exponent of any size; here it
// has two digits at most, which is more than any quantity needs.
func exponentOf(suffix string) (int, bool) {
	if len(suffix) < 2 || suffix[0] != 'e' && suffix[0] != 'E' {
		return 0, false
	}
	sign, digits := 1, suffix[1:]
	switch digits[0] {
	case '-':
		sign, digits = -1, digits[1:]
	case '+':
		digits = digits[1:]
	}
	n, ok := smallInteger(digits)
	return sign * int(n), ok && len(digits) <= 2
}
