package dot_test

import (
	"bytes"
	"testing"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/must"
)

// The label of an element is kept: an empty one, one in HTML, and the id.
func TestDrawnIsKept(t *testing.T) {
	const src = `graph {
	node [request=1, limit=1]; edge [latency=1]
	a [label=""]; b [label=<<b>x</b>>]; c; d [label="<b>x</b>"]; e [label=<>]
	a -- b [label=""]; a -- c [label=<y>]
}`
	d := deployment(t, src)
	want := []graph.Drawn{{Given: true}, {Text: "<b>x</b>", HTML: true, Given: true}, {}, {Text: "<b>x</b>", Given: true}, {HTML: true, Given: true}}
	for _, dialect := range []dot.Dialect{"", dot.Plain, dot.Thesis} {
		if dialect != "" {
			var b bytes.Buffer
			must.Do(t, dot.WriteDeployment(&b, d, dialect))
			d = deployment(t, b.String())
		}
		for i, drawn := range want {
			if got := d.Jobs().Drawn(i); got != drawn {
				t.Errorf("%s: job %s is %+v, want %+v", dialect, d.Jobs().ID(i), got, drawn)
			}
		}
		if got := d.Dependencies().Drawn(1); got != (graph.Drawn{Text: "y", HTML: true, Given: true}) || d.Dependencies().Drawn(0).Text != "" {
			t.Errorf("%s: the dependencies are %+v, %+v", dialect, d.Dependencies().Drawn(0), got)
		}
	}
	if name := d.Jobs().Name(0); name != "a" {
		t.Errorf("a job with an empty label is called %q in texts", name)
	}
}

func TestLatin1(t *testing.T) {
	const jobs = " [request=1, limit=1] "
	for _, said := range []string{"latin1", `"Latin-1"`, "l1", `"ISO-8859-1"`, "ISO_8859_1", `"iso8859-1"`} {
		src := "graph { caf\xe9" + jobs + "[label=\"\xfc\"]; charset=" + said + " }"
		if said == "ISO_8859_1" { // is none
			if got := report(dot.Deployment, src, dot.Options{}); got != `error 1:12: Berth does not read the charset "ISO_8859_1": save the file in UTF-8, or in Latin-1 with charset=latin1` {
				t.Error(got)
			}
			continue
		}
		d := deployment(t, src)
		if d.Jobs().ID(0) != "café" || d.Jobs().Name(0) != "ü" {
			t.Errorf("%s: job %q is called %q", said, d.Jobs().ID(0), d.Jobs().Name(0))
		}
	}
	src := []byte("graph { \xe9" + jobs + "graph [charset=latin1] }\ngraph { \"é\"" + jobs + "}")
	all, found := dot.ReadDeployments("x.dot", src, dot.Options{})
	if err := found.Err(); err != nil || len(all) != 2 || all[0].Jobs().ID(0) != "é" || all[1].Jobs().ID(0) != "é" {
		t.Errorf("%v: %v", all, err)
	}
	want := "graph { é" + jobs + "graph [charset=\"utf-8\"] }\ngraph { \"é\"" + jobs + "}"
	if got := dot.Text(src); string(got) != want || string(dot.Text(got)) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for src, want := range map[string]string{
		"graph { charset=big5; \xa4\xa4 }":             `error 1:23: Berth does not read the charset "big5": save the file in UTF-8, or in Latin-1 with charset=latin1`,
		"graph { charset=latin1; charset=utf8; \xe9 }": `error 1:39: the byte 0xE9 is not text: a .dot file is text in UTF-8, or in Latin-1 if the graph says charset=latin1`,
		"graph { label=charset; \xe9 } graph {}":       `error 1:24: the byte 0xE9 is not text: a .dot file is text in UTF-8, or in Latin-1 if the graph says charset=latin1`,
	} {
		if got := report(dot.Deployment, src, dot.Options{}); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", src, got, want)
		}
		if string(dot.Text([]byte(src))) != src {
			t.Errorf("%q is decoded", src)
		}
	}
}
