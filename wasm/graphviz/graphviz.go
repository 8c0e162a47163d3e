package graphviz

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berth/engine/dot"
	"berth/engine/show"
)

// Layout is the name of a layout engine of Graphviz. The graph's own attribute
// "layout" takes precedence.
type Layout string

// The layout engines.
const (
	Dot   Layout = "dot"
	Neato Layout = "neato"
	FDP   Layout = "fdp"
	SFDP  Layout = "sfdp"
	Circo Layout = "circo"
	TwoPi Layout = "twopi"
	Osage Layout = "osage" // packs clusters into rows, ignoring edges
)

// Format is a file format of drawings, by the name that Graphviz gives it.
type Format string

// The formats. Only native programs draw PNG and PDF; a page draws the SVG on a
// canvas, and the browser prints it.
const (
	SVG Format = "svg"
	PNG Format = "png"
	PDF Format = "pdf"
)

var (
	layouts = []Layout{Dot, Neato, FDP, SFDP, Circo, TwoPi, Osage}
	formats = []Format{SVG, PNG, PDF}
)

// Options selects layout and format. The zero value means dot and SVG.
type Options struct {
	Layout Layout
	Format Format
}

// Renderer draws DOT. Render blocks until the drawing is complete or ctx ends.
type Renderer interface {
	Render(ctx context.Context, dot []byte, o Options) ([]byte, error)
}

// Limits of drawings.
const (
	// MaxBytes is the maximum length of a DOT text.
	MaxBytes = 4 << 20
	// DefaultLimit is the maximum time that a page waits for one drawing.
	DefaultLimit = 10 * time.Second
)

// ErrTimeLimit is the error of a drawing that exceeds its time limit.
var ErrTimeLimit = errors.New("the graph takes too long to draw: sfdp is the quickest layout, or draw fewer elements")

// known returns an error if the list lacks the name.
func known[T ~string](kind string, name T, all []T) error {
	if slices.Contains(all, name) {
		return nil
	}
	return fmt.Errorf("graphviz: unknown %s %q: want one of %s", kind, name, show.Joined(all, ", ", func(k T) string { return string(k) }))
}

// complete sets the defaults. It rejects input that would crash Graphviz or that Graphviz would
// reject without a message.
func (o Options) complete(dot []byte) (Options, error) {
	o.Layout = cmp.Or(o.Layout, Dot)
	o.Format = cmp.Or(o.Format, SVG)
	return o, errors.Join(known("layout", o.Layout, layouts), known("format", o.Format, formats), checkText(dot))
}

func checkText(text []byte) error {
	if len(text) > MaxBytes {
		return fmt.Errorf("graphviz: the graph has %d bytes: at most %d can be drawn", len(text), MaxBytes)
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return fmt.Errorf("graphviz: byte %d is zero: DOT is text", i)
	}
	if blank(text) {
		return errors.New("graphviz: no graph in the text")
	}
	switch edges, depth := expand(text); {
	case depth > maxDepth:
		return fmt.Errorf("graphviz: subgraphs, record fields or HTML tags nested %d deep: at most %d can be drawn", depth, maxDepth)
	case edges > maxExpansion:
		return fmt.Errorf("graphviz: more than %d edges, too many to draw; an edge between subgraphs counts once for each pair of their nodes", maxExpansion)
	}
	return nil
}

// blank reports whether a text consists only of white space and comments. For such a text Graphviz
// returns no error, or the error of an earlier text.
func blank(text []byte) bool { return dot.NewLexer(text).Peek() == 0 }

// message is the first line of Graphviz's message, with quoted input made safe to
// show.
func message(said string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	return show.Words(first)
}
