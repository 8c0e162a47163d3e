package chart

import (
	"slices"
	"strconv"
	"strings"
)

// Style is the look of a series: the name of a colour of berth.css
// ("series-1" to "series-8", "gold", "silver", "bronze", "part-1" to "part-4"). The scripts give each
// a dash, a symbol and a pattern as well, so that nothing depends on colour
// alone.
type Style string

// classes are the service classes that look the same in the whole site.
var classes = map[string]Style{"gold": "gold", "silver": "silver", "bronze": "bronze"}

// StyleOf is the style of a service class; any other name gets the style of its
// place among its like.
func StyleOf(name string, place int) Style {
	if s, ok := classes[strings.ToLower(name)]; ok {
		return s
	}
	return StyleAt(place)
}

// StyleAt is the style of a plug-in by its place in its registry, from 0.
func StyleAt(place int) Style { return Style("series-" + strconv.Itoa(place%8+1)) }

// Apart are the styles of plug-ins that are shown together, by their places in a registry:
// each has that of its place, unless one before it has that and another of the eight is left.
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

// PartAt is the style of one part of a whole, from 0: policies and parts share no
// colour, so that none is taken for the other.
func PartAt(place int) Style { return Style("part-" + strconv.Itoa(place%4+1)) }

// Color is the colour as CSS.
func (s Style) Color() string { return "var(--" + string(s) + ")" }

// or is the style itself, or that of a name where none was chosen.
func (s Style) or(name string, place int) Style {
	if s != "" {
		return s
	}
	return StyleOf(name, place)
}

// named is what the scripts need to know of a series.
func named(name string, s Style, place int) map[string]any {
	return map[string]any{"name": name, "style": string(s.or(name, place))}
}
