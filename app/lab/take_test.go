package lab

import (
	"slices"
	"strings"
	"testing"

	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/wasm/bridge"
)

// The page takes a small file as its text, even if it is packed. A file that does not unpack to a
// text that can be edited stays a file.
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
		if s := sourceOf(test.name, 0, test.data, bridge.Blob{}); s.Name != test.want || s.Text != test.text {
			t.Errorf("%s of %d bytes became %s with %d bytes", test.name, len(test.data), s.Name, len(s.Text))
		}
	}
}

// The beginning of a large file identifies its format, even if the file is packed.
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
		s := sourceOf("jobs.tr.gz", test.size, test.data, bridge.Blob{})
		kind, what := scenario.Recognise(s.Head(), nil)
		if s.Text != "" || kind != federatekind.Kind {
			t.Errorf("%s: %d bytes as text, a head of %d, which is %q", test.name, len(s.Text), len(s.Head()), what)
		}
	}
}

// The page asks before it reads files that may take more than half of the device's memory, or more
// than a GiB if the browser does not say how much it has. A packed file counts with its largest
// possible content.
func TestHeavyFilesAreAskedFor(t *testing.T) {
	file := func(name string, megabytes int64) []ui.File {
		return []ui.File{{Name: name, Size: megabytes * 1_000_000}}
	}
	for _, test := range []struct {
		files  []ui.File
		device float64
		want   []string
	}{
		{file("a.yaml", 120), 0, nil},
		{file("a.yaml", 130), 0, []string{"Reading a.yaml may take 1.1", "does not say how much"}},
		{file("a.yaml", 230), 4, nil},
		{file("a.yaml", 260), 4, []string{"may take 2.2", "This device has about 4.29"}},
		{file("a.yaml", 260), 8, nil},
		{file("a.yaml.gz", 5), 0, nil},
		{file("a.yaml.gz", 50), 0, []string{"may take 2.3"}},
		{[]ui.File{{Name: "a.yaml.gz", Size: 5_000_000, Unpacked: 200_000_000}}, 0, []string{"may take 1.7"}},
		{[]ui.File{{Name: "a.yaml.gz", Size: 50_000_000, Unpacked: 100_000_000}}, 0, nil},
		{[]ui.File{{Name: "cut-off.yaml.gz", Size: 260_000, Unpacked: 4_000_000_000}}, 16, nil}, // a cut-off file has a wrong unpacked size
		{append(file("a.yaml", 70), file("b.yaml", 70)...), 0, []string{"a.yaml, b.yaml may take 1.2"}},
		{slices.Repeat(file("a.yaml", 70), 40), 0, []string{"Reading a.yaml and 39 others may take"}},
	} {
		got := heavy(test.files, 8.6, test.device)
		if (got == "") != (test.want == nil) {
			t.Errorf("%v with %v GiB: %q", test.files, test.device, got)
		}
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%v with %v GiB: no %q in %q", test.files, test.device, want, got)
			}
		}
	}
	if got := heavy(file("a.tr", 200), 0, 0.25); got != "" {
		t.Errorf("files that take little: %q", got)
	}
}
