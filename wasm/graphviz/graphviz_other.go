//go:build !js

package graphviz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/goccy/go-graphviz"
	"github.com/goccy/go-graphviz/cgraph"
	"github.com/goccy/go-graphviz/gvc"
	"github.com/tetratelabs/wazero/sys"

	"berth/wasm/graphviz/cachefolder"
	"berth/wasm/graphviz/painting"
)

// Limits that keep Graphviz, which does not check its memory, within its 4 GiB.
const (
	maxNodes    = 5000 // neato stores a number for each pair of nodes
	maxEdges    = 50_000
	maxDotEdges = 3000 // each may need a place in every rank between its ends
	maxCirco    = 1000 // circo recurses along a row of nodes; see maxDepth
)

func init() { cachefolder.Restore() } // runs after the initialization of go-graphviz, which this package imports

// The whole process has one WebAssembly instance with Graphviz's state. A caller
// holds the token while it draws; after a crash all further drawings fail.
var (
	token    = make(chan struct{}, 1)
	crashed  error
	errCrash = errors.New("graphviz: Graphviz crashed")
	instance = sync.OnceValues(func() (*gvc.Context, error) {
		graphviz.SetFileSystem(noFiles{}) // a drawing must depend only on its text
		return gvc.New(context.Background())
	})
)

// noFiles is an empty file system.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Render draws a graph. The error is Graphviz's own message, or names the limit that the graph
// exceeds. When ctx ends, Render returns at once. The drawing continues in the background, because
// Graphviz cannot be stopped, and later calls wait for its end.
//
// The first drawing of a process is reproducible, byte for byte. In later drawings sfdp continues
// the sequence of random numbers, and gradients continue the sequence of ids.
func Render(ctx context.Context, dot []byte, o Options) ([]byte, error) {
	o, err := o.complete(dot)
	if err != nil {
		return nil, err
	}
	ended := func() ([]byte, error) { return nil, fmt.Errorf("graphviz: %w", context.Cause(ctx)) }
	if ctx.Err() != nil { // select takes any of the cases that are ready
		return ended()
	}
	select {
	case token <- struct{}{}:
	case <-ctx.Done():
		return ended()
	}
	type result struct {
		drawing []byte
		err     error
	}
	done := make(chan result, 1)
	go func() {
		defer func() { <-token }()
		drawing, err := render(dot, o)
		done <- result{drawing, err}
	}()
	select {
	case r := <-done:
		return r.drawing, r.err
	case <-ctx.Done():
		return ended()
	}
}

func render(dot []byte, o Options) (drawing []byte, err error) {
	if crashed != nil {
		return nil, fmt.Errorf("no more drawings in this process: %w", crashed)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errCrash, r)
		}
		if errors.Is(err, errCrash) {
			crashed = err
		}
	}()
	c, err := instance()
	if err != nil {
		return nil, fmt.Errorf("graphviz: %w", err)
	}
	g, err := read(dot)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	if err := checkSize(g, o.Layout); err != nil {
		return nil, err
	}
	return draw(c, g, o)
}

// checkSize refuses a graph that is too large for its layout.
func checkSize(g *cgraph.Graph, l Layout) error {
	if own := g.GetStr("layout"); own != "" {
		l = Layout(own)
	}
	nodes, err := g.NodeNum()
	if err != nil {
		return refusal(err)
	}
	edges, err := g.EdgeNum()
	if err != nil {
		return refusal(err)
	}
	switch {
	case l == Circo && nodes > maxCirco:
		return fmt.Errorf("graphviz: %d nodes: circo draws at most %d", nodes, maxCirco)
	case nodes > maxNodes:
		return fmt.Errorf("graphviz: %d nodes: at most %d can be drawn", nodes, maxNodes)
	case l == Dot && edges > maxDotEdges && edges <= maxEdges:
		return fmt.Errorf("graphviz: %d edges: dot draws at most %d, sfdp and neato %d", edges, maxDotEdges, maxEdges)
	case edges > maxEdges:
		return fmt.Errorf("graphviz: %d edges: at most %d can be drawn", edges, maxEdges)
	}
	return nil
}

// read parses a graph. When the stack of Graphviz's parser is full, the parser returns the part
// read so far and continues with the rest at the next call. To detect that, read parses an empty
// graph after each text.
func read(dot []byte) (*cgraph.Graph, error) {
	g, err := parse(dot)
	if err != nil {
		return nil, refusal(err)
	}
	if g == nil {
		return nil, errors.New("graphviz: no graph in the text")
	}
	probe, err := parse([]byte("graph{}"))
	if err != nil || probe == nil {
		return nil, errors.New("graphviz: memory exhausted: too many edges in one statement")
	}
	return g, probe.Close()
}

func draw(c *gvc.Context, g *cgraph.Graph, o Options) ([]byte, error) {
	ctx := context.Background()
	if err := c.Layout(ctx, g, string(o.Layout)); err != nil {
		return nil, refusal(err)
	}
	defer c.FreeLayout(ctx, g)
	var out bytes.Buffer
	if err := c.RenderData(ctx, g, string(SVG), &out); err != nil {
		return nil, refusal(err)
	}
	if o.Format == SVG {
		return out.Bytes(), nil
	}
	return painted(out.Bytes(), o.Format)
}

// painted draws a PNG or PDF from the SVG, because go-graphviz's own PNG renderer omits the
// outlines of filled shapes, draws wrong colours and uses whatever fonts it finds.
func painted(svg []byte, as Format) ([]byte, error) {
	clean, err := Sanitise(svg)
	if err != nil {
		return nil, err
	}
	draw := painting.PNG
	if as == PDF {
		draw = painting.PDF
	}
	drawing, err := draw(clean)
	if err != nil {
		return nil, fmt.Errorf("graphviz: %w", err)
	}
	return drawing, nil
}

// refusal distinguishes Graphviz's own messages from crashes of its WebAssembly
// runtime.
func refusal(err error) error {
	reason := message(err.Error())
	var exit *sys.ExitError
	switch {
	case errors.As(err, &exit), strings.HasPrefix(reason, "wasm error: "):
		return fmt.Errorf("%w: %s", errCrash, strings.TrimPrefix(reason, "wasm error: "))
	case strings.HasPrefix(reason, "failed to read wasm memory"), strings.HasPrefix(reason, "failed to write wasm memory"):
		return fmt.Errorf("%w: Graphviz ran out of memory or crashed: the graph is too large or too deeply nested. Draw fewer elements", errCrash)
	}
	return fmt.Errorf("graphviz: %s", reason)
}
