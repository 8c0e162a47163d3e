// Package plural writes how many there are of something.
package plural

import (
	"strconv"
	"strings"
)

// Of writes a number of things of which one is called thing: "1 job", "2 jobs",
// "2 dependencies", "2 passes".
func Of[N int | int64](n N, thing string) string {
	return strconv.FormatInt(int64(n), 10) + " " + Noun(n, thing)
}

// Noun is what n things are called.
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

// Verb chooses the form for n things.
func Verb[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
