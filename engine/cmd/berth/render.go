package main

import (
	"errors"
	"regexp"

	"berth/wasm/graphviz"
)

var render = &command{
	name: "render", summary: "draw a .dot file",
	usage: "  berth render FILE.dot [flags]",
	run:   runRender,
}

// errorLine finds the line in Graphviz's messages, which name no column.
var errorLine = regexp.MustCompile(`in line (\d+)`)

func runRender(c *call) error {
	f := c.flags()
	layout := choose(f, "layout", "Graphviz's layout engine", "dot", "neato", "fdp", "sfdp", "circo", "twopi")
	format := choose(f, "format", "what to draw", "svg", "png")
	c.writes(f, "output", "write to `FILE` instead of standard output")
	args, err := c.parse(f, "FILE.dot")
	if err != nil {
		return err
	}
	name, data, err := c.text(args[0])
	if err != nil {
		return err
	}
	drawing, err := graphviz.Render(c, data, graphviz.Options{
		Layout: graphviz.Layout(layout.value), Format: graphviz.Format(format.value),
	})
	if c.Err() != nil {
		return errors.New("interrupted while drawing " + name)
	}
	if err == nil && format.value == string(graphviz.SVG) {
		drawing, err = graphviz.Sanitise(drawing) // a URL may be a script
	}
	if err != nil {
		return undrawable(name, err)
	}
	return c.write(drawing)
}

// undrawable puts the name of the file, and the line where there is one, in
// front of what Graphviz says of it.
func undrawable(name string, err error) error {
	if match := errorLine.FindStringSubmatch(err.Error()); match != nil {
		return badInputf("%s:%s:1: %v", name, match[1], err)
	}
	return badInputf("%s:1:1: %v", name, err)
}
