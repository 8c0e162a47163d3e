package kubernetes

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// MaxQuantity is the largest quantity, as in Kubernetes.
const MaxQuantity = 1<<63 - 1

var shifts = [...]uint{'K': 10, 'M': 20, 'G': 30}

// scales maps the suffixes of quantities to powers of 10 or of 1024.
var scales = map[string]struct{ ten, kibi int }{
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
	if whole, ok := smallInteger(number); ok && whole < 1<<20 { // the common case
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

// smallInteger parses up to 12 digits without sign or point.
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

// cutNumber separates a quantity into a signed decimal and its suffix.
func cutNumber(text string) (number, suffix string) {
	end := 0
	for end < len(text) && (strings.IndexByte("0123456789.", text[end]) >= 0 || end == 0 && (text[0] == '+' || text[0] == '-')) {
		end++
	}
	return text[:end], text[end:]
}

// decimal is a non-negative number of any length. The decimal point follows digit
// number point; digits beyond the slice are 0.
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

// times multiplies d by a small factor.
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

// up rounds up to an integer, capped at [MaxQuantity].
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

// exponentOf parses an exponent such as e3 or E-3, with at most two digits.
// Kubernetes allows more, but no realistic quantity needs them.
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
