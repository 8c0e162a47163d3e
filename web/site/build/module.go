package build

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"berth/web/licences"
)

// moduleScript is the engine as an ES module, for notebooks and pages of others.
const moduleScript = "berth.mjs"

var moduleAssets = []string{"app.wasm", "engine-worker.js", "wasm_exec.js"}

// module returns the files of the module with fixed names: its script, and the list of the
// addresses of its assets, which the script reads.
func (a *assets) module(root string) (map[string][]byte, error) {
	script, err := os.ReadFile(filepath.Join(root, "web", "assets", moduleScript))
	if err != nil {
		return nil, err
	}
	urls := map[string]string{}
	for _, name := range moduleAssets {
		urls[name] = strings.TrimPrefix(a.urls[name], "/")
	}
	list, err := json.Marshal(urls)
	return map[string][]byte{moduleScript: script, "berth.json": list}, err
}

// Module builds the module with its assets and their licences into the zip file out. The
// same sources give the same bytes.
func Module(ctx context.Context, root, out string) error {
	a := newAssets()
	if err := a.addFiles(filepath.Join(root, "web", "assets"), map[string]string{"engine-worker.js": "engine-worker.js"}); err != nil {
		return err
	}
	if err := addWasm(ctx, a, root); err != nil {
		return err
	}
	files, err := a.module(root)
	if err != nil {
		return err
	}
	for _, name := range moduleAssets {
		files[strings.TrimPrefix(a.urls[name], "/")] = a.content[a.urls[name]]
	}
	works, err := programSoftware(ctx, root)
	if err != nil {
		return err
	}
	if files["licences.txt"], err = licences.Text(works); err != nil {
		return err
	}
	return writeZip(out, files)
}

// writeZip packs files by name. The entries have no times.
func writeZip(out string, files map[string][]byte) error {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return err
		}
		if _, err := entry.Write(files[name]); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(out, archive.Bytes(), 0o644)
}
