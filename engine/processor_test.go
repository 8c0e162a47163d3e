//go:build !js

package engine_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fused are the instructions of arm64 that round x·y + z once, where amd64 and
// WebAssembly round twice.
var fused = regexp.MustCompile(`\sFN?M(ADD|SUB)[DS]\s`)

// mayFuse has, by function, why it may: all others convert each product with float64
// before they add to it.
var mayFuse = map[string]string{
	"berth/engine/federate.Memory":                   bytesOnly,
	"berth/engine/federate.federationMemory":         bytesOnly,
	"berth/engine/federate.modelMemory":              bytesOnly,
	"berth/engine/federate.pigeonMemory":             bytesOnly,
	"berth/engine/federate.sparrowMemory":            bytesOnly,
	"berth/engine/placement.Memory":                  bytesOnly,
	"berth/engine/placement.PairMemory":              bytesOnly,
	"berth/engine/qos/qoskind.(*Experiment).affords": bytesOnly,
	"berth/wasm/graphviz/raster.(*painter).gradient": pixelsOnly,
	"berth/wasm/graphviz/raster.(*painter).text":     pixelsOnly,
	"berth/wasm/graphviz/raster.(*painter).view":     pixelsOnly,
}

const (
	bytesOnly  = "it estimates memory, which is compared with a limit and is no result"
	pixelsOnly = "it has matrices of gg, a module of others that draws PNGs, inlined"
)

// disassembled calls use with each function of the command for a processor whose name
// a pattern matches, and with its instructions, one a line.
func disassembled(t *testing.T, arch, pattern string, use func(function string, instructions []byte)) {
	t.Helper()
	command := filepath.Join(t.TempDir(), "berth")
	build := exec.Command("go", "build", "-o", command, "berth/engine/cmd/berth")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch) // with cgo as by default, so that what others built is there
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dump := exec.Command("go", "tool", "objdump", "-s", pattern, command)
	dump.Stderr = os.Stderr
	out, err := dump.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, function := range bytes.Split(out, []byte("TEXT "))[1:] {
		name, _, _ := bytes.Cut(function, []byte("(SB)"))
		use(string(name), function)
	}
}

// A result has the same bits on every processor: what the command computes with rounds
// each product before it adds to it.
func TestNothingIsFused(t *testing.T) {
	functions, used := 0, map[string]bool{}
	disassembled(t, "arm64", `^berth/|^gonum\.org/`, func(function string, instructions []byte) {
		functions++
		lines := bufio.NewScanner(bytes.NewReader(instructions))
		for lines.Scan() {
			if !fused.Match(lines.Bytes()) {
				continue
			}
			used[function] = true
			if mayFuse[function] == "" {
				t.Errorf("%s fuses a product with a sum at %s: write float64(x*y) + z", function, strings.Fields(lines.Text())[0])
			}
		}
	})
	if functions < 2000 {
		t.Errorf("%d functions were looked at: too few to tell", functions)
	}
	for function := range mayFuse {
		if !used[function] {
			t.Errorf("%s fuses nothing: it needs no exception", function)
		}
	}
}

// gonum adds with vector instructions on amd64, in another order than elsewhere, so
// nothing that a command contains may come to them.
func TestNothingAddsInVectors(t *testing.T) {
	disassembled(t, "amd64", `^gonum\.org/v1/gonum/internal/asm`, func(function string, _ []byte) {
		t.Errorf("the command contains %s, which has other bits on other processors", function)
	})
}
