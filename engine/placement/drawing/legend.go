package drawing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Key is an entry of a legend: the meaning of a sign. Signs are the classes of dependencies
// ("tight", "some", "wide", "same", "unplaced", "between"), "link", "bar", "core", "ruled",
// "moved", and "deployment-0" to "deployment-7".
type Key struct {
	Sign string
	Text string
}

// signs lists the signs in legend order.
var signs = []string{"tight", "some", "wide", "same", "unplaced", "between", "link", "bar", "core", "ruled"}

var keyTexts = map[string]string{
	"tight":    fmt.Sprintf("tight: under %.0f\u202f%% of bound left", 100*tightBelow),
	"some":     fmt.Sprintf("%.0f to %.0f\u202f%% of bound left", 100*tightBelow, 100*wideFrom),
	"wide":     fmt.Sprintf("%.0f\u202f%% or more of bound left", 100*wideFrom),
	"same":     "within one cluster",
	"unplaced": "dependency",
	"between":  "dependencies; the wider, the more",
	"link":     "link",
	"core":     "in the conflict set",
	"ruled":    "a rule names it",
}

// The colours of berth.css, for exported pictures.
var deploymentColours = []string{accent, "#d55e00", "#009e73", "#b85c90", "#2f8fc6", "#b27b00", "#8f8500", "#000000"}

const coreColour = "#b3261e"

// MovedKey explains the outline of jobs that have moved to another cluster.
var MovedKey = Key{Sign: "moved", Text: "moved from another cluster"}

// movedStyle is the outline of moved jobs in exported pictures.
const movedStyle = "stroke:" + accent + ";stroke-width:3;stroke-dasharray:6 3"

// key records that a sign occurs in the drawing.
func (c *canvas) key(sign string) { c.keys[sign] = true }

// legend returns the keys of the signs in the drawing, and the colours of deployments if there are
// several.
func (c *canvas) legend() []Key {
	var keys []Key
	for _, sign := range signs {
		text := keyTexts[sign]
		if sign == "bar" && len(c.usage) > 0 {
			text = "used " + c.usage[0].supply.Name
		}
		if c.keys[sign] {
			keys = append(keys, Key{sign, text})
		}
	}
	if len(c.placed) < 2 {
		return keys
	}
	for _, p := range c.placed[:min(len(c.placed), len(deploymentColours))] {
		if slices.ContainsFunc(c.drawing.Elements, func(e Element) bool { d, _, ok := JobOf(e.ID); return ok && d == p.Index }) {
			keys = append(keys, Key{fmt.Sprintf("deployment-%d", p.Index%len(deploymentColours)), "jobs of " + p.Name})
		}
	}
	return keys
}

// KeyWidth and KeyHeight are the size of a legend mark in pixels.
const (
	KeyWidth  = 28
	KeyHeight = 12
)

// Mark returns the sign as SVG, drawn as Graphviz draws it.
func (k Key) Mark() string {
	if number, ok := strings.CutPrefix(k.Sign, "deployment-"); ok {
		deployment, _ := strconv.Atoi(number)
		return fmt.Sprintf(`<rect x="1" y="1" width="26" height="10" rx="3" fill="%s" stroke="%s"/>`, fill, deploymentColours[deployment%len(deploymentColours)])
	}
	switch k.Sign {
	case "bar":
		return fmt.Sprintf(`<rect x="0.5" y="3" width="27" height="6" fill="none" stroke="%s"/><rect x="0.5" y="3" width="17" height="6" fill="%s"/>`, faint, accent)
	case "core":
		return fmt.Sprintf(`<rect x="2" y="2" width="24" height="8" rx="3" fill="%s" stroke="%s" stroke-width="3" stroke-dasharray="5,2"/>`, fill, coreColour)
	case "ruled":
		return fmt.Sprintf(`<rect x="1" y="0.5" width="26" height="11" rx="4" fill="none" stroke="%s"/><rect x="4" y="3" width="20" height="6" rx="2" fill="%s" stroke="%s"/>`, accent, fill, accent)
	case MovedKey.Sign:
		return fmt.Sprintf(`<rect class="moved" x="2" y="2" width="24" height="8" rx="3" fill="%s" stroke="%s" stroke-width="3" stroke-dasharray="6 3"/>`, fill, accent)
	case "between":
		return fmt.Sprintf(`<path d="M0,6h28" stroke="%s" stroke-width="4"/>`, faint)
	}
	colour := cmp.Or(slackColours[k.Sign], faint)
	return fmt.Sprintf(`<path d="M0,6h28" stroke="%s"%s/>`, colour, strokes[slackLines[k.Sign]])
}
