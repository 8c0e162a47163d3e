//go:build !js

package engine_test

import (
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

// mostSharedTypeNames limits the exported names of types that occur in three packages or more.
const mostSharedTypeNames = 25

// A name of a type has one meaning. It may occur in two packages, for example for a model and for
// its row in a report; a third one needs a different name.
func TestNamesOfTypes(t *testing.T) {
	packages := map[string]map[string]bool{}
	_, trees := sources(t)
	for path, file := range trees {
		for _, declaration := range file.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
					if packages[s.Name.Name] == nil {
						packages[s.Name.Name] = map[string]bool{}
					}
					packages[s.Name.Name][filepath.Dir(path)] = true
				}
			}
		}
	}
	shared := 0
	for name, in := range packages {
		if len(in) >= 3 {
			shared++
			t.Logf("%s: %v", name, slices.Sorted(maps.Keys(in)))
		}
	}
	if shared > mostSharedTypeNames {
		t.Errorf("%d names of types stand in three packages or more, want at most %d", shared, mostSharedTypeNames)
	}
}
