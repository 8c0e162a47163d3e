package ui

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/diag"
)

func TestHeadIsBounded(t *testing.T) {
	if got := strings.Count(head(strings.Repeat("x\n", 1000)), "\n"); got != 200 {
		t.Errorf("the head of many lines has %d, want 200", got)
	}
	if got := head(strings.Repeat("é", 100_000)); len(got) > 32<<10 || !utf8.ValidString(got) {
		t.Errorf("the head of one long line has %d bytes, valid: %v", len(got), utf8.ValidString(got))
	}
	if got := head("short\n"); got != "short\n" {
		t.Errorf("head changed a short text to %q", got)
	}
}

func TestLargeTextIsNotPutIntoATextArea(t *testing.T) {
	e := &Editor{ID: "e", Label: "Deployment", Text: strings.Repeat("node\n", editable/5+1)}
	got := app.HTMLString(e.Render())
	if strings.Contains(got, "<textarea") || len(got) > 64<<10 {
		t.Errorf("a large text is drawn in %d bytes, in a text area: %v", len(got), strings.Contains(got, "<textarea"))
	}
	e.Text = "graph {}"
	if got := app.HTMLString(e.Render()); !strings.Contains(got, "<textarea") {
		t.Error("a small text has no text area")
	}
}

func TestEditorIsMadeWithItsText(t *testing.T) {
	e := &Editor{ID: "e", Label: "Deployment", Text: "graph { a }"}
	e.OnInit()
	if got := app.HTMLString(e.Render()); !strings.Contains(got, "graph { a }") {
		t.Errorf("the text area does not begin with the text:\n%s", got)
	}
}

func TestDiagnosticsAreListed(t *testing.T) {
	e := &Editor{ID: "e", Label: "Deployment", Diagnostics: make(diag.List, listedDiagnostics+5)}
	for i := range e.Diagnostics {
		e.Diagnostics[i] = diag.Diagnostic{Line: i + 1, Column: 2, Severity: diag.Warning, Code: &diag.Code{Words: "<i>"}}
	}
	got := app.HTMLString(e.Render())
	if n := strings.Count(got, "diagnostic-warning"); n != listedDiagnostics {
		t.Errorf("%d diagnostics are listed, want %d", n, listedDiagnostics)
	}
	if !strings.Contains(got, "and 5 more") || strings.Contains(got, "<i>") {
		t.Error("the rest is not counted, or a message became HTML")
	}
}

func TestSettleReportsAChangeOnce(t *testing.T) {
	var heard []string
	e := &Editor{shown: "a", OnChange: func(_ app.Context, text string) { heard = append(heard, text) }}
	for _, text := range []string{"a", "b", "b", "c"} {
		e.settle(app.Context{}, text)
	}
	if strings.Join(heard, " ") != "b c" {
		t.Errorf("heard %q, want b and c", heard)
	}
}

func TestTheLanguageIsTold(t *testing.T) {
	words := []Word{{Text: "request"}}
	for _, c := range []struct {
		name, text string
		nodes      []Word
		want       string
	}{
		{"jobs.dot", "graph {}", words, "dot"},
		{"pasted text", "", words, "dot"},
		{"shop.yaml", "kind: Deployment", words, "keys"},
		{"pasted text", "---\nkind: Deployment", words, "keys"},
		{"pasted text", ` {"kind": "List"}`, words, "keys"},
		{"net.graphml", "<?xml version='1.0'?>", words, "table"},
		{"hosts.csv", "name,cpu", nil, "table"},
		{"hosts.json", "[]", nil, "keys"},
	} {
		e := &Editor{FileName: c.name, Text: c.text, Nodes: c.nodes}
		if got := e.language(); got != c.want {
			t.Errorf("%s with %q is coloured as %s, want %s", c.name, c.text, got, c.want)
		}
	}
}
