//go:build !js

package cachefolder_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"berth/engine/must"
	_ "berth/wasm/graphviz"
)

func TestMain(m *testing.M) {
	if os.Getenv("BERTH_TELL_TMPDIR") != "" {
		fmt.Print(os.Getenv("TMPDIR"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// start starts this program, which contains go-graphviz, with these folders.
func start(t *testing.T, temporary, cache string) {
	t.Helper()
	program := must.Get(os.Executable())(t)
	c := exec.Command(program)
	c.Env = []string{"BERTH_TELL_TMPDIR=1", "TMPDIR=" + temporary, "XDG_CACHE_HOME=" + cache, "HOME=" + cache}
	if out, err := c.CombinedOutput(); err != nil || string(out) != temporary {
		t.Errorf("%v: %s", err, out)
	}
}

func TestNothingIsKeptInTheSharedFolder(t *testing.T) {
	temporary, cache := t.TempDir(), t.TempDir()
	start(t, temporary, cache)
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%v is left in the temporary folder: %v", left, err)
	}
	own, _ := filepath.Glob(filepath.Join(cache, "*berth-*"))
	if deep, _ := filepath.Glob(filepath.Join(cache, "Library", "Caches", "berth-*")); len(own) == 0 {
		own = deep
	}
	if len(own) != 1 {
		t.Fatalf("the folders of the cache are %v", own)
	}
	if info, err := os.Stat(own[0]); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others may look: %v, %v", info.Mode(), err)
	}
	if kept, err := filepath.Glob(filepath.Join(own[0], "go-graphviz", "*", "*")); err != nil || len(kept) == 0 {
		t.Errorf("nothing is kept: %v", err)
	}
}

func TestWithoutAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	start(t, t.TempDir(), file)
}
