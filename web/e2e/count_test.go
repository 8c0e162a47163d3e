package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"berth/engine/must"
)

// Loading a page costs more than most checks on it. So test a component's output in a component
// test, and put checks of a page into a journey that already loads it.
func TestTheSuiteStaysSmall(t *testing.T) {
	const limit, journeys = 80, 16
	files := must.Get(filepath.Glob("*_test.go"))(t)
	tests, quick := 0, 0
	declared := regexp.MustCompile(`(?m)^func Test\w*\(t \*testing\.T\)`)
	for _, file := range files {
		source := must.Get(os.ReadFile(file))(t)
		tests += len(declared.FindAll(source, -1))
		quick += bytes.Count(source, []byte("\nfunc TestJourney"))
	}
	if quick == 0 || quick > journeys {
		t.Errorf("make test has %d journeys, want at most %d", quick, journeys)
	}
	if tests == 0 || tests > limit {
		t.Errorf("there are %d end-to-end tests, want at most %d: add a step to a journey, or test the component", tests, limit)
	}
}
