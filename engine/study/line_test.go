package study_test

import (
	"errors"
	"testing"

	"berth/engine/must"
	"berth/engine/study"
)

// FuzzLine checks that a line belongs to one key only, and that a result read from it can be
// written again.
func FuzzLine(f *testing.F) {
	sound := must.Get(study.Line("key", study.Failed("dice", errors.New("kept"))))(f)
	f.Add(sound)
	f.Add([]byte("key b {}\n"))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, line []byte) {
		r := study.OfLine("key", line)
		if r == nil {
			return
		}
		if again, err := study.Line("key", r); err != nil || study.OfLine("key", again) == nil || study.OfLine("other", again) != nil {
			t.Errorf("%s is kept as %s: %v", line, again, err)
		}
	})
}
