package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"berth/engine/gallery"
)

// npmFiles are files of npm packages, whose versions web/package-lock.json pins.
var npmFiles = map[string]string{
	"pico.css": "@picocss/pico/css/pico.min.css",
	"d3.js":    "d3/dist/d3.min.js",
	"plot.js":  "@observablehq/plot/dist/plot.umd.min.js",
}

// editorScript imports npm packages, which the build bundles into the script.
const editorScript = "editor.js"

// gather builds and reads everything below /web/. base is the prefix of the site's
// paths.
func gather(ctx context.Context, root, base string) (*assets, error) {
	a := newAssets()
	a.base = base
	if err := a.addDir(filepath.Join(root, "web", "assets"), "boot.js", editorScript, moduleScript); err != nil {
		return nil, err
	}
	if err := a.addFiles(filepath.Join(root, "web", "node_modules"), npmFiles); err != nil {
		return nil, fmt.Errorf("%w (npm ci in web/ installs it, and so does make site)", err)
	}
	if err := a.joinStyles(); err != nil {
		return nil, err
	}
	if err := addWasm(ctx, a, root); err != nil {
		return nil, err
	}
	for name, make := range map[string]func() ([]byte, error){
		editorScript:   func() ([]byte, error) { return bundle(filepath.Join(root, "web", "assets", editorScript)) },
		"gallery.json": gallery.Bundle,
		"licences.txt": func() ([]byte, error) { return licenceTexts(ctx, root) },
	} {
		content, err := make()
		if err == nil {
			err = a.add(name, content)
		}
		if err != nil {
			return nil, err
		}
	}
	return a, a.addBoot(filepath.Join(root, "web", "assets", "boot.js"))
}

// addWasm compiles the program and adds it with graphviz.wasm and wasm_exec.js,
// which must match the version of Go.
func addWasm(ctx context.Context, a *assets, root string) error {
	bin, err := os.MkdirTemp("", "berth-wasm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	if err := compileProgram(ctx, root, filepath.Join(bin, "app.wasm")); err != nil {
		return err
	}
	graphviz, err := goModule(ctx, root, goGraphviz)
	if err != nil {
		return err
	}
	goroot, err := runGo(ctx, root, "env", "GOROOT")
	if err != nil {
		return err
	}
	return a.addFiles("", map[string]string{
		"app.wasm":      filepath.Join(bin, "app.wasm"),
		"graphviz.wasm": filepath.Join(graphviz.Dir, "internal", "wasm", "graphviz.wasm"),
		"wasm_exec.js":  filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"),
	})
}

const goGraphviz = "github.com/goccy/go-graphviz"

// module is a Go module at the version that go.mod selects.
type module struct{ Path, Version, Dir string }

// goModule returns the folder of a module, and downloads the module if necessary,
// unlike go list -m.
func goModule(ctx context.Context, root, path string) (module, error) {
	var m module
	out, err := runGo(ctx, root, "mod", "download", "-json", path)
	if err == nil {
		err = json.Unmarshal([]byte(out), &m)
	}
	return m, err
}

// runGo runs the go command for js/wasm and returns its trimmed output.
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
