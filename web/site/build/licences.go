package build

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"berth/web/licences"
)

// licenceTexts collects the licenses of everything in the site: the software in graphviz.wasm, Go
// itself, the modules in the programs, and the npm packages.
func licenceTexts(ctx context.Context, root string) ([]byte, error) {
	graphviz, err := goModule(ctx, root, goGraphviz)
	if err != nil {
		return nil, err
	}
	program, err := programSoftware(ctx, root)
	if err != nil {
		return nil, err
	}
	packages, err := npmPackages(root)
	if err != nil {
		return nil, err
	}
	drawing := append(licences.Graphviz(root), licences.Software{Name: graphviz.Path + " " + graphviz.Version, Dir: graphviz.Dir})
	return licences.Text(slices.Concat(drawing, program, packages))
}

// programSoftware lists Go and the modules in the program of the page.
func programSoftware(ctx context.Context, root string) ([]licences.Software, error) {
	env, err := runGo(ctx, root, "env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, goroot, _ := strings.Cut(env, "\n")
	modules, err := licences.Modules(ctx, root, []string{"js/wasm"}, "./app/main")
	return append([]licences.Software{{Name: version, Dir: goroot}}, modules...), err
}

// npmPackages lists the packages that npm has installed.
func npmPackages(root string) ([]licences.Software, error) {
	var packages []licences.Software
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
			packages = append(packages, licences.Software{Name: filepath.ToSlash(name), Dir: match})
		}
	}
	return packages, nil
}
