package chart

import (
	"slices"
	"strconv"
	"strings"
)

// Style is the look of a series: the name of a colour of berth.css ("series-1" to "series-8",
// "gold", "silver", "bronze", "part-1" to "part-4"). The scripts add a dash, a symbol and a pattern
// to each, so that colour is never the only difference.
type Style string

var classes = map[string]Style{"gold": "gold", "silver": "silver", "bronze": "bronze"}

// StyleOf returns the style of a service class; for an unknown name, the style of its place.
func StyleOf(name string, place int) Style {
	if s, ok := classes[strings.ToLower(name)]; ok {
		return s
	}
	return StyleAt(place)
}

// StyleAt returns the style of a plug-in by its place in its registry, from 0.
func StyleAt(place int) Style { return Style("series-" + strconv.Itoa(place%8+1)) }

// Apart returns styles for plug-ins that are shown together, from their places in a registry. A
// plug-in gets the style of its place. If an earlier plug-in has that style, it gets an unused one,
// as long as one of the eight is left.
func Apart(places []int) []Style {
	all := make([]Style, len(places))
	for i, place := range places {
		for shift := 0; shift < 8 && (shift == 0 || slices.Contains(all[:i], all[i])); shift++ {
			all[i] = StyleAt(place + shift)
		}
		if slices.Contains(all[:i], all[i]) {
			all[i] = StyleAt(place)
		}
	}
	return all
}

// PartAt returns the style of a part of a whole, by its place from 0. Policies and parts share no
// colours, so that they are not confused.
func PartAt(place int) Style { return Style("part-" + strconv.Itoa(place%4+1)) }

// Color returns the colour as CSS.
func (s Style) Color() string { return "var(--" + string(s) + ")" }
