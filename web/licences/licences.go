// Package licences collects the licenses of third-party code in Berth: for the site when it is
// built, and for the command line in engine/cmd/berth/licences.txt, which is compiled into the
// program. This package's test checks that the file is up to date; its flag -update writes it.
package licences

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Software is a third-party work in a program.
type Software struct {
	Name string
	Dir  string // folder with the license
}

// Graphviz returns the software in graphviz.wasm. go-graphviz does not include its licenses.
func Graphviz(root string) []Software {
	dir := filepath.Join(root, "web", "licences")
	return []Software{
		{"Graphviz 12.1.2, source code: https://gitlab.com/graphviz/graphviz/-/tree/12.1.2", filepath.Join(dir, "graphviz")},
		{"Expat 2.6.3, source code: https://github.com/libexpat/libexpat/tree/R_2_6_3", filepath.Join(dir, "expat")},
	}
}

// Modules returns the modules that packages of the repository at root use on any of the platforms.
// A platform has the form "linux/amd64".
func Modules(ctx context.Context, root string, platforms []string, packages ...string) ([]Software, error) {
	args := append([]string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"}, packages...)
	var works []Software
	for _, platform := range platforms {
		out, err := runGo(ctx, root, platform, args...)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(out) {
			name, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
			works = append(works, Software{name, dir})
		}
	}
	slices.SortFunc(works, func(a, b Software) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(works), nil
}

// platforms are the platforms for which the command line is released.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// CommandLine returns the text of the licenses for the command line on all platforms.
func CommandLine(ctx context.Context, root string) ([]byte, error) {
	modules, err := Modules(ctx, root, platforms, "./engine/cmd/berth")
	if err != nil {
		return nil, err
	}
	goroot, err := runGo(ctx, root, platforms[0], "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	return Text(slices.Concat([]Software{{"Go, source code: https://go.dev", strings.TrimSpace(goroot)}}, Graphviz(root), modules))
}

func runGo(ctx context.Context, root, platform string, args ...string) (string, error) {
	system, processor, _ := strings.Cut(platform, "/")
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir, command.Stderr = root, os.Stderr
	// Releases are built without cgo.
	command.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return string(out), nil
}

// Text lists works with their licenses. Works under the same text share one entry, at the position
// of the first.
func Text(works []Software) ([]byte, error) {
	var order []string
	under := map[string][]string{}
	for _, w := range works {
		text, err := w.licence()
		if err != nil {
			return nil, err
		}
		if under[text] == nil {
			order = append(order, text)
		}
		under[text] = append(under[text], w.Name)
	}
	var all bytes.Buffer
	all.WriteString("Berth carries the work of others, under these licences.\n")
	for _, text := range order {
		fmt.Fprintf(&all, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 72), strings.Join(under[text], "\n"), text)
	}
	return all.Bytes(), nil
}

// licenceFile matches the names of files and folders with licenses and notices in a module.
var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[sc]es?|copying|notice|third_party_licenses)\b`)
	needless    = regexp.MustCompile(`(?i)^gpl\.txt$`) // a licence that the work offers as an alternative
)

// licence reads the licenses and notices of a work.
func (w Software) licence() (string, error) {
	var texts []string
	entries, err := os.ReadDir(w.Dir)
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		if !licenceFile.MatchString(entry.Name()) {
			continue
		}
		err := filepath.WalkDir(filepath.Join(w.Dir, entry.Name()), func(file string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || needless.MatchString(e.Name()) {
				return err
			}
			text, err := os.ReadFile(file)
			texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
			return err
		})
		if err != nil {
			return "", err
		}
	}
	if len(texts) == 0 {
		return "", fmt.Errorf("%s has no licence in %s. Berth can only carry what has one", w.Name, w.Dir)
	}
	return strings.Join(texts, "\n\n"), nil
}
