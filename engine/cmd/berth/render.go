package main

import (
	"context"
	"errors"

	"berth/wasm/graphviz"
)

var render = &command{
	name: "render", summary: "draw a .dot file",
	usage: "  berth render FILE.dot [flags]",
	run:   runRender,
}

func runRender(c *call) error {
	f := c.flags()
	layout := choose(f, "layout", "Graphviz's layout engine", "dot", "neato", "fdp", "sfdp", "circo", "twopi")
	format := choose(f, "format", "what to draw", "svg", "png")
	output := f.String("output", "", "write to `FILE` instead of standard output")
	args, err := c.parse(f, "FILE.dot")
	if err != nil {
		return err
	}
	name, data, err := c.read(args[0])
	if err != nil {
		return err
	}
	drawing, err := graphviz.Render(c, data, graphviz.Options{
		Layout: graphviz.Layout(layout.value), Format: graphviz.Format(format.value),
	})
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		return badInputf("%s: %v", name, err)
	}
	return c.write(*output, drawing)
}
