package docs

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/scenario"
)

// TestCommands runs the commands of each page in a separate folder, with the files
// that the page offers, and compares the output.
func TestCommands(t *testing.T) {
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "berth/engine/cmd/berth").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages := must.Get(Pages())(t)
	for _, p := range append(pages, readmePage(t)) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			examples, err := filepath.Abs("../../examples")
			if err == nil {
				err = os.Symlink(examples, filepath.Join(dir, "examples"))
			}
			must.Do(t, err)
			p.follow(t, bin, dir)
		})
	}
}

// readmePage returns the README as a page. The test runs its commands too, but the README shows no
// output.
func readmePage(t *testing.T) *Page {
	t.Helper()
	source := must.Get(os.ReadFile("../../README.md"))(t)
	if len(source) > 6000 {
		t.Errorf("README.md has %d bytes, more than the 6000 that somebody reads. Move what it explains to web/docs/pages", len(source))
	}
	return &Page{Name: "README", source: source}
}

// blanks matches the blanks between columns, whose number depends on how long a run took.
var blanks = regexp.MustCompile(` +`)

// follow carries out a page's instructions from top to bottom.
func (p *Page) follow(t *testing.T, bin, dir string) {
	printed := ""
	source := string(p.source)
	_, blocks := p.blocks()
	for _, b := range blocks {
		switch {
		case b.kind == "sh":
			command := exec.Command("bash", "-euo", "pipefail", "-c", b.text)
			command.Dir = dir
			command.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
			var errs bytes.Buffer
			command.Stderr = &errs
			out, err := command.Output()
			if err != nil {
				t.Fatalf("%s\n%v\n%s", b.text, err, errs.Bytes())
			}
			printed = strings.ReplaceAll(string(out), scenario.Engine, golden.Engine)
		case b.kind == "output":
			if blanks.ReplaceAllString(b.text, " ") != blanks.ReplaceAllString(printed, " ") && !golden.Updates() {
				t.Errorf("the page says\n%s\nand the command\n%s", b.text, printed)
			}
			source = strings.Replace(source, "```output\n"+b.text+"```", "```output_\n"+printed+"```", 1)
		case b.isFile():
			must.Do(t, os.WriteFile(filepath.Join(dir, b.about), []byte(b.text), 0o600))
		}
	}
	if golden.Updates() && p.source != nil && p.Name != "README" {
		source = strings.ReplaceAll(source, "```output_\n", "```output\n")
		must.Do(t, os.WriteFile(filepath.Join("pages", p.Name+".md"), []byte(source), 0o600))
	}
}

var (
	hrefs = regexp.MustCompile(`href="([^"]*)"`)
	ids   = regexp.MustCompile(`id="([^"]*)"`)
)

// TestLinks follows every link of every page: to a page, a file, a heading, or a view
// with its scenario.
func TestLinks(t *testing.T) {
	files := must.Get(Render(Site{Icon: "/"}))(t)
	there := map[string]bool{"/": true}
	for name, content := range files {
		path := "/" + strings.TrimSuffix(name, "/index.html")
		there[path] = true
		for _, id := range ids.FindAllSubmatch(content, -1) {
			there[path+"#"+string(id[1])] = true
		}
	}
	for _, kind := range scenario.Kinds() {
		there[kind.Path] = true
	}
	for _, e := range gallery.List() {
		there["/gallery#"+e.ID] = true
	}
	scenarios := 0
	for name, content := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, match := range hrefs.FindAllSubmatch(content, -1) {
			link := must.Get(url.Parse(string(match[1])))(t)
			if fragment, ok := strings.CutPrefix(link.Fragment, "s="); ok {
				s, err := scenario.DecodeLink(fragment)
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if kind, _ := scenario.Lookup(s.Kind); kind.Path != link.Path {
					t.Errorf("%s opens a scenario of kind %s at %s", name, s.Kind, link.Path)
				}
				scenarios++
				continue
			}
			if link.Path == "" {
				link.Path = "/" + strings.TrimSuffix(name, "/index.html")
			}
			if link.Host != "" || !there[link.String()] {
				t.Errorf("%s links to %s, which is not there", name, match[1])
			}
		}
	}
	if scenarios != 6 {
		t.Errorf("%d scenarios are linked to, want one for each tutorial and one experiment", scenarios)
	}
}

// Every picture has a label, and the ids of a page's headings are unique.
func TestPagesAreWellMade(t *testing.T) {
	files := must.Get(Render(Site{Icon: "/"}))(t)
	for name, content := range files {
		seen := map[string]bool{}
		for _, id := range ids.FindAllSubmatch(content, -1) {
			if seen[string(id[1])] {
				t.Errorf("%s has the id %s twice", name, id[1])
			}
			seen[string(id[1])] = true
		}
		if strings.HasSuffix(name, ".html") && bytes.Count(content, []byte("<h1")) != 1 {
			t.Errorf("%s has %d headings of the first level", name, bytes.Count(content, []byte("<h1")))
		}
	}
}

func ExamplePages() {
	pages, err := Pages()
	if err != nil {
		panic(err)
	}
	fmt.Println(pages[0].Path(), pages[0].Title)
	// Output: /docs What Berth is
}
