package docs

import (
	"cmp"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// part is a part of the program: a box in the drawing of the architecture.
type part struct {
	name, title string
	folders     []string // a package belongs to the part with the longest matching path
}

// parts are in the order of the layers: each imports parts below it.
var parts = []part{
	{"programs", "Programs of the page", []string{"app/main", "wasm"}},
	{"command", "Command line", []string{"engine/cmd"}},
	{"views", "Views", []string{"app"}},
	{"bridge", "Bridge to workers", []string{"wasm/bridge", "wasm/graphviz", "wasm/javascript", "wasm/store"}},
	{"kinds", "Scenarios and experiments", []string{
		"engine/bundle", "engine/federate/federatekind", "engine/kube/fragment", "engine/gallery", "engine/kinds",
		"engine/placement/placementkind", "engine/qos/qoskind", "engine/kube/handover", "engine/scenario", "engine/study",
	}},
	{"texts", "Policies as text", []string{"engine/script", "engine/written"}},
	{"systems", "The three systems", []string{"engine/solve", "engine/federate", "engine/flow", "engine/placement", "engine/qos"}},
	{"readers", "Readers and generators", []string{"engine/dot", "engine/input", "engine/kube/manifest"}},
	{"foundations", "Foundations", []string{"engine", "engine/input/csv"}},
}

// dataFlow is the path of a file that the user drops, in numbered steps.
var dataFlow = []struct{ from, to, what string }{
	{"views", "bridge", "1 file"},
	{"bridge", "kinds", "2 scenario"},
	{"kinds", "readers", "3 text"},
	{"readers", "systems", "4 model"},
	{"systems", "kinds", "5 result"},
	{"kinds", "bridge", "6 report"},
	{"bridge", "views", "7 picture"},
}

// layers holds the packages and the imports of each part.
type layers struct {
	packages map[string][]string
	imports  map[string]map[string]bool
}

// forTests are packages that only tests import.
var forTests = []string{"engine/drawn", "engine/golden"}

// partOf returns the part that has a package; "" for none.
func partOf(pkg string) string {
	longest, name := -1, ""
	for _, p := range parts {
		for _, folder := range p.folders {
			if (pkg == folder || strings.HasPrefix(pkg, folder+"/")) && len(folder) > longest {
				longest, name = len(folder), p.name
			}
		}
	}
	return name
}

// readLayers reads the imports of all packages of the repository at root, except
// packages for tests.
func readLayers(root string) (layers, error) {
	l := layers{packages: map[string][]string{}, imports: map[string]map[string]bool{}}
	for _, top := range []string{"app", "engine", "wasm"} {
		err := fs.WalkDir(os.DirFS(root), top, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (strings.HasSuffix(file, "test") || strings.HasSuffix(file, "testdata") || path.Base(file) == "internal" || slices.Contains(forTests, file) || strings.HasPrefix(path.Base(file), "_")):
				return fs.SkipDir
			case !entry.IsDir() && strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
				return l.add(root, file)
			}
			return nil
		})
		if err != nil {
			return l, err
		}
	}
	return l, nil
}

func (l *layers) add(root, file string) error {
	source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(file)), nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	pkg := path.Dir(file)
	from := partOf(pkg)
	if l.imports[from] == nil {
		l.imports[from] = map[string]bool{}
	}
	if !slices.Contains(l.packages[from], pkg) {
		l.packages[from] = append(l.packages[from], pkg)
	}
	for _, spec := range source.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		own, ok := strings.CutPrefix(imported, "berth/")
		if to := partOf(own); ok && to != "" && to != from {
			l.imports[from][to] = true
		}
	}
	return nil
}

// reaches reports whether a part imports another one through a third.
func (l *layers) reaches(from, to string) bool {
	seen := map[string]bool{to: true}
	var through func(string) bool
	through = func(part string) bool {
		for between := range l.imports[part] {
			if seen[between] {
				continue
			}
			seen[between] = true
			if l.imports[between][to] || through(between) {
				return true
			}
		}
		return false
	}
	return through(from)
}

// packagesFigure draws the parts of the program. It also returns a table with the same content.
func packagesFigure() (drawing, table string, err error) {
	root, err := repositoryAbove()
	if err != nil {
		return "", "", err
	}
	l, err := readLayers(root)
	if err != nil {
		return "", "", err
	}
	if err := l.check(); err != nil {
		return "", "", err
	}
	svg, err := drawn(l.dot())
	if err != nil {
		return "", "", err
	}
	_, rest, found := strings.Cut(svg, "<svg ")
	if !found {
		return "", "", errors.New("no <svg> in the drawing of Graphviz")
	}
	return `<svg class="packages" role="img" aria-label="The parts of Berth, from the programs of the page down to the foundations, and the way of data through them; the table says the same" ` +
		rest, l.table(), nil
}

// check returns an error if parts import each other, because the drawing would have
// no layers.
func (l *layers) check() error {
	for _, p := range parts {
		if l.imports[p.name][p.name] || l.reaches(p.name, p.name) {
			return fmt.Errorf("%s imports itself through other parts. Move a package to another part in web/docs/packages.go", p.title)
		}
	}
	return nil
}

// dot writes the drawing in DOT. It omits imports that other imports imply.
func (l *layers) dot() string {
	var b strings.Builder
	// The drawing is narrow enough for a phone, with margins for a font that is wider than Graphviz
	// expects.
	b.WriteString("digraph {\n\tgraph [ranksep=0.45, nodesep=0.15]\n\tnode [shape=box, fontname=Arial, fontsize=13, margin=\"0.3,0.08\"]\n\tedge [arrowsize=0.6, fontname=Arial, fontsize=13]\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "\t%s [label=%q]\n", p.name, p.title+"\n"+strings.Join(lines(l.names(p.name), 26), "\n"))
	}
	for _, from := range parts {
		for _, to := range parts {
			if l.imports[from.name][to.name] && !l.reaches(from.name, to.name) {
				fmt.Fprintf(&b, "\t%s -> %s\n", from.name, to.name)
			}
		}
	}
	for _, d := range dataFlow {
		fmt.Fprintf(&b, "\t%s -> %s [class=data, constraint=false, label=\"    %s    \"]\n", d.from, d.to, d.what)
	}
	return b.String() + "}\n"
}

// names returns the names of the packages of a part, without folders.
func (l *layers) names(name string) []string {
	var names []string
	for _, pkg := range l.packages[name] {
		if pkg != "engine" { // engine itself has only documentation
			names = append(names, path.Base(pkg))
		}
	}
	slices.Sort(names)
	return names
}

// lines joins words into lines of at most width characters; a longer word gets a line
// of its own.
func lines(words []string, width int) []string {
	var all []string
	line := ""
	for _, word := range words {
		if line != "" && len(line)+len(word)+2 > width {
			all = append(all, line+",")
			line = ""
		}
		if line != "" {
			line += ", "
		}
		line += word
	}
	return append(all, line)
}

// table returns the content of the drawing as an HTML table.
func (l *layers) table() string {
	var b strings.Builder
	b.WriteString(`<table class="packages-table"><thead><tr><th scope="col">part</th><th scope="col">packages</th><th scope="col">imports</th></tr></thead><tbody>`)
	for _, p := range parts {
		var below []string
		for _, other := range parts {
			if l.imports[p.name][other.name] {
				below = append(below, other.title)
			}
		}
		fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n", template.HTMLEscapeString(p.title),
			template.HTMLEscapeString(strings.Join(l.names(p.name), ", ")), template.HTMLEscapeString(cmp.Or(strings.Join(below, "; "), "nothing of Berth")))
	}
	return b.String() + "</tbody></table>"
}

// repositoryAbove finds the nearest folder with go.mod, from the working directory
// upwards.
func repositoryAbove() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod is in this folder or above: the picture of the packages is drawn in the repository")
		}
		dir = parent
	}
}
