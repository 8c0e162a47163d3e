package ui

import "testing"

func TestWhoseAControlIs(t *testing.T) {
	for _, c := range []struct {
		what           string
		now, put       string
		written, caret bool
		want           bool
	}{
		{"nobody has touched it", "6", "6", false, false, false},
		{"the caret is in it", "6", "6", false, true, true},
		{"it was left, and its change is not yet taken", "2", "6", true, false, true},
		{"it was written back to what it was, and left", "6", "6", true, false, false},
		{"go-app changed what a list of options shows", "b", "a", false, false, false},
	} {
		if got := belongs(c.now, c.put, c.written, c.caret); got != c.want {
			t.Errorf("%s: the person's is %v, want %v", c.what, got, c.want)
		}
	}
}
