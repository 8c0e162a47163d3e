package ui

import (
	"math"

	"berth/engine/figure"
	"berth/engine/show"
)

// Formed writes a figure in its form.
func Formed(form figure.Form, x figure.Number) string {
	switch {
	case !x.Defined():
		return absent
	case form == figure.Count:
		return Count(int64(x))
	case form == figure.Seconds:
		return Seconds(float64(x))
	case form == figure.Span:
		return Simulated(float64(x))
	case form == figure.Part:
		return Percent(float64(x))
	case form == figure.Price:
		return show.Money(x)
	}
	return Number(float64(x))
}

// Estimate is a cell with a mean and half the width of its interval.
func Estimate(e figure.Estimate) Cell {
	if !e.Mean.Defined() {
		return Figure(math.NaN())
	}
	c := Figure(float64(e.Mean))
	if e.HalfWidth.Defined() {
		c.Text += " ± " + Number(float64(e.HalfWidth))
	}
	return c
}

// Simulated writes a time of a simulation: "3 600 s", "2.5 h", "13.6 days".
func Simulated(seconds float64) string {
	switch {
	case seconds < 2*3600:
		return Unit(seconds, "s")
	case seconds < 2*86400:
		return Unit(seconds/3600, "h")
	}
	return Unit(seconds/86400, "days")
}
