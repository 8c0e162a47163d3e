package lab

import (
	"strings"
	"testing"

	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
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

// A large file tells by its beginning what it is, also where it is packed.
func TestLargeFilesHaveAHead(t *testing.T) {
	long := strings.Repeat("0 2 5 4 6\n", editable/5)
	packed := scenariotest.Packed(long)
	for _, test := range []struct {
		name string
		size int64
		data []byte
	}{
		{"whole", int64(len(long)), []byte(long[:beginning])},
		{"packed, small", int64(len(packed)), packed},
		{"packed, large", editable + 1, packed[:len(packed)-9]},
	} {
		s := sourceOf(ui.File{Name: "jobs.tr.gz", Size: test.size}, test.data)
		kind, what := scenario.Recognise(s.Head(), nil)
		if s.Text != "" || kind != federatekind.Kind {
			t.Errorf("%s: %d bytes as text, a head of %d, which is %q", test.name, len(s.Text), len(s.Head()), what)
		}
	}
}
