package graphviz

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Layout names one of Graphviz's layout engines. An attribute "layout" of the
// graph itself takes precedence over it.
type Layout string

// The layout engines.
const (
	Dot   Layout = "dot"
	Neato Layout = "neato"
	FDP   Layout = "fdp"
	SFDP  Layout = "sfdp"
	Circo Layout = "circo"
	TwoPi Layout = "twopi"
)

// Format names a file format.
type Format string

// The formats. PNG is drawn by native programs only; a page draws the SVG on a
// canvas instead.
const (
	SVG Format = "svg"
	PNG Format = "png"
)

var (
	layouts = []Layout{Dot, Neato, FDP, SFDP, Circo, TwoPi}
	formats = []Format{SVG, PNG}
)

// Options says how to draw a graph. The zero value stands for dot and SVG.
type Options struct {
	Layout Layout
	Format Format
}

// Bounds of what is drawn.
const (
	// MaxBytes is the size of the longest text that is accepted.
	MaxBytes = 4 << 20
	// DefaultLimit is the longest time that a page waits for one drawing.
	DefaultLimit = 10 * time.Second
)

// ErrTimeLimit says that a drawing took longer than its time limit.
var ErrTimeLimit = errors.New("the graph takes too long to draw: sfdp is the quickest layout, or draw fewer elements")

// ParseLayout returns the layout of that name.
func ParseLayout(name string) (Layout, error) {
	return parse("layout", name, layouts)
}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	return parse("format", name, formats)
}

func parse[T ~string](kind, name string, known []T) (T, error) {
	if slices.Contains(known, T(name)) {
		return T(name), nil
	}
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	return "", fmt.Errorf("graphviz: unknown %s %q: want one of %s", kind, name, strings.Join(names, ", "))
}

// Suggest returns the layout for a graph with that many elements (nodes and
// clusters): dot, which shows structure best, as long as it takes no longer than
// about a second, and sfdp above.
func Suggest(elements int) Layout {
	if elements <= Dot.comfort() {
		return Dot
	}
	return SFDP
}

// Advise warns of a layout that takes seconds or more for that many elements. It
// returns "" where there is nothing to warn of.
func Advise(layout Layout, elements int) string {
	most := layout.comfort()
	if layout == SFDP || elements <= most {
		return ""
	}
	return fmt.Sprintf("%s is slow above %d elements and there are %d: sfdp is quicker", layout, most, elements)
}

// comfort is the number of elements up to which a layout takes about a second.
func (l Layout) comfort() int {
	switch l {
	case Circo, TwoPi, FDP:
		return 100
	default:
		return 500
	}
}

// complete fills in the defaults and refuses what Graphviz would not survive or
// not explain.
func (o Options) complete(dot []byte) (Options, error) {
	if o.Layout == "" {
		o.Layout = Dot
	}
	if o.Format == "" {
		o.Format = SVG
	}
	_, layoutErr := ParseLayout(string(o.Layout))
	_, formatErr := ParseFormat(string(o.Format))
	return o, errors.Join(layoutErr, formatErr, checkText(dot))
}

func checkText(dot []byte) error {
	if len(dot) > MaxBytes {
		return fmt.Errorf("graphviz: the graph has %d bytes: at most %d can be drawn", len(dot), MaxBytes)
	}
	if i := bytes.IndexByte(dot, 0); i >= 0 {
		return fmt.Errorf("graphviz: byte %d is zero: DOT is text", i)
	}
	if blank(dot) {
		return errors.New("graphviz: no graph in the text")
	}
	if d := depth(dot); d > maxDepth {
		return fmt.Errorf("graphviz: subgraphs, record fields or HTML tags nested %d deep: at most %d can be drawn", d, maxDepth)
	}
	return nil
}
