// Package must ends a test when a call fails that has to succeed.
package must

import (
	"os"
	"path/filepath"
	"testing"
)

// Do ends the test if err is not nil.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns x unless err is not nil, which ends the test: must.Get(os.ReadFile(name))(t).
func Get[T any](x T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return x
	}
}

// File writes a file into a new folder and returns its path. The folder is removed when the test
// ends.
func File[T ~string | ~[]byte](t testing.TB, name string, text T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
