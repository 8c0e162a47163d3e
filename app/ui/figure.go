package ui

import (
	"berth/engine/figure"
	"berth/engine/show"
)

// Formed formats a figure in its form: a count, a time, a percentage, a price or a
// plain number. An undefined figure is "–".
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

// InForm returns a cell with a figure that [Formed] formats.
func InForm(form figure.Form, x figure.Number) Cell {
	c := Figure(float64(x))
	c.Text = Formed(form, x)
	return c
}

// Estimate returns a cell with a mean and half the width of its interval. Fractions are
// percentages. All other figures are plain numbers, because a mean of counts need not be whole.
func Estimate(form figure.Form, e figure.Estimate) Cell {
	if form != figure.Part {
		form = figure.Plain
	}
	c := InForm(form, e.Mean)
	if e.Mean.Defined() && e.HalfWidth.Defined() {
		c.Text += " ± " + Formed(form, e.HalfWidth)
	}
	return c
}

// Simulated formats a time in a simulation: "3 600 s", "2.5 h", "13.6 days".
func Simulated(seconds float64) string {
	switch {
	case seconds < 2*3600:
		return Unit(seconds, "s")
	case seconds < 2*86400:
		return Unit(seconds/3600, "h")
	}
	return Unit(seconds/86400, "days")
}
