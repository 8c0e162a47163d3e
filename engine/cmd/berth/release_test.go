package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	process "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
)

// A release for another processor has the right checksum and runs there.
func TestReleaseRunsOnArm64(t *testing.T) {
	golden.Long(t)
	emulator, err := process.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip("qemu-aarch64 is not installed: a program for arm64 is not run. make tools installs it.")
	}
	dir := filepath.Join(t.TempDir(), "release")
	maker := process.CommandContext(t.Context(), "make", "release", "PLATFORMS=linux/arm64", "RELEASE="+dir)
	maker.Dir = "../../.."
	if out, err := maker.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := filepath.Join(dir, "berth-linux-arm64")
	program := must.Get(os.ReadFile(file))(t)
	want := fmt.Sprintf("%x  berth-linux-arm64\n", sha256.Sum256(program))
	if sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS")); err != nil || string(sums) != want {
		t.Errorf("the checksums are %q (%v), want %q", sums, err, want)
	}
	run := process.CommandContext(t.Context(), emulator, file, "run", "../../../examples/shop.json", "--format", "text")
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "placed 12 of 12 jobs") {
		t.Errorf("%v: %s", err, out)
	}
}
