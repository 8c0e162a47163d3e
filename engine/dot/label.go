package dot

import (
	"math"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/graph"
	"berth/engine/show"
)

// labelData is a label in the thesis's dialect, split into its type and the rest:
// "cpu - amount:1 - cost:2" into "cpu" and "amount:1 - cost:2".
type labelData struct {
	label, rest string
	numeric     bool // the first figure starts like a number
}

// known reports whether any kind of element has a label of this type.
func (d labelData) known() bool {
	return slices.ContainsFunc(elementKinds[:], func(on graph.ElementKind) bool { return graph.Lookup(on, d.label) != nil })
}

// splitLabel splits a label. ok is false unless it has the form "type - field:figure...".
func splitLabel(s string) (labelData, bool) {
	label, rest, ok := strings.Cut(s, "-")
	label, rest = strings.TrimSpace(label), strings.TrimLeft(rest, "- \t")
	if !ok || !isWord(label) && !strings.Contains(label, "/") {
		return labelData{}, false
	}
	name, figure, ok := strings.Cut(rest, ":")
	name = strings.TrimSpace(name)
	if !ok || !isWord(name) || !isWord(label) && name != "request" && name != "amount" {
		return labelData{}, false
	}
	figure = strings.TrimLeft(figure, " \t+-.")
	return labelData{label, rest, figure != "" && digit(figure[0])}, true
}

func isWord(s string) bool {
	for i := range len(s) {
		if !letter(s[i]) && !digit(s[i]) {
			return false
		}
	}
	return s != "" && !digit(s[0])
}

// nextField splits the first field off "field:figure - field:figure". A dash that directly precedes
// a figure or belongs to an exponent is a sign, any other dash is a separator.
func nextField(s string) (name, value, rest string) {
	name, s, _ = strings.Cut(s, ":")
	s = strings.TrimLeft(s, " \t")
	stop := figureEnd(s)
	return strings.TrimSpace(name), strings.TrimSpace(s[:stop]), strings.TrimLeft(s[stop:], "- \t")
}

// figureEnd returns where the figure at the beginning of s ends.
func figureEnd(s string) int {
	for i := 0; ; i++ {
		dash := strings.IndexByte(s[i:], '-')
		if dash < 0 {
			return len(s)
		}
		i += dash
		if sign := i == 0 && len(s) > 1 && s[1] != ' ' && s[1] != '-' || exponent(s[:i]); !sign {
			return i
		}
	}
}

// exponent reports whether a dash after s is the sign of an exponent.
func exponent(s string) bool {
	n := len(s)
	return n > 1 && (s[n-1] == 'e' || s[n-1] == 'E') && (digit(s[n-2]) || s[n-2] == '.')
}

// number parses a figure. It reports an error and returns NaN if the figure is invalid.
func (p *attributeReader) number(e subject, f labelField, s string, at int) float64 {
	spec := &f.label.Fields[f.index]
	value, ok := show.ParseNumber(s)
	if spec.Word && (s == "true" || s == "false") {
		value, ok = map[string]float64{"true": 1}[s], true
	}
	var wrong string
	switch {
	case s == "":
		wrong = "empty"
	case math.IsInf(value, 0) || math.IsNaN(value):
		wrong = "not finite"
	case !ok:
		wrong = "not a number"
	case spec.Flag && value != 0 && value != 1:
		wrong = "neither 0 nor 1"
	case math.Signbit(value) && value != 0:
		wrong = "negative"
	case value > graph.MaxFigure:
		wrong = "too large"
	default:
		return value + 0 // turns -0 into 0
	}
	p.add(diag.Error, at, e, f.name(), badFigure, e, f.name(), f.label.Name, show.Quote(s), wrong, wanted(f))
	return math.NaN()
}

func wanted(f labelField) string {
	spec, s := f.label.Fields[f.index], "a number that is not negative"
	if spec.Flag {
		return "0 or 1"
	}
	if spec.Unit != "" {
		s += " (" + spec.Unit + ")"
	}
	return s
}
