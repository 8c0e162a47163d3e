package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/scenario"
	"berth/wasm/graphviz"
)

var render = &command{
	name: "render", group: filesGroup, summary: "draw a .dot file",
	use: "FILE.dot", args: []string{"FILE.dot"},
	examples: `  berth place --federation federation.dot --deployment shop.dot --format dot |
      berth render - --output placed.svg`,
	details: `Berth draws every graph of the file. With --output shop.svg the first goes to shop.svg,
the second to shop.2.svg, the third to shop.3.svg, as dot -O numbers them. Without it
all drawings go to standard output, one after the other.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		var layout, format string
		choose(f, &layout, "layout", "Graphviz's layout engine", "dot", "neato", "fdp", "sfdp", "circo", "twopi")
		choose(f, &format, "format", "what to draw", "svg", "png", "pdf")
		c.writes(f, "output", insteadOfStandard)
		return func(args []string) error {
			return c.drawAll(args[0], format, graphviz.Layout(layout))
		}
	},
}

// errorLine matches the line number in Graphviz's messages, which have no column.
var errorLine = regexp.MustCompile(`in line (\d+)`)

func (c *call) drawAll(file, format string, layout graphviz.Layout) error {
	name, data, err := c.text(file, scenario.MaxBytes)
	if err != nil {
		return err
	}
	o := graphviz.Options{Layout: layout, Format: graphviz.Format(format)}
	var drawings [][]byte
	before := 0 // number of lines before the current graph
	for _, text := range graphviz.Split(data) {
		drawing, err := c.draw(name, text, before, o)
		if err != nil {
			return err
		}
		drawings = append(drawings, drawing)
		before += bytes.Count(text, []byte("\n"))
	}
	return c.writeNumbered(drawings, []string{file})
}

// draw draws one graph of a file. before is the number of lines that precede the graph.
func (c *call) draw(name string, text []byte, before int, o graphviz.Options) ([]byte, error) {
	drawing, err := graphviz.Render(c, text, o)
	if c.Err() != nil {
		return nil, errors.New("interrupted while drawing " + name)
	}
	if err == nil && o.Format == graphviz.SVG {
		drawing, err = graphviz.Sanitise(drawing) // a URL in the graph may be a script
	}
	if err != nil {
		return nil, undrawable(name, before, err)
	}
	return drawing, nil
}

// undrawable converts an error of Graphviz to one with the file name and the line in the file.
// before is the number of lines that precede the graph.
func undrawable(name string, before int, err error) error {
	line, said := 1, err.Error()
	if at := errorLine.FindStringSubmatchIndex(said); at != nil {
		line, _ = strconv.Atoi(said[at[2]:at[3]])
		said = said[:at[2]] + strconv.Itoa(before+line) + said[at[3]:]
	}
	return badInputf("%s:%d:1: %s", name, before+line, said)
}

// writeNumbered writes each part of a result to its own file, with a number in the name from the
// second on. It writes all parts to standard output or to a device.
func (c *call) writeNumbered(parts [][]byte, inputs []string) error {
	first := c.primary()
	if len(parts) == 1 || first == nil || first.place == "" {
		return c.write(bytes.Join(parts, nil))
	}
	extension := filepath.Ext(first.name)
	for i := range parts[1:] {
		name := fmt.Sprintf("%s.%d%s", strings.TrimSuffix(first.name, extension), i+2, extension)
		c.outputs = append(c.outputs, &output{flag: first.flag, name: name})
	}
	if err := c.claim(inputs); err != nil {
		return err
	}
	for i, part := range parts {
		if err := c.outputs[i].whole(part); err != nil {
			return err
		}
	}
	return nil
}
