//go:build !js

package voice

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"berth/engine/must"
)

// most is the number of idioms that 10,000 words may have.
const most = 2.0

// passage is text that people read, and where it starts.
type passage struct {
	file string
	line int
	text string
}

// TestIdioms reads the whole project, except this package, which lists the idioms.
func TestIdioms(t *testing.T) {
	passages := read(t, filepath.Join("..", ".."))
	words, found := count(passages)
	if words < 100_000 {
		t.Fatalf("read %d words: the project has more", words)
	}
	rate := float64(len(found)) * 10_000 / float64(words)
	t.Logf("%d idioms in %d words: %.2f per 10,000", len(found), words, rate)
	if rate > most {
		t.Errorf("%.2f idioms per 10,000 words, at most %g. Say these as you would say them aloud:\n%s",
			rate, most, strings.Join(found, "\n"))
	}
}

// TestCount tests each kind of text with planted idioms.
func TestCount(t *testing.T) {
	const goFile = "package p\n\n// F has parts, of\n// which one counts.\nfunc F() { panic(\"whoever reads this stops\") }\n\nvar key = \"nobody\"\n"
	const page = "# Title\n\nNothing but for this.\n\n```\nof which\n```\n"
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"p.go", goFile, []string{"p.go:3: of which", "p.go:5: whoever"}},
		{"p.md", page, []string{"p.md:3: but for"}},
		{"p.js", "const nobody = 1 // likewise\n/* and\n no other */\n", []string{"p.js:1: likewise", "p.js:1: and no other"}},
		{"p.mjs", "say(\"but for this\", `${n} are`, \"nobody\", `with which ${n} began`)\n", []string{"p.mjs:1: but for", "p.mjs:1: with which"}},
		{"p.html", "<p>Nobody knows</p>", []string{"p.html:1: Nobody"}},
	} {
		passages := must.Get(split(tc.name, []byte(tc.text)))(t)
		_, found := count(passages)
		if fmt.Sprint(found) != fmt.Sprint(tc.want) {
			t.Errorf("%s: found %q, want %q", tc.name, found, tc.want)
		}
	}
}

// count counts the words of passages, and lists their idioms as "file:line: idiom".
func count(passages []passage) (words int, found []string) {
	for _, p := range passages {
		text := strings.Join(strings.Fields(p.text), " ")
		words += strings.Count(text, " ") + 1
		for _, idiom := range idioms.FindAllString(text, -1) {
			found = append(found, fmt.Sprintf("%s:%d: %s", p.file, p.line, idiom))
		}
	}
	return words, found
}

// read collects the passages of all files below root that the project has written.
func read(t *testing.T, root string) []passage {
	var all []passage
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch name := d.Name(); {
			case path == root, name == ".ci", name == ".github":
			case strings.HasPrefix(name, "."), name == "node_modules", name == "testdata", name == "dist", name == "voice":
				return fs.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		passages, err := split(name, text)
		all = append(all, passages...)
		return err
	}))
	return all
}

// split returns the passages of a file that people read. Files of other kinds have none.
func split(name string, text []byte) ([]passage, error) {
	switch filepath.Ext(name) {
	case ".go":
		return splitGo(name, text)
	case ".md":
		return splitLines(name, string(text), inProse()), nil
	case ".html":
		return splitLines(name, string(text), func(line string) string { return line }), nil
	case ".css":
		return splitLines(name, string(text), inComments()), nil
	case ".js", ".mjs":
		return append(splitLines(name, string(text), inComments()), splitLines(name, string(text), inStrings)...), nil
	case ".yml", ".yaml", ".toml", ".sh":
		return splitLines(name, string(text), inHashes), nil
	}
	if base := filepath.Base(name); base == "Makefile" || base == "Dockerfile" || base == "run" {
		return splitLines(name, string(text), inHashes), nil
	}
	return nil, nil
}

// splitGo returns the comments of Go code, and its strings that are sentences.
func splitGo(name string, text []byte) ([]passage, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []passage
	for _, group := range file.Comments {
		all = append(all, passage{name, files.Position(group.Pos()).Line, group.Text()})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		said, err := strconv.Unquote(literal.Value)
		if err == nil && len(strings.Fields(said)) >= 3 {
			all = append(all, passage{name, files.Position(literal.Pos()).Line, said})
		}
		return true
	})
	return all, nil
}

// splitLines joins consecutive lines. part returns the text of a line; a line without text ends the
// passage.
func splitLines(name, text string, part func(line string) string) []passage {
	var all []passage
	open := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(part(line))
		switch {
		case line == "":
		case open:
			all[len(all)-1].text += "\n" + line
		default:
			all = append(all, passage{name, i + 1, line})
		}
		open = line != ""
	}
	return all
}

// inProse reads everything except fenced code.
func inProse() func(string) string {
	code := false
	return func(line string) string {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		code = code != fence
		if code || fence {
			return ""
		}
		return line
	}
}

// inComments reads the comments of JavaScript and CSS.
func inComments() func(string) string {
	block := false
	return func(line string) string {
		if block {
			before, _, ends := strings.Cut(line, "*/")
			block = !ends
			return before
		}
		if _, after, starts := strings.Cut(line, "/*"); starts {
			before, _, ends := strings.Cut(after, "*/")
			block = !ends
			return before
		}
		_, after, _ := strings.Cut(line, "// ")
		return after
	}
}

// quoted matches a string of JavaScript.
var quoted = regexp.MustCompile("\"[^\"]*\"|`[^`]*`")

// inStrings reads the strings of JavaScript that are sentences.
func inStrings(line string) string {
	var said []string
	for _, text := range quoted.FindAllString(line, -1) {
		if len(strings.Fields(text)) >= 3 {
			said = append(said, text)
		}
	}
	return strings.Join(said, "\n")
}

// inHashes reads comments that begin with "# ".
func inHashes(line string) string {
	_, after, _ := strings.Cut(line, "# ")
	return after
}
