//go:build !js

package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
)

// listed is the output of go list for a package.
type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// listPackages lists the packages of the whole module that are compiled for a system.
func listPackages(t *testing.T, goos, goarch string) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "berth/...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out := must.Get(cmd.Output())(t)
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// within reports whether path is one of the packages of the module, or below one.
func within(path string, packages ...string) bool {
	return slices.ContainsFunc(packages, func(p string) bool {
		return path == "berth/"+p || strings.HasPrefix(path, "berth/"+p+"/")
	})
}

// forbidden says why a package must not import another; "" if it may.
func forbidden(from, to string) string {
	systems := []string{"engine/placement", "engine/qos", "engine/federate", "engine/kube/fragment"}
	kinds := []string{"engine/placement/placementkind", "engine/qos/qoskind", "engine/federate/federatekind", "engine/kube/fragment"}
	parts := []string{
		"engine/diag", "engine/graph", "engine/dot", "engine/cluster", "engine/sim", "engine/event", "engine/stats", "engine/input/csv", "engine/show", "engine/input/workload", "engine/solve",
	}
	system := func(path string) int {
		return slices.IndexFunc(systems, func(s string) bool { return within(path, s) })
	}
	switch {
	case within(to, "engine/golden", "engine/drawn", "engine/must") && !strings.HasSuffix(from, "test"):
		return "golden files, drawn scenarios and must are for tests"
	case within(from, "engine/golden", "engine/must"):
		return ""
	case within(from, "engine/cmd"):
		if within(to, "app", "web") || within(to, "wasm") && !within(to, "wasm/graphviz") {
			return "of ours, a command imports the engine and wasm/graphviz alone"
		}
		return ""
	case within(from, "engine") && strings.HasPrefix(to, "berth/") && !within(to, "engine"):
		return "the engine imports nothing of ours outside the engine"
	case within(from, "engine") && slices.Contains([]string{"net", "net/http", "os", "syscall/js"}, to):
		return "the engine knows no browser, network or file"
	case system(from) >= 0 && system(to) >= 0 && system(from) != system(to):
		return "the systems do not know each other"
	case within(from, "engine") && !within(from, "engine/kinds") && within(to, "engine/kinds"):
		return "the engine does not know which kinds there are; programs do"
	case within(from, "engine/scenario", "engine/study") && system(to) >= 0:
		return "scenarios and experiments know no kind"
	case !within(from, "engine/cmd") && strings.HasPrefix(to, "github.com/nats-io/"):
		return "what needs a network is of the command line alone"
	case within(from, parts...) && (system(to) >= 0 || within(to, "engine/scenario")):
		return "the shared parts know no system"
	case system(from) >= 0 && !within(from, kinds...) && within(to, "engine/scenario"):
		return "a system knows no scenarios; its kind does"
	case within(from, "wasm") && within(to, "app"):
		return "the page asks the bridge, and not the other way round"
	case within(from, "wasm/worker") && strings.HasPrefix(to, "github.com/maxence-charriere/go-app/"):
		return "the engine worker does without go-app"
	}
	return ""
}

func TestImportsGoDownwards(t *testing.T) {
	for _, system := range [][2]string{{"linux", "amd64"}, {"js", "wasm"}} {
		for _, p := range listPackages(t, system[0], system[1]) {
			for _, to := range p.Imports {
				if why := forbidden(p.ImportPath, to); why != "" {
					t.Errorf("%s imports %s: %s", p.ImportPath, to, why)
				}
			}
		}
	}
}

// Packages that run in the page do not import NATS, directly or indirectly.
func TestPageHasNothingOfNATS(t *testing.T) {
	page := 0
	for _, p := range listPackages(t, "js", "wasm") {
		if !within(p.ImportPath, "app", "wasm/worker") {
			continue
		}
		page++
		for _, d := range p.Deps {
			if strings.HasPrefix(d, "github.com/nats-io/") || d == "berth/engine/cmd/berth/queue" {
				t.Errorf("%s depends on %s", p.ImportPath, d)
			}
		}
	}
	if page == 0 {
		t.Error("there is no page")
	}
}

// unrepeatable are the functions whose results differ from run to run or from
// machine to machine, by the path of their package.
var unrepeatable = map[string][]string{
	"math": {"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atan2", "Atanh", "Cbrt", "Cos", "Cosh", "Erf", "Erfc", "Erfcinv", "Erfinv", "Exp", "Exp2", "Expm1",
		"Gamma", "Hypot", "J0", "J1", "Jn", "Lgamma", "Log", "Log10", "Log1p", "Log2", "Pow", "Sin", "Sincos", "Sinh", "Tan", "Tanh", "Y0", "Y1", "Yn",
	}, // have assembly or are fused; package stats has some of them
	"math/rand/v2": {"ExpFloat64", "Float32", "Float64", "Int", "Int32", "Int32N", "Int64", "Int64N", "IntN", "N",
		"NormFloat64", "Perm", "Shuffle", "Uint", "Uint32", "Uint32N", "Uint64", "Uint64N", "UintN"}, // of the global source
	"time": {"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"},
}

func TestEngineRepeatsItself(t *testing.T) {
	files, trees := sources(t)
	for path, file := range trees {
		// Package runs starts the goroutines of rows that do not depend on each other.
		if within("berth/"+path, "engine") && !within("berth/"+path, "engine/cmd", "engine/runs") {
			for _, call := range unrepeatableIn(files, file) {
				t.Errorf("%s: the result differs between runs or machines", call)
			}
		}
	}
	const src = `package x; import ("math/rand/v2"; clock "time"); var _, _ = clock.Now(), rand.New(nil).IntN(3)
func f() { go f(); all.Go(f) }`
	want := []string{"x.go:1:62: time.Now", "x.go:2:12: a goroutine", "x.go:2:20: a goroutine"}
	if got := unrepeatableIn(parsed(t, src)); !slices.Equal(got, want) {
		t.Errorf("found %q in the example, want %q", got, want)
	}
}

// unrepeatableIn lists the uses of unrepeatable functions in a file, and where it starts goroutines.
// make test checks races only in packages that may start some.
func unrepeatableIn(files *token.FileSet, file *ast.File) []string {
	paths := map[string]string{} // imported paths, by their name in the file
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		name := strings.TrimSuffix(path, "/v2")
		name = name[strings.LastIndex(name, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = path
	}
	var found []string
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if pkg, ok := node.X.(*ast.Ident); ok && slices.Contains(unrepeatable[paths[pkg.Name]], node.Sel.Name) {
				found = append(found, fmt.Sprintf("%v: %s.%s", files.Position(node.Pos()), paths[pkg.Name], node.Sel.Name))
			}
		case *ast.GoStmt:
			found = append(found, fmt.Sprintf("%v: a goroutine", files.Position(node.Pos())))
		case *ast.CallExpr: // Go of an errgroup or of a sync.WaitGroup
			if use, ok := node.Fun.(*ast.SelectorExpr); ok && use.Sel.Name == "Go" {
				found = append(found, fmt.Sprintf("%v: a goroutine", files.Position(node.Pos())))
			}
		}
		return true
	})
	return found
}

// Every path that the README or the documentation mentions exists.
func TestReadmeNamesWhatIsThere(t *testing.T) {
	pages := must.Get(filepath.Glob("../web/docs/pages/*.md"))(t)
	found := 0
	for _, page := range append(pages, "../README.md") {
		text := must.Get(os.ReadFile(page))(t)
		for i, path := range strings.Split(strings.ReplaceAll(string(text), "```", ""), "`") {
			folder, _, below := strings.Cut(path, "/")
			if i%2 == 0 || !below || !slices.Contains([]string{"engine", "app", "wasm", "web", "examples"}, folder) || strings.ContainsAny(path, " \n") {
				continue
			}
			found++
			if _, err := os.Stat(filepath.Join("..", path)); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	if found < 20 {
		t.Errorf("%d paths found", found)
	}
}
