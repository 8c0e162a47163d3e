package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The packages from npm, as web/package-lock.json pins them.
var npmFiles = map[string]string{
	"pico.css": "@picocss/pico/css/pico.min.css",
	"d3.js":    "d3/dist/d3.min.js",
	"plot.js":  "@observablehq/plot/dist/plot.umd.min.js",
}

// gather builds and reads everything that is served below /web/.
func gather(ctx context.Context, root string) (*assets, error) {
	a := newAssets()
	if err := a.addDir(filepath.Join(root, "web", "assets"), "boot.js"); err != nil {
		return nil, err
	}
	for name, file := range npmFiles {
		content, err := os.ReadFile(filepath.Join(root, "web", "node_modules", filepath.FromSlash(file)))
		if err != nil {
			return nil, fmt.Errorf("%w (npm ci in web/ installs it, and so does make site)", err)
		}
		if err := a.add(name, content); err != nil {
			return nil, err
		}
	}
	if err := addWasm(ctx, a, root); err != nil {
		return nil, err
	}
	text, err := licences(ctx, root)
	if err != nil {
		return nil, err
	}
	if err := a.add("licences.txt", text); err != nil {
		return nil, err
	}
	return a, a.addBoot(filepath.Join(root, "web", "assets", "boot.js"))
}

// addWasm compiles the page, which is the engine worker too, and copies what
// belongs to it: Graphviz, and the glue script that must match the version of Go.
func addWasm(ctx context.Context, a *assets, root string) error {
	bin, err := os.MkdirTemp("", "berth-wasm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	app := filepath.Join(bin, "app.wasm")
	if err := compilePage(ctx, root, app); err != nil {
		return err
	}
	graphviz, err := graphvizDir(ctx, root)
	if err != nil {
		return err
	}
	goroot, err := runGo(ctx, root, "env", "GOROOT")
	if err != nil {
		return err
	}
	for name, file := range map[string]string{
		"app.wasm":      app,
		"graphviz.wasm": filepath.Join(graphviz, "internal", "wasm", "graphviz.wasm"),
		"wasm_exec.js":  filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"),
	} {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := a.add(name, content); err != nil {
			return err
		}
	}
	return nil
}

func graphvizDir(ctx context.Context, root string) (string, error) {
	return runGo(ctx, root, "list", "-m", "-f", "{{.Dir}}", "github.com/goccy/go-graphviz")
}

// runGo runs the go command for the browser and gives what it printed, trimmed.
func runGo(ctx context.Context, root string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
