package ui

import (
	"math"
	"strconv"
	"strings"
	"time"

	"berth/engine/show"
)

const (
	thinSpace = "\u202f" // narrow, without a line break
	minus     = "\u2212"
	absent    = "–"
)

// Number formats v with three significant digits. It keeps all digits before the decimal point and
// drops trailing zeros after it; thin spaces separate thousands: 2321.2 is "2 321", 5.5 is "5.5",
// 0.08215 is "0.0822". NaN, an undefined figure, is "–".
func Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return absent
	case math.IsInf(v, 0):
		return sign(v) + "∞"
	case v == 0:
		return "0"
	}
	size := math.Abs(v)
	if size < 1e-4 || size >= 1e15 {
		return sign(v) + scientific(size)
	}
	return sign(v) + show.Group(trimZeros(strconv.FormatFloat(size, 'f', decimals(size), 64)))
}

// Exact formats v with all its digits, for exports and tooltips.
func Exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Unit is [Number] followed by a unit: "31.5 ms".
func Unit(v float64, unit string) string {
	if math.IsNaN(v) {
		return absent
	}
	return Number(v) + thinSpace + unit
}

// Count formats a whole number: 125751 is "125 751".
func Count(n int64) string {
	if n < 0 {
		return minus + show.Group(strings.TrimPrefix(strconv.FormatInt(n, 10), "-"))
	}
	return show.Group(strconv.FormatInt(n, 10))
}

// Counted is [Count] followed by a noun: "1 job", "1 200 jobs".
func Counted[N int | int64](n N, one string) string {
	return Count(int64(n)) + " " + show.Noun(n, one)
}

// Percent formats a fraction of one: 0.714 is "71.4 %".
func Percent(fraction float64) string {
	if 0.99 < fraction && fraction < 1 {
		return show.Percent(fraction)
	}
	return Unit(fraction*100, "%")
}

// Points formats a difference between two fractions of one: 0.032 is "+3.2 points".
func Points(difference float64) string {
	text := Unit(difference*100, "points")
	if difference > 0 {
		text = "+" + text
	}
	return text
}

// Bytes formats a size in decimal units: 9300000 is "9.3 MB".
func Bytes(n int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	v, i := float64(n), 0
	for v >= 999.5 && i < len(units)-1 {
		v /= 1000
		i++
	}
	return Unit(v, units[i])
}

// WithUnit returns a name with the unit of its figures: "limit (s)".
func WithUnit(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " (" + unit + ")"
}

// Duration formats a span like [Seconds].
func Duration(d time.Duration) string { return Seconds(d.Seconds()) }

// Seconds is [show.Seconds] of a time that may be undefined.
func Seconds(s float64) string {
	if math.IsNaN(s) {
		return absent
	}
	return show.Seconds(s)
}

// Short shortens a hash to eight characters, enough to distinguish hashes on screen.
func Short(hash string) string {
	if len(hash) <= 8 {
		return hash
	}
	return hash[:8] + "…"
}

// decimals returns the number of decimals that show three significant digits.
func decimals(size float64) int {
	return max(0, 2-int(math.Floor(math.Log10(size))))
}

func sign(v float64) string {
	if v < 0 {
		return minus
	}
	return ""
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

func scientific(size float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(size, 'e', 2, 64), "e")
	exponent = strings.TrimPrefix(exponent, "+")
	power := superscript.Replace(strings.TrimLeft(strings.TrimPrefix(exponent, "-"), "0"))
	if strings.HasPrefix(exponent, "-") {
		power = "⁻" + power
	}
	return trimZeros(mantissa) + "·10" + power
}

var superscript = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
	"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
