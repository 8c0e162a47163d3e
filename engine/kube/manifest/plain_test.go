package manifest

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"berth/engine/budget"
	"berth/engine/golden"
)

// asLibrary returns the documents of a text as the library reads them.
func asLibrary(text string) (all []*tree, err error) {
	s := &source{file: "f", budget: budget.New(budget.Limits{})}
	s.originals([]byte(text), func(root *value) {
		all = append(all, make([]*tree, root.source.document-1-len(all))...) // empty documents
		all = append(all, root.node)
	})
	return all, s.found.Err()
}

// outline writes a tree with the places of its nodes.
func outline(b *bytes.Buffer, n *tree) {
	switch {
	case n == nil || n.null:
		b.WriteString("null ")
		return
	case n.kind == isScalar:
		fmt.Fprintf(b, "%d:%d %q %t ", n.line, n.column, n.text, n.bare)
		return
	}
	fmt.Fprintf(b, "%d:%d %s [", n.line, n.column, kindNames[n.kind])
	for i := range n.content {
		if child := &n.content[i]; n.kind == isMapping && i%2 == 0 {
			fmt.Fprintf(b, "%d:%d %q %t: ", child.line, child.column, child.text, child.bare) // even if the text is null
		} else if i > 0 && n.kind == isMapping && slices.Contains(unread, n.content[i-1].text) {
			outline(b, &tree{kind: child.kind, null: child.null, text: child.text, bare: child.bare, line: child.line, column: child.column})
		} else {
			outline(b, child)
		}
	}
	b.WriteString("] ")
}

// outlines writes documents, without empty ones at the end.
func outlines(all []*tree) string {
	for len(all) > 0 && (all[len(all)-1] == nil || all[len(all)-1].null) {
		all = all[:len(all)-1]
	}
	var b bytes.Buffer
	for _, n := range all {
		outline(&b, n)
		b.WriteByte('\n')
	}
	return b.String()
}

// checkPlain compares the fast reader with the library, and reports whether the fast
// reader accepted the text.
func checkPlain(t *testing.T, text string) bool {
	t.Helper()
	runtime.Gosched() // in the browser the collector has no other chance to run, and memory grows to 4 GB
	read, _, err := readPlain(text, 1, budget.New(budget.Limits{}))
	if err != nil {
		return false
	}
	got := outlines(read)
	library, err := asLibrary(text)
	if want := outlines(library); err != nil || got != want {
		t.Errorf("%q\n%sthe library:\n%s%v", text, got, want, err)
	}
	return true
}

var plainTexts = []string{
	"a: b\n",
	"apiVersion: v1\nitems:\n- kind: Pod\n  spec:\n    containers:\n    - name: c\n      args:\n      - --port=80\n      - \"x\"\n    nodeName: n-1\n- kind: Node\n",
	"# one\n---\na: 1 # more\n\n---\n# none\n---\nb:\n  - c\n  -\n    d: e\n  - - f\n    - g: h\n  -\n",
	"a:\nb: ~\nc: null\nd: ''\n\"e f\": 'it''s'\nf: \"x\\n\\u00e9\\x41\"\n'g': {}\nh: []\n",
	"a: {b: c, d: [e, f/g, \"h\"], i: {j: 1Gi, k: null}}\nl: [1,\n  2,\n]\n",
	`{"apiVersion":"v1","items":[{"kind":"Pod","n":-1,"t":true,"x":null,"s":"a\"b\\c\tü"},{}]}`,
	"{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        {\n            \"é\": [\"ü\", \"b\"]\n        }\n    ]\n}\n",
	"a: |\n  one\n    two\n\n  three\n\nb: |-\n  x\n\nc: |+\n  y\n\n\nd: e\n",
	"a: 0/4 nodes are available,\n  and that is why\n\n  nothing goes\nb: 'one\n  two'\nc: \"three \\\n  four\"\n",
	"ä: é # ü\nb:\n  - ö: {u: [\"ß\", c], d: e}\n",
	"a:\n  managedFields:\n  - b: c\n    images: {d: [e, f]}\n  g:\n  - h: i\nimages: j\nk: {managedFields: [{l: m}], n: [o, p]}\n",
	"a: b:c\nd: e#f\ng: http://h:80/i?j=k&l\n-m: -n\n",
}

// The fast reader agrees with the library, also on texts that are truncated, lack a
// byte or have an inserted token.
func TestPlainIsAsTheLibraryReads(t *testing.T) {
	golden.Long(t)
	for _, text := range plainTexts {
		if !checkPlain(t, text) {
			t.Errorf("%q is not read fast", text)
		}
		for i := range text {
			checkPlain(t, text[:i])
			checkPlain(t, text[:i]+text[i+1:])
			for _, more := range []string{" ", "\n", ":", ": ", "- ", "#", " #", "\"", "'", "{", "]", "\t", "x", "|\n", "---\n", "\\", "&a", ",", "\n "} {
				checkPlain(t, text[:i]+more+text[i:])
			}
		}
		if t.Failed() {
			return
		}
	}
}

// The reader releases values that nothing uses, in blocks and in flow style, and reuses their
// memory.
func TestPlainLetsGo(t *testing.T) {
	for _, text := range []string{"managedFields:\n- a: b\n  c: [d]\nimages: e\n", `{"managedFields": [{"a": "b", "c": ["d"]}], "images": "e"}`} {
		all, _, err := readPlain(text, 1, budget.New(budget.Limits{}))
		if err != nil || len(all) != 1 || len(all[0].content) != 4 {
			t.Fatalf("%q is read as %v", text, all)
		}
		fields, images := all[0].content[1], all[0].content[3]
		if fields.kind != isList || len(fields.content) > 0 || images.text != "e" {
			t.Errorf("%q: kept %v and %q", text, fields.content, images.text)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, text := range plainTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPlain(t, text) })
}
