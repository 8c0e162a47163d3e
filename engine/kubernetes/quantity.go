package kubernetes

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// MaxQuantity is the largest quantity, in thousandths: what Kubernetes takes, too.
const MaxQuantity = 1<<63 - 1

var shifts = [...]uint{'K': 10, 'M': 20, 'G': 30}

// scales are what the suffixes of a quantity stand for: a power of ten, or one of 1,024.
var scales = map[string]struct{ ten, kibi int }{
	"": {}, "n": {ten: -9}, "u": {ten: -6}, "m": {ten: -3},
	"k": {ten: 3}, "M": {ten: 6}, "G": {ten: 9}, "T": {ten: 12}, "P": {ten: 15}, "E": {ten: 18},
	"Ki": {kibi: 1}, "Mi": {kibi: 2}, "Gi": {kibi: 3}, "Ti": {kibi: 4}, "Pi": {kibi: 5}, "Ei": {kibi: 6},
}

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
	value, ok := decimalOf(strings.TrimLeft(number, "+-"))
	if !ok || len(text) > 64 {
		return 0, fmt.Errorf("%.70q is not a quantity: expected a number such as 250m, 0.5, 1e3 or 1Gi", text)
	}
	scale, ok := scales[suffix]
	if !ok {
		if scale.ten, ok = exponentOf(suffix); !ok {
			return 0, fmt.Errorf("%.70q is not a quantity: the suffix %q is none of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei", text, suffix)
		}
	}
	if number[0] == '-' && !value.zero() {
		return 0, fmt.Errorf("%.70q is a negative quantity", text)
	}
	for range scale.kibi {
		value.times(1024)
	}
	value.times(parts)
	value.point += scale.ten
	return value.up(), nil
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

// decimal is a number of any length that is not negative: its digits, and how many of them
// are before the point.
type decimal struct {
	digits []byte
	point  int
}

func decimalOf(text string) (d decimal, ok bool) {
	whole, rest, _ := strings.Cut(text, ".")
	if strings.Contains(rest, ".") || whole+rest == "" {
		return d, false
	}
	for _, digit := range []byte(whole + rest) {
		d.digits = append(d.digits, digit-'0')
	}
	d.point = len(whole)
	return d, true
}

func (d *decimal) zero() bool { return len(bytes.Trim(d.digits, "\x00")) == 0 }

// times multiplies it by a factor that is not large.
func (d *decimal) times(factor int64) {
	var carry int64
	for i := len(d.digits) - 1; i >= 0; i-- {
		carry += int64(d.digits[i]) * factor
		d.digits[i], carry = byte(carry%10), carry/10
	}
	for ; carry > 0; carry /= 10 {
		d.digits = slices.Insert(d.digits, 0, byte(carry%10))
		d.point++
	}
}

// up rounds it up to a whole number, at most [MaxQuantity].
func (d *decimal) up() int64 {
	var n int64
	for i := range max(d.point, len(d.digits)) {
		var digit int64
		if i < len(d.digits) {
			digit = int64(d.digits[i])
		}
		switch {
		case i >= d.point && digit > 0:
			return n + min(1, MaxQuantity-n)
		case i >= d.point:
		case n > (MaxQuantity-digit)/10:
			return MaxQuantity
		default:
			n = 10*n + digit
		}
	}
	return n
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
