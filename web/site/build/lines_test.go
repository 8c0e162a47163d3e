package build

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"berth/engine/must"
)

// A program without its line numbers is smaller and otherwise does the same.
func TestDropLines(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lines.wasm")
	must.Get(runGo(t.Context(), "testdata/lines", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "main.go"))(t)
	whole := must.Get(os.ReadFile(file))(t)
	if got, want := runProgram(t, file), "2001 main.fails[...] runtime error: index out of range [5] with length 3 value method time.Time.String called using nil *Time pointer\n./main.go 16\n"; got != want {
		t.Fatalf("with lines the program says %q, want %q", got, want)
	}
	small := must.Get(dropLines(bytes.Clone(whole)))(t)
	must.Do(t, os.WriteFile(file, small, 0o644))
	if got, want := runProgram(t, file), "2001 main.fails[...] runtime error: index out of range [5] with length 3 value method time.Time.String called using nil *Time pointer\n? 0\n"; got != want {
		t.Errorf("without lines the program says %q, want %q", got, want)
	}
	if before, after := packed(t, whole), packed(t, small); float64(after) > 0.9*float64(before) {
		t.Errorf("%d bytes without lines, compressed; %d with them", after, before)
	}
	if again, err := dropLines(bytes.Clone(small)); err != nil || !bytes.Equal(again, small) {
		t.Errorf("a second time changes something: %v", err)
	}
}

// Tables in another format give an error, not a broken program.
func TestDropLinesOfAnotherForm(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lines.wasm")
	must.Get(runGo(t.Context(), "testdata/lines", "build", "-trimpath", "-o", file, "main.go"))(t)
	whole := must.Get(os.ReadFile(file))(t)
	magic := []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}
	for name, program := range map[string][]byte{
		"empty":         nil,
		"no data":       whole[:wasmHeader],
		"cut":           whole[:len(whole)/2],
		"another magic": bytes.ReplaceAll(whole, magic, []byte{0xf0, 0xff, 0xff, 0xff, 0, 0, 1, 8}),
		"a magic more":  append(bytes.Clone(whole), append([]byte{dataSection, 14, 1, 0, i32Const, 0, end, 8}, magic...)...),
	} {
		if _, err := dropLines(bytes.Clone(program)); err == nil {
			t.Errorf("%s: taken as known", name)
		}
	}
}

// runProgram runs a program in Node.js and returns its output.
func runProgram(t *testing.T, file string) string {
	t.Helper()
	goroot := must.Get(runGo(t.Context(), ".", "env", "GOROOT"))(t)
	out, err := exec.CommandContext(t.Context(), "node", filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js"), file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// packed returns the size of data after compression with brotli.
func packed(t *testing.T, data []byte) int {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "data.wasm"), data, 0o644))
	report := must.Get(compress(dir, 5))(t)
	return report[0].Compressed
}
