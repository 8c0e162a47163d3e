package docs

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
)

// Every section of every page is in the index with its words, and its address exists.
func TestIndex(t *testing.T) {
	files := must.Get(Render(Site{Icon: "/"}))(t)
	var all index
	must.Do(t, json.Unmarshal(files["docs/search.json"], &all))
	pages := 0
	for number, s := range all.Sections {
		name, id, _ := strings.Cut(strings.TrimPrefix(s.URL, "."), "#")
		content, ok := files["docs"+name+"/index.html"]
		if !ok || id != "" && !strings.Contains(string(content), ` id="`+id+`"`) {
			t.Errorf("%s is not there", s.URL)
		}
		if s.Title == "" {
			pages++
		}
		if s.Excerpt == "" && s.Title != "" || strings.ContainsAny(s.Excerpt, "<>") && !strings.Contains(s.Excerpt, "->") && !strings.Contains(s.Excerpt, " > ") {
			t.Errorf("%s begins with %q", s.URL, s.Excerpt)
		}
		for _, word := range words(s.Title) {
			if !slices.Contains(all.Words[word], number) {
				t.Errorf("%q does not lead to %s", word, s.URL)
			}
		}
	}
	if pages != len(order) {
		t.Errorf("%d pages are in the index, want %d", pages, len(order))
	}
	for word, url := range map[string]string{"watchdog": "./parameters#qos", "karmada": "./formats#kubernetes", "roundrobin": "./plug-ins"} {
		if !slices.ContainsFunc(all.Words[word], func(n int) bool { return strings.HasPrefix(all.Sections[n].URL, url) }) {
			t.Errorf("%q does not lead to %s", word, url)
		}
	}
}

func TestWords(t *testing.T) {
	if got, want := words("The .dot file, a 2nd GPU’s X: größe re-use 12"), []string{"dot", "file", "gpu", "größe", "re", "the", "use"}; !slices.Equal(got, want) {
		t.Errorf("words are %q, want %q", got, want)
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("word ", 40)
	if got := excerpt(long); len(got) > excerptLength+len(" …") || !strings.HasSuffix(got, "word …") {
		t.Errorf("%q", got)
	}
	if got := excerpt("short"); got != "short" {
		t.Errorf("%q", got)
	}
}

// A page of several sections lists them below its title.
func TestContentsOfAPage(t *testing.T) {
	p := &Page{body: "<h1>T</h1><p>x &lt; y</p><h2>One &amp; two</h2><p>1</p><h2 id=\"b\">B</h2><p>2</p>"}
	p.divide()
	if want := `<h1>T</h1>
<nav class="on-page" aria-label="On this page"><ul><li><a href="#one-two">One &amp; two</a></li><li><a href="#b">B</a></li></ul></nav><p>x &lt; y</p><h2 id="one-two">One &amp; two</h2><p>1</p><h2 id="b">B</h2><p>2</p>`; string(p.body) != want {
		t.Errorf("got %s\nwant %s", p.body, want)
	}
	if want := []section{{text: "T x < y"}, {"one-two", "One & two", "1"}, {"b", "B", "2"}}; !slices.Equal(p.sections, want) {
		t.Errorf("sections are %+v, want %+v", p.sections, want)
	}
	short := &Page{body: "<h1>T</h1><h2>One</h2>"}
	if short.divide(); strings.Contains(string(short.body), "<nav") {
		t.Error("a page of one section lists it")
	}
}
