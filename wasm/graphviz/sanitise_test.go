package graphviz

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestSanitise(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{
			"prolog, comments and space around",
			"<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC \"a\"\n \"b\">\n<!-- x -->\n<svg>\n<!-- a&#45;&gt;b -->\n<g/></svg>\n",
			"<svg>\n\n<g/></svg>",
		},
		{
			"ids and classes are kept",
			`<svg width="62pt" viewBox="0.00 0.00 62.00 116.00" xmlns="http://www.w3.org/2000/svg"><g id="node1" class="node gold"><title>a&#45;&gt;b</title></g></svg>`,
			`<svg width="62pt" viewBox="0.00 0.00 62.00 116.00" xmlns="http://www.w3.org/2000/svg"><g id="node1" class="node gold"><title>a&#45;&gt;b</title></g></svg>`,
		},
		{
			"refused elements go with what is in them",
			`<svg><script>a<g>b</g></script><g><foreignObject><p>x</p></foreignObject><text>y</text><image/></g><style>*{}</style></svg>`,
			`<svg><g><text>y</text></g></svg>`,
		},
		{"handlers", `<svg onload="x()"><path d="M0,0" onclick="x()" ONFOCUS="x()"/></svg>`, `<svg><path d="M0,0"/></svg>`},
		{
			"links",
			`<svg><a xlink:href="javascript:x" xlink:title="t" target="_top"><g/></a><a xlink:href="#b"/><a href="//x"/><a href=" #x"/></svg>`,
			`<svg><a xlink:title="t"><g/></a><a xlink:href="#b"/><a/><a/></svg>`,
		},
		{
			"paint",
			`<svg><path fill="url(#g)" stroke="#ff0000"/><path fill="url(http://x)" stroke="u\72l(x)"/><path fill="url&#40;x)" stroke="url(#a)url(x)"/></svg>`,
			`<svg><path fill="url(#g)" stroke="#ff0000"/><path/><path/></svg>`,
		},
		{
			"styles",
			`<svg><stop style="stop-color:red;stop-opacity:1.;"/><g style="fill:red"/><stop style="stop-color:url(x)"/></svg>`,
			`<svg><stop style="stop-color:red;stop-opacity:1.;"/><g/><stop/></svg>`,
		},
		{"name spaces", `<svg xmlns="http://x" xmlns:xlink="http://x"/>`, `<svg/>`},
		{"transform", `<svg><g transform="scale(1 1) rotate(0) translate(4 112)"/><g transform="url(x)"/></svg>`, `<svg><g transform="scale(1 1) rotate(0) translate(4 112)"/><g/></svg>`},
		{"fonts", `<svg><text font-family="DejaVu&#45;Sans,serif">x</text></svg>`, `<svg><text font-family="DejaVu&#45;Sans,serif">x</text></svg>`},
		{"text", `<svg><text class="&quot;>">a &lt;script&gt; &amp; &nbsp; & &#1; &#x41; ></text></svg>`, `<svg><text class="&quot;&gt;">a &lt;script&gt; &amp; &amp;nbsp; &amp; &amp;#1; &#x41; &gt;</text></svg>`},
		{"control characters", "<svg><te\x00xt>a\x01\tb\xff</text></svg>", "<svg><text>a\tb</text></svg>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Sanitise([]byte(test.in))
			if err != nil || string(got) != test.want {
				t.Errorf("got  %s (%v)\nwant %s", got, err, test.want)
			}
		})
	}
}

func TestSanitiseRefuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", " ", "no <svg> element"},
		{"text", "graph {}", "text outside <svg>"},
		{"another root", "<html></html>", "<html> where one <svg> was expected"},
		{"two roots", "<svg/><svg/>", "<svg> where one <svg> was expected"},
		{"open", "<svg><g>", "<g> is not closed"},
		{"crossed", "<svg><g><a></g></a></svg>", "</g> closes nothing"},
		{"cut tag", "<svg", "a tag without a name or an end"},
		{"cut comment", "<svg><!-- </svg>", `"-->" is missing`},
		{"character data", "<svg><![CDATA[<g/>]]></svg>", "a tag without a name"},
		{"single quotes", "<svg class='x'/>", "not written name"},
		{"bare attribute", "<svg hidden/>", "not written name"},
		{"tag in a value", `<svg class="<g>"/>`, "not written name"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Sanitise([]byte(test.in))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %s, %v; want an error with %q", got, err, test.want)
			}
		})
	}
}

// checkSanitised reads a sanitised drawing with another reader of XML.
func checkSanitised(svg []byte) error {
	d := xml.NewDecoder(bytes.NewReader(svg))
	for depth := 0; ; {
		token, err := d.RawToken()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			if err := checkElement(token); err != nil {
				return err
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 0 {
				return fmt.Errorf("text %q outside the root", token)
			}
		default:
			return fmt.Errorf("a %T", token)
		}
	}
}

func checkElement(e xml.StartElement) error {
	if !elements[e.Name.Local] || e.Name.Space != "" {
		return fmt.Errorf("element %v", e.Name)
	}
	for _, a := range e.Attr {
		value := strings.ToLower(a.Value)
		switch {
		case strings.HasPrefix(strings.ToLower(a.Name.Local), "on"):
			return fmt.Errorf("attribute %v", a)
		case a.Name.Local == "href" && !strings.HasPrefix(value, "#"):
			return fmt.Errorf("attribute %v", a)
		case a.Name.Local == "id", a.Name.Local == "class", a.Name.Local == "title", a.Name.Local == "href":
		case strings.Contains(strings.ReplaceAll(value, "url(#", ""), "url("):
			return fmt.Errorf("attribute %v", a)
		}
	}
	return nil
}

func FuzzSanitise(f *testing.F) {
	for _, seed := range []string{
		`<?xml version="1.0"?><!DOCTYPE svg><svg viewBox="0 0 1 1"><g id="a" class="b"><title>x&#45;&gt;y</title></g></svg>`,
		`<svg><script>x</script><a xlink:href="javascript:x">y</a><path fill="url(#g)" onload="x" d="M0"/></svg>`,
		`<svg><stop style="stop-color:red"/><!-- <svg> --><text>&amp;&nbsp;]]></text></svg>`,
		"<svg><text>\xff\x00</text></svg>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, svg []byte) {
		clean, err := Sanitise(svg)
		if err != nil {
			return
		}
		if err := checkSanitised(clean); err != nil {
			t.Fatalf("%v in %s", err, clean)
		}
		again, err := Sanitise(clean)
		if err != nil || !bytes.Equal(again, clean) {
			t.Fatalf("not stable: %s, then %s (%v)", clean, again, err)
		}
	})
}

func TestCheckSanitised(t *testing.T) {
	for _, svg := range []string{
		`<svg><script/></svg>`, `<svg onload="x"/>`, `<svg><a href="x"/></svg>`,
		`<svg fill="URL(x)"/>`, `<svg/>x`, `<!-- x --><svg/>`, `<svg`,
	} {
		if checkSanitised([]byte(svg)) == nil {
			t.Errorf("%s passes", svg)
		}
	}
	if err := checkSanitised([]byte(`<svg><path fill="url(#x)"/> x </svg>`)); err != nil {
		t.Error(err)
	}
}
