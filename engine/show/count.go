package show

import (
	"math"
	"strconv"
	"strings"
)

// Count formats a number of things. thing is the singular: "1 job", "2 jobs", "2 dependencies", "2
// passes".
func Count[N int | int64](n N, thing string) string {
	return strconv.FormatInt(int64(n), 10) + " " + Noun(n, thing)
}

// thinSpace is a narrow no-break space.
const thinSpace = "\u202f"

// Grouped is [Count] with the digits grouped: "1 200 jobs".
func Grouped[N int | int64](n N, thing string) string {
	return Group(strconv.FormatInt(int64(n), 10)) + " " + Noun(n, thing)
}

// Group inserts thin spaces between the thousands of a number without a sign.
func Group(digits string) string {
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(whole) <= 3 {
		return digits
	}
	var b strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(thinSpace)
		}
		b.WriteRune(digit)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// Figure formats an amount with three significant digits, or with all digits before the decimal
// point if these are more.
func Figure(x float64) string {
	if x >= 999.5 {
		return Group(strconv.FormatFloat(x, 'f', 0, 64))
	}
	return strconv.FormatFloat(significant(x), 'f', -1, 64)
}

// significant rounds to three significant digits.
func significant(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return rounded
}

// Seconds formats a time in s with its customary units: "0.4 ms", "12.3 s", "3 min 20 s", "21 h 49
// min", "6 d 9 h".
func Seconds(s float64) string {
	if s == 0 {
		return "0" + thinSpace + "s"
	}
	for _, small := range []struct {
		below, times float64
		unit         string
	}{{0.9995e-3, 1e6, "µs"}, {0.9995, 1e3, "ms"}, {119.5, 1, "s"}} {
		if s < small.below {
			return Figure(small.times*s) + thinSpace + small.unit
		}
	}
	const minute, hour, day = 60, 60 * 60, 24 * 60 * 60
	pair := func(large, small float64, units [2]string) string {
		n := math.Round(s / small)
		per := large / small
		return Figure(math.Floor(n/per)) + thinSpace + units[0] + " " + Figure(math.Mod(n, per)) + thinSpace + units[1]
	}
	switch {
	case s < 2*hour:
		return pair(minute, 1, [2]string{"min", "s"})
	case s < 2*day:
		return pair(hour, minute, [2]string{"h", "min"})
	}
	return pair(day, hour, [2]string{"d", "h"})
}

// Percent formats a fraction: 0.714 is "71.4 %". Above 99 % it keeps three significant digits of
// the difference to 100 %, so that 0.99996 does not become 100 %.
func Percent(part float64) string {
	p := float64(100 * part)
	text := Figure(p)
	if 99 < p && p < 100 {
		text = strconv.FormatFloat(100-significant(100-p), 'f', 6, 64)
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + thinSpace + "%"
}

// Noun returns the singular for n = 1, otherwise the plural.
func Noun[N int | int64](n N, thing string) string {
	stem, y := strings.CutSuffix(thing, "y")
	switch {
	case n == 1:
		return thing
	case y:
		return stem + "ies"
	case strings.HasSuffix(thing, "s"):
		return thing + "es"
	}
	return thing + "s"
}

// Verb returns one for n = 1, otherwise many.
func Verb[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Money formats a price with one decimal, so that the prices of two large placements still differ.
// A price below 1 gets three significant digits, so that it is not rounded to 0. NaN is a dash.
func Money[N ~float64](v N) string {
	switch {
	case v != v:
		return "–"
	case -1 < v && v < 1:
		return Figure(float64(v))
	}
	return Group(strconv.FormatFloat(math.Round(10*float64(v))/10, 'f', -1, 64))
}
