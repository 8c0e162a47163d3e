package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Each test here loads a page, which costs more than most of what it looks at: what a
// component shows is tested beside the component, and what a page has to show goes into
// a journey that is on that page already.
func TestTheSuiteStaysSmall(t *testing.T) {
	const limit = 70
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	tests := 0
	declared := regexp.MustCompile(`(?m)^func Test\w*\(t \*testing\.T\)`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests += len(declared.FindAll(source, -1))
	}
	if tests == 0 || tests > limit {
		t.Errorf("there are %d end-to-end tests, want at most %d: add a step to a journey, or test the component", tests, limit)
	}
}
