//go:build !js

package graphviz

import (
	"context"
	_ "unsafe" // for go:linkname

	"github.com/goccy/go-graphviz/cgraph"
)

// parse is [cgraph.ParseBytes] without its last step, which gives every node with an
// empty label the name of the node; Graphviz draws such a node empty. go-graphviz
// exports no other way to parse a text, so parse links to its internal functions, as
// go-graphviz's own packages do.
func parse(dot []byte) (*cgraph.Graph, error) {
	g, err := memRead(context.Background(), string(dot))
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, lastError()
	}
	return toGraph(g), nil
}

// foreign is go-graphviz's internal view of a graph.
type foreign struct{ _ byte }

//go:linkname memRead github.com/goccy/go-graphviz/internal/wasm.MemRead
func memRead(ctx context.Context, text string) (*foreign, error)

//go:linkname toGraph github.com/goccy/go-graphviz/cgraph.toGraph
func toGraph(*foreign) *cgraph.Graph

//go:linkname lastError github.com/goccy/go-graphviz/cgraph.lastError
func lastError() error
