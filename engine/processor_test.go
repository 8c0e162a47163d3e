//go:build !js

package engine_test

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
)

// fused matches instructions of arm64 that round x·y + z once; amd64 and WebAssembly round twice.
var fused = regexp.MustCompile(`\sFN?M(ADD|SUB)[DS]\s`)

// mayFuse has the functions that may fuse, and why. All others convert each product with float64
// before they add to it.
var mayFuse = map[string]string{
	"berth/engine/federate/megha.memory":           bytesOnly,
	"berth/engine/federate.modelMemory":            bytesOnly,
	"berth/engine/federate/pigeon.memory":          bytesOnly,
	"berth/engine/placement.Memory":                bytesOnly,
	"berth/engine/placement.PairMemory":            bytesOnly,
	"berth/engine/qos/qoskind.(*Prepared).affords": bytesOnly,
}

const bytesOnly = "it estimates memory, which is compared with a limit and is no result"

// painting contains inlined matrices of gg and pages of fpdf. Other modules draw with these, and a
// drawing is not a result.
const painting = "berth/wasm/graphviz/painting."

// built builds the command for Linux on a processor.
func built(t *testing.T, arch string) (command string) {
	t.Helper()
	command = filepath.Join(t.TempDir(), "berth")
	build := exec.Command("go", "build", "-o", command, "berth/engine/cmd/berth")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch) // with cgo as by default, so that cached builds can be used
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return command
}

// disassembled calls use for each function of the command whose name matches a pattern, with its
// instructions on a processor, one per line.
func disassembled(t *testing.T, arch, pattern string, use func(function string, instructions []byte)) {
	t.Helper()
	dump := exec.Command("go", "tool", "objdump", "-s", pattern, built(t, arch))
	dump.Stderr = os.Stderr
	out := must.Get(dump.Output())(t)
	for _, function := range bytes.Split(out, []byte("TEXT "))[1:] {
		name, _, _ := bytes.Cut(function, []byte("(SB)"))
		use(string(name), function)
	}
}

// A result has the same bits on every processor, because the command rounds each product before it
// adds to it.
func TestNothingIsFused(t *testing.T) {
	golden.Long(t)
	functions, used := 0, map[string]bool{}
	disassembled(t, "arm64", `^berth/|^gonum\.org/v1/gonum/graph`, func(function string, instructions []byte) {
		functions++
		if strings.HasPrefix(function, painting) {
			return
		}
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

// On amd64 gonum adds with vector instructions, in another order than elsewhere. Of its packages,
// only those of graphs, which add lengths one by one, may affect a result.
func TestNothingAddsInVectors(t *testing.T) {
	graphs := 0
	for _, p := range listPackages(t, "linux", "amd64") {
		for _, to := range p.Imports {
			switch {
			case !strings.HasPrefix(to, "gonum.org/") || within(p.ImportPath, "engine/growth"): // that measures time
			case strings.HasPrefix(to, "gonum.org/v1/gonum/graph"):
				graphs++
			default:
				t.Errorf("%s imports %s, whose sums have other bits on amd64 than elsewhere", p.ImportPath, to)
			}
		}
	}
	if graphs == 0 {
		t.Error("nothing imports graphs of gonum: the test sees no imports")
	}
}

// Each example gives the same report on arm64, which qemu emulates, and a bundle from one processor
// is verified on the other.
func TestARM64GivesTheSameBytes(t *testing.T) {
	golden.Long(t)
	if runtime.GOOS != "linux" || runtime.GOARCH == "arm64" {
		t.Skipf("this is %s on %s: the reports of another processor are not compared with those of arm64", runtime.GOOS, runtime.GOARCH)
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("qemu-aarch64 is not installed: the reports of arm64 are not compared. make tools installs it (Debian's qemu-user)")
	} else if err != nil {
		t.Fatal(err)
	}
	here, there := []string{built(t, runtime.GOARCH)}, []string{qemu, built(t, "arm64")}
	run := func(t *testing.T, mayFail bool, command []string, args ...string) string {
		t.Helper()
		var errs bytes.Buffer
		cmd := exec.Command(command[0], slices.Concat(command[1:], args)...)
		cmd.Stderr = &errs
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !(mayFail && errors.As(err, &exit) && exit.ExitCode() == notPlaced) {
			t.Fatalf("%s %s: %v: %s%s", strings.Join(command, " "), strings.Join(args, " "), err, out, &errs)
		}
		return string(out) + errs.String()
	}
	examples, err := filepath.Glob("../examples/*.json")
	if err != nil || len(examples) < 30 {
		t.Fatalf("%d examples, %v", len(examples), err)
	}
	for _, example := range examples {
		t.Run(strings.TrimSuffix(filepath.Base(example), ".json"), func(t *testing.T) {
			t.Parallel()
			from, to := filepath.Join(t.TempDir(), "here.zip"), filepath.Join(t.TempDir(), "there.zip")
			want, got := run(t, true, here, "run", example, "--bundle", from), run(t, true, there, "run", example, "--bundle", to)
			if got != want {
				t.Fatalf("arm64 has another report of %d bytes, this processor one of %d", len(got), len(want))
			}
			run(t, false, here, "run", to, "--verify")
			if verifiedThere[filepath.Base(example)] {
				run(t, false, there, "run", from, "--verify")
			}
		})
	}
}

// notPlaced is the status of a command that left jobs unplaced.
const notPlaced = 3

// verifiedThere are the examples whose bundles are also verified on arm64, one of each system,
// because emulation is slow.
var verifiedThere = map[string]bool{"shop.json": true, "validation-1.json": true, "three-masters.json": true}
