//go:build !js

package engine_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
)

// code is a declaration of a problem that an input can have.
type code struct {
	name, words string
	shared      bool // the name is a constant's
	place       token.Position
}

var kebab = regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)*$`)

// Each code is declared once, in a text.go. Two declarations with one name share its constant, and
// equal words have one declaration. A caller gives as many arguments as the words need.
func TestCodes(t *testing.T) {
	files, trees := sources(t)
	constants, codes := map[string]string{}, map[string]code{}
	for path, file := range trees {
		for name, value := range constantsOf(file) {
			constants[filepath.Dir(path)+"."+name] = value
		}
	}
	for path, file := range trees {
		for name, c := range codesOf(t, files, path, file, constants) {
			if filepath.Base(path) != "text.go" {
				t.Errorf("%v: declare codes in text.go", c.place)
			}
			codes[filepath.Dir(path)+"."+name] = c
		}
	}
	own, said := map[string]token.Position{}, map[string]token.Position{}
	for _, c := range codes {
		if !kebab.MatchString(c.name) {
			t.Errorf("%v: %q is not in kebab case", c.place, c.name)
		}
		if strings.Contains(c.words, "%w") {
			t.Errorf("%v: the words %q have a verb of fmt.Errorf alone", c.place, c.words)
		}
		if at, twice := own[c.name]; twice && !c.shared {
			t.Errorf("%v: the code %s is declared at %v too: share its constant", c.place, c.name, at)
		}
		if at, twice := said[c.words]; twice && !wrapper[c.words] {
			t.Errorf("%v: the words %q are declared at %v too: share the declaration", c.place, c.words, at)
		}
		own[c.name], said[c.words] = c.place, c.place
	}
	if len(codes) < 300 {
		t.Errorf("%d declarations found", len(codes))
	}
	golden.Part(t, "../web/docs/pages/problems.md", "codes", table(codes))
	calls := 0
	for path, file := range trees {
		ast.Inspect(file, func(node ast.Node) bool {
			switch x := node.(type) {
			case *ast.CallExpr:
				calls += arguments(t, files, filepath.Dir(path), x, codes)
			case *ast.CompositeLit:
				if qualified(filepath.Dir(path), x.Type) == "engine/diag.Diagnostic" && !given(x, "Code") {
					t.Errorf("%v: a diagnostic without a code", files.Position(x.Pos()))
				}
			}
			return true
		})
	}
	if calls < 300 {
		t.Errorf("%d places found where codes are given", calls)
	}
}

// table lists the codes for the documentation, each with its shortest message.
func table(codes map[string]code) string {
	shortest := map[string]string{}
	for _, c := range codes {
		best, known := shortest[c.name]
		switch {
		case wrapper[c.words]:
			shortest[c.name] = best
		case !known || best == "" || len(c.words) < len(best) || len(c.words) == len(best) && c.words < best:
			shortest[c.name] = c.words
		}
	}
	var b strings.Builder
	b.WriteString("| code | words |\n| --- | --- |\n")
	for _, name := range slices.Sorted(maps.Keys(shortest)) {
		shown := verb.ReplaceAllString(cmp.Or(shortest[name], "%s"), "…")
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "[", `\[`).Replace(shown))
	}
	return b.String()
}

// wrapper has messages that only pass on an argument.
var wrapper = map[string]bool{"%s": true, "%v": true}

// sources parses all our files that are not tests, by path.
func sources(t *testing.T) (*token.FileSet, map[string]*ast.File) {
	t.Helper()
	files, trees := token.NewFileSet(), map[string]*ast.File{}
	for _, root := range []string{"engine", "app", "wasm", "web"} {
		must.Do(t, filepath.WalkDir(filepath.Join("..", root), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			trees[strings.TrimPrefix(filepath.ToSlash(path), "../")] = file
			return err
		}))
	}
	return files, trees
}

// parsed parses a text as the file x.go.
func parsed(t *testing.T, text string) (*token.FileSet, *ast.File) {
	t.Helper()
	files := token.NewFileSet()
	return files, must.Get(parser.ParseFile(files, "x.go", text, parser.SkipObjectResolution))(t)
}

// values calls a function for each value that a file declares at top level.
func values(file *ast.File, of token.Token, each func(name string, value ast.Expr)) {
	for _, declaration := range file.Decls {
		if general, ok := declaration.(*ast.GenDecl); ok && general.Tok == of {
			for _, spec := range general.Specs {
				if s := spec.(*ast.ValueSpec); len(s.Names) == len(s.Values) {
					for i, name := range s.Names {
						each(name.Name, s.Values[i])
					}
				}
			}
		}
	}
}

func constantsOf(file *ast.File) map[string]string {
	all := map[string]string{}
	values(file, token.CONST, func(name string, value ast.Expr) {
		if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			all[name], _ = strconv.Unquote(literal.Value)
		}
	})
	return all
}

// codesOf returns the codes that a file declares, by the names of their variables.
func codesOf(t *testing.T, files *token.FileSet, path string, file *ast.File, constants map[string]string) map[string]code {
	all := map[string]code{}
	text := func(x ast.Expr) (value string, shared bool) {
		if literal, ok := x.(*ast.BasicLit); ok {
			value, _ = strconv.Unquote(literal.Value)
			return value, false
		}
		return constants[qualified(filepath.Dir(path), x)], true
	}
	declared := 0
	values(file, token.VAR, func(name string, value ast.Expr) {
		if pointer, ok := value.(*ast.UnaryExpr); ok && isCode(pointer.X) {
			c := code{place: files.Position(pointer.Pos())}
			for _, element := range pointer.X.(*ast.CompositeLit).Elts {
				field := element.(*ast.KeyValueExpr)
				if value, shared := text(field.Value); field.Key.(*ast.Ident).Name == "Name" {
					c.name, c.shared = value, shared
				} else {
					c.words = value
				}
			}
			all[name] = c
			declared++
		}
	})
	ast.Inspect(file, func(node ast.Node) bool {
		if x, ok := node.(ast.Expr); ok && isCode(x) {
			declared--
		}
		return true
	})
	if declared < 0 && path != "engine/diag/code.go" { // which builds the codes that it reads
		t.Errorf("%s: declare codes at the top level", path)
	}
	return all
}

// isCode reports whether an expression creates a code.
func isCode(x ast.Expr) bool {
	literal, ok := x.(*ast.CompositeLit)
	return ok && qualified("engine/diag", literal.Type) == "engine/diag.Code"
}

// given reports whether a composite literal has a field.
func given(literal *ast.CompositeLit, name string) bool {
	return slices.ContainsFunc(literal.Elts, func(element ast.Expr) bool {
		field, ok := element.(*ast.KeyValueExpr)
		return ok && last(field.Key) == name
	})
}

// qualified returns the folder and the name that an expression refers to, in package diag or in its
// own file.
func qualified(folder string, x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return folder + "." + x.Name
	case *ast.SelectorExpr:
		if of, ok := x.X.(*ast.Ident); ok && of.Name == "diag" {
			return "engine/diag." + x.Sel.Name
		}
	}
	return ""
}

var verb = regexp.MustCompile(`%[-+# 0-9.]*[a-zA-Z]`)

// arguments counts the codes among the arguments of a call, and compares the arguments after each
// with its words.
func arguments(t *testing.T, files *token.FileSet, folder string, call *ast.CallExpr, codes map[string]code) (found int) {
	given := call.Args
	if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "New" {
		given = append([]ast.Expr{f.X}, given...)
	}
	for i, x := range given {
		c, ok := codes[qualified(folder, x)]
		if !ok || call.Ellipsis.IsValid() {
			continue
		}
		found++
		if want, got := len(verb.FindAllString(c.words, -1)), len(given)-i-1; got != want {
			t.Errorf("%v: %d arguments for %q, which takes %d", files.Position(call.Pos()), got, c.words, want)
		}
	}
	return found
}
