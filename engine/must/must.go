// Package must ends a test at the first call that fails but has to succeed.
package must

import "testing"

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
