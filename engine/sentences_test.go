//go:build !js

package engine_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// foreign are files that read errors of other people's packages, because those have no types for
// their errors.
var foreign = map[string]string{
	"engine/bundle/zip.go":            "archive/zip begins its errors with its name",
	"engine/kube/quota.go":            "a dump has why pods cannot be created in a message of the API alone",
	"engine/kube/manifest/tree.go":    "the reader of YAML has the line in its text alone",
	"engine/cmd/berth/main.go":        "package context calls an interrupt a cancellation",
	"wasm/graphviz/graphviz_other.go": "Graphviz's runtime has no types for its crashes",
}

// Code distinguishes errors, reasons and notes by their types and fields, so that their words can
// change.
func TestNoCodeReadsASentence(t *testing.T) {
	files, trees := sources(t)
	for path, file := range trees {
		found := sentencesReadIn(files, file)
		if foreign[path] != "" {
			if len(found) == 0 {
				t.Errorf("%s reads no error of another package any more: take it off the list", path)
			}
			continue
		}
		for _, place := range found {
			t.Errorf("%s reads a sentence: give what it is about a type with fields", place)
		}
	}
	if len(trees) < 500 {
		t.Errorf("%d files read", len(trees))
	}
	const src = `package x; import ("strings"; "bytes")
var _ = strings.HasPrefix(err.Error(), "a")
var _ = d.Message == "b" || d.Message != "" || strings.TrimSpace(d.Reason) == ""
func f() { switch r.Reason { case "d": } }
func g() { s := err.Error(); bytes.Cut(s, "e"); for _, n := range r.Notes { strings.Contains(n, "f") } }
func h() { shown(err.Error(), strings.Repeat("g", 2)); strings.TrimPrefix(" "+x.Error(), "h") }`
	want := []string{"x.go:2:9", "x.go:3:9", "x.go:4:12", "x.go:5:30", "x.go:5:77", "x.go:6:56"}
	if got := sentencesReadIn(parsed(t, src)); !slices.Equal(got, want) {
		t.Errorf("found %q in the example, want %q", got, want)
	}
}

// sentencesReadIn lists where a file examines sentences.
func sentencesReadIn(files *token.FileSet, file *ast.File) (found []string) {
	for _, declaration := range file.Decls {
		read := reading{called: map[string]bool{}}
		ast.Inspect(declaration, func(node ast.Node) bool {
			read.name(node)
			if read.reads(node) {
				found = append(found, fmt.Sprint(files.Position(node.Pos())))
			}
			return true
		})
	}
	return found
}

// reading is a walk through a declaration.
type reading struct{ called map[string]bool } // variables that hold sentences

// name records the variables that get sentences in a statement.
func (r *reading) name(node ast.Node) {
	switch node := node.(type) {
	case *ast.AssignStmt:
		for i, to := range node.Lhs {
			if to, ok := to.(*ast.Ident); ok && len(node.Lhs) == len(node.Rhs) {
				r.called[to.Name] = r.sentence(node.Rhs[i])
			}
		}
	case *ast.RangeStmt:
		if value, ok := node.Value.(*ast.Ident); ok {
			r.called[value.Name] = slices.Contains([]string{"notes", "warnings"}, strings.ToLower(last(node.X)))
		}
	}
}

// sentence reports whether an expression is or contains the text of an error, or the words of a
// diagnostic or reason.
func (r *reading) sentence(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return r.called[x.Name]
	case *ast.SelectorExpr:
		return slices.Contains([]string{"Message", "Reason", "Why", "Kept"}, x.Sel.Name)
	case *ast.CallExpr:
		return slices.Contains([]string{"Error", "Why", "Message"}, last(x.Fun)) && len(x.Args) == 0 || slices.ContainsFunc(x.Args, r.sentence)
	case *ast.BinaryExpr:
		return x.Op == token.ADD && (r.sentence(x.X) || r.sentence(x.Y))
	}
	return false
}

var looks = []string{"Compare", "Contains", "Count", "Cut", "EqualFold", "Fields", "HasPrefix", "HasSuffix", "Index", "LastIndex", "Replace", "Split", "TrimPrefix", "TrimSuffix", "TrimLeft", "TrimRight", "TrimFunc"}

// reads reports whether a node takes a sentence apart or compares it with a text.
func (r *reading) reads(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.CallExpr:
		f, ok := node.Fun.(*ast.SelectorExpr)
		return ok && slices.Contains([]string{"strings", "bytes"}, last(f.X)) && slices.ContainsFunc(looks, func(look string) bool { return strings.HasPrefix(f.Sel.Name, look) }) &&
			slices.ContainsFunc(node.Args, r.sentence)
	case *ast.BinaryExpr:
		return (node.Op == token.EQL || node.Op == token.NEQ) && (r.sentence(node.X) && text(node.Y) || r.sentence(node.Y) && text(node.X))
	case *ast.SwitchStmt:
		return node.Tag != nil && r.sentence(node.Tag)
	}
	return false
}

// text reports whether an expression is a text that is not empty.
func text(x ast.Expr) bool {
	literal, ok := x.(*ast.BasicLit)
	return ok && literal.Kind == token.STRING && literal.Value != `""`
}

// last returns the last name of an expression.
func last(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}
