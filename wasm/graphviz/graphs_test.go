//go:build !js

package graphviz

import (
	"fmt"
	"strings"
)

// sample is a graph that both sides must draw alike.
type sample struct {
	name   string
	layout Layout
	dot    string
}

func samples() []sample {
	all := []sample{
		{"empty", Dot, "graph {}"},
		{"directed", Dot, "digraph { a -> b -> c; a -> c [label=5] }"},
		{"clusters", Dot, `graph {
			subgraph cluster_eu { label="eu-1"; style=filled; color=lightgrey; a -- b; subgraph cluster_in { label=inner; c } }
			subgraph cluster_us { label="us-2"; d }
			b -- d [label="20 ms", style=dashed, penwidth=2]; c -- d [color="#0072b2"] }`},
		{"unicode", Dot, `graph { "größe" [label="Größe, 日本語, emoji 🚢, العربية"]; "größe" -- "ß" }`},
		{"latin1", Dot, "graph { charset=latin1; a [label=\"caf\u00e9\"] }"},
		{"html", Dot, `graph { a [shape=none label=<<TABLE BORDER="1"><TR><TD BGCOLOR="#eeeeee" COLSPAN="2"><B>job</B></TD></TR><TR><TD PORT="p">x<BR/>y</TD><TD>&lt;1 &amp; 2&gt;</TD></TR></TABLE>>]; a:p -- b [label=<<I>w</I>>] }`},
		{"escapes", Dot, `graph { a [label="left\lright\rquote\" back\\slash \N tab	end"]; "b\"c" -- a; "" -- a }`},
		{"script", Dot, `graph { a [label="<script>alert(1)</script>", tooltip="<img src=x onerror=alert(1)>", URL="javascript:alert(1)", id="x\" onload=\"alert(1)", class="job gold"]; a -- "</svg><script>alert(2)</script>" }`},
		{"records", Dot, `digraph { node [shape=record]; a [label="{<in> in|{x|y}|<out> out}"]; b [label="<f>1|2"]; a:out -> b:f }`},
		{"unlabelled", Dot, `graph { a [label=""]; subgraph { node [label=""]; b; c [label="c!"] } a -- b -- c; d; e [label=" "] }`},
		{"empty labels", Dot, `digraph { graph [label=""]; node [label=""]; a -> b [label=""]; subgraph cluster_0 { label=""; c } d [label="", xlabel=""]; e [shape=record, label=""] }`},
		{"gradients", Dot, `graph { a [style=filled, fillcolor="red:blue", gradientangle=90]; b [style=radial, fillcolor="white:green"]; c [style=wedged, fillcolor="red:green:blue"]; a -- b -- c }`},
		{"image", Dot, `graph { a [image="/etc/passwd", shape=none]; b [shapefile="/etc/passwd", shape=custom]; a -- b }`},
		{"attributes", Dot, `graph { rankdir=LR; bgcolor="#fafafa"; fontname="DejaVu Sans"; splines=ortho; stylesheet="x.css"; a [shape=cylinder, peripheries=2]; b [shape=star]; a -- b [headlabel=h, taillabel=t, xlabel=x, arrowhead=dot, dir=both] }`},
		{"several", Dot, "graph one { a }\ngraph two { b }"},
		{"packed", Osage, "graph { splines=line; outputorder=edgesfirst; subgraph cluster_a { label=a; b -- c; d } subgraph cluster_e { label=e; f } g; b -- f; c -- g }"},
		{"hundred", SFDP, ring(100)},
		{"five hundred", SFDP, ring(500)},
	}
	for _, l := range layouts {
		all = append(all, sample{"ring " + string(l), l, ring(24)})
	}
	return all
}

// ring returns a cycle of n jobs with chords.
func ring(n int) string {
	var b strings.Builder
	b.WriteString("graph {\n")
	for i := range n {
		fmt.Fprintf(&b, "  j%d [label=\"job %d\\n%.1f ms\"]\n", i, i, float64(i)*1.5)
		fmt.Fprintf(&b, "  j%d -- j%d\n", i, (i+1)%n)
		if i%5 == 0 {
			fmt.Fprintf(&b, "  j%d -- j%d [label=\"d%d\"]\n", i, (i*7+3)%n, i)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// chain returns one statement with n edges.
func chain(n int) string {
	return "graph {" + strings.Repeat("a -- ", n) + "a}"
}

// path returns n edges in a row, one statement each, without the opening "graph {".
func path(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "n%d -- n%d\n", i, i+1)
	}
	return b.String() + "}"
}
