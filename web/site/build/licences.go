package build

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// graphvizNotice stands in for a licence file, which go-graphviz has for its
// own code alone.
const graphvizNotice = `Graphviz 12.1.2 (graphviz.wasm, compiled by the authors of go-graphviz)
Eclipse Public License 1.0, https://graphviz.org/license/
Its source code is at https://gitlab.com/graphviz/graphviz`

// carried is the work of others that the site carries.
type carried struct{ name, dir string }

// licences gathers the licence texts of everything the site carries.
func licences(ctx context.Context, root string) ([]byte, error) {
	modules, err := goModules(ctx, root)
	if err != nil {
		return nil, err
	}
	packages, err := npmPackages(root)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.WriteString("Berth carries the work of others, under these licences.\n\n" + graphvizNotice + "\n")
	for _, c := range slices.Concat(modules, packages) {
		files, err := filepath.Glob(filepath.Join(c.dir, "[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s has no licence in %s that the site could carry", c.name, c.dir)
		}
		licence, err := os.ReadFile(files[0])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&text, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 72), c.name, bytes.TrimSpace(licence))
	}
	return text.Bytes(), nil
}

// goModules lists Go itself and the modules in app.wasm and graphviz.wasm.
func goModules(ctx context.Context, root string) ([]carried, error) {
	const format = "{{.Path}} {{.Version}}\t{{.Dir}}"
	var lines []string
	for _, args := range [][]string{
		{"env", "GOVERSION", "GOROOT"},
		{"list", "-m", "-f", format, "github.com/goccy/go-graphviz"},
		{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}" + format + "{{end}}{{end}}", "./wasm/app"},
	} {
		out, err := runGo(ctx, root, args...)
		if err != nil {
			return nil, err
		}
		if args[0] == "env" {
			out = strings.Replace(out, "\n", "\t", 1)
		}
		lines = append(lines, strings.Split(out, "\n")...)
	}
	slices.Sort(lines)
	var modules []carried
	for _, line := range slices.Compact(lines) {
		name, dir, _ := strings.Cut(line, "\t")
		modules = append(modules, carried{name, dir})
	}
	return modules, nil
}

// npmPackages lists what npm has installed.
func npmPackages(root string) ([]carried, error) {
	var packages []carried
	for _, pattern := range []string{"@*/*", "[^.@]*"} {
		dir := filepath.Join(root, "web", "node_modules")
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, match := range found {
			name, err := filepath.Rel(dir, match)
			if err != nil {
				return nil, err
			}
			packages = append(packages, carried{filepath.ToSlash(name), match})
		}
	}
	return packages, nil
}
