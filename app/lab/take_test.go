package lab

import (
	"testing"

	"berth/app/ui"
	"berth/engine/scenario/scenariotest"
)

// A small file comes into the page as its text, also where it is packed; what
// does not unpack to a text that can be edited stays a file.
func TestSmallFilesBecomeText(t *testing.T) {
	packed := scenariotest.Packed("a,b\n")
	for _, test := range []struct {
		name       string
		data       []byte
		want, text string
	}{
		{"a.csv", []byte("a,b\n"), "a.csv", "a,b\n"},
		{"a.csv", nil, "a.csv", "\n"},
		{"a.csv.gz", packed, "a.csv", "a,b\n"},
		{"a.csv.gz", []byte("a,b\n"), "a.csv", "a,b\n"},
		{"a.csv.gz", packed[:len(packed)-1], "a.csv.gz", ""},
		{"a.csv.gz", scenariotest.Packed(string(make([]byte, editable))), "a.csv", string(make([]byte, editable))},
		{"a.csv.gz", scenariotest.Packed(string(make([]byte, editable+1))), "a.csv.gz", ""},
	} {
		if s := sourceOf(ui.File{Name: test.name}, test.data); s.Name != test.want || s.Text != test.text {
			t.Errorf("%s of %d bytes became %s with %d bytes", test.name, len(test.data), s.Name, len(s.Text))
		}
	}
}
