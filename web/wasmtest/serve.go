package main

import (
	"embed"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed files.js page.html page.js
var page embed.FS

// serve serves the page of a test: the binary args[0], its flags, and read-only
// access to the files of this machine for os.ReadFile and similar functions.
func serve(args []string) (*httptest.Server, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	paths, err := exec.Command("go", "env", "GOMOD", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	module, goroot, _ := strings.Cut(strings.TrimSpace(string(paths)), "\n")
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(filepath.Dir(module))))
	mux.Handle("GET /wasmtest/", http.StripPrefix("/wasmtest", http.FileServerFS(page)))
	mux.HandleFunc("GET /wasmtest/wasm_exec.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	})
	mux.HandleFunc("GET /wasmtest/test.wasm", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/wasm")
		http.ServeFile(w, r, args[0])
	})
	mux.HandleFunc("GET /wasmtest/config", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"argv": args, "cwd": cwd, "env": environment()})
	})
	mux.HandleFunc("GET /wasmtest/file", serveFile)
	server := httptest.NewServer(mux)
	server.URL += "/wasmtest/page.html"
	return server, nil
}

// environment is the part of the environment that a test sees: the variables BERTH_*.
func environment() map[string]string {
	env := map[string]string{}
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "BERTH_") {
			env[name] = value
		}
	}
	return env
}

// serveFile serves the page's file system: the content of a file, or the names in a
// directory as JSON.
func serveFile(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Query().Get("path")
	info, err := os.Stat(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	if !info.IsDir() {
		http.ServeFile(w, r, path)
		return
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	w.Header().Set("X-Directory", "1")
	json.NewEncoder(w).Encode(names)
}
