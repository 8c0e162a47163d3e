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

// carried is the work of others that the site carries; dir has its licence.
type carried struct{ name, dir string }

// inGraphviz is what graphviz.wasm is compiled from, of which go-graphviz has no
// licences.
func inGraphviz(root string) []carried {
	dir := filepath.Join(root, "web", "licences")
	return []carried{
		{"Graphviz 12.1.2, source code: https://gitlab.com/graphviz/graphviz/-/tree/12.1.2", filepath.Join(dir, "graphviz")},
		{"Expat 2.6.3, source code: https://github.com/libexpat/libexpat/tree/R_2_6_3", filepath.Join(dir, "expat")},
	}
}

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
	text.WriteString("Berth carries the work of others, under these licences.\n")
	for _, c := range slices.Concat(inGraphviz(root), modules, packages) {
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

// goModules lists Go itself and the modules in the programs and graphviz.wasm.
func goModules(ctx context.Context, root string) ([]carried, error) {
	graphviz, err := goModule(ctx, root, goGraphviz)
	if err != nil {
		return nil, err
	}
	lines := []string{graphviz.Path + " " + graphviz.Version + "\t" + graphviz.Dir}
	for _, args := range [][]string{
		{"env", "GOVERSION", "GOROOT"},
		{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./wasm/app", "./wasm/readers"},
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
