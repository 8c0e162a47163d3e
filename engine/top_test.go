//go:build !js

package engine_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
)

// The top level of the repository has only these names, dot-files, and the site if it was built. A
// program that was built there by mistake would become part of every clone.
func TestNamesAtTheTopLevel(t *testing.T) {
	want := []string{"Makefile", "README.md", "app", "engine", "examples", "go.mod", "go.sum", "netlify.toml", "wasm", "web"}
	entries := must.Get(os.ReadDir(".."))(t)
	var got []string
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && name != "dist" {
			got = append(got, name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the top level has %v, want %v and dot-files", got, want)
	}
}
