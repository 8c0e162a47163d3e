package qoskind_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"berth/engine/input/packed"
	"berth/engine/input/workload"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

// apart removes the texts from a document and returns them.
func apart(d *qoskind.Document) (texts map[string]string) {
	texts = map[string]string{}
	for _, slot := range d.Slots() {
		texts[slot.Name], slot.Source.Text = slot.Source.Text, ""
	}
	return texts
}

// beside is an environment with files.
func beside(files map[string]string) scenario.Env {
	return scenario.Env{Beside: func(slot string) (io.Reader, int64, error) {
		return strings.NewReader(files[slot]), int64(len(files[slot])), nil
	}}
}

// googleCSV returns task_events of 20 users in turn, one task at a time.
func googleCSV(tasks int) string {
	var b strings.Builder
	for i := range tasks {
		line := func(second, event int) {
			fmt.Fprintf(&b, "%d,,%d,0,5,%d,user-%d,3,%d,0.25,0.5,0,0\n", second*1_000_000, i, event, i%20, i%12)
		}
		line(i*30, 0)
		line(i*30+1, 1)
		line(i*30+25, 4)
	}
	return b.String()
}

// A file may be packed. The report and the digests are the same as for its text, even if it is read
// several times: for a sample, for the hosts and for each run.
func TestPackedFiles(t *testing.T) {
	google := func() *qoskind.Document {
		return &qoskind.Document{
			Workload: text("task_events.csv", googleCSV(400)),
			Hosts:    scenario.Source{Name: "hosts", Recipe: &workload.Recipe{Generator: "hosts", Preset: qoskind.GoogleLike, Seed: 1}},
			Sample:   &qoskind.Sample{Part: 0.5, Groups: 2, Seed: 1},
			Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}},
		}
	}
	for name, document := range map[string]func() *qoskind.Document{"every input": small, "a trace that is read twice": google} {
		_, want := run(t, document())
		d := document()
		files := apart(d)
		for slot, text := range files {
			files[slot] = string(scenariotest.Packed(text))
		}
		e := prepare(t, d, beside(files))
		got, _ := carriedOut(t, t.Context(), e, nil)
		if indented(t, got) != indented(t, want) {
			t.Errorf("%s: packed\n%s\nunpacked\n%s", name, indented(t, got), indented(t, want))
		}
		in := document()
		for _, slot := range in.Slots() {
			slot.Source.Digest()
		}
		if indented(t, e.Document()) != indented(t, in) {
			t.Errorf("%s: the digests of %s are not those of the texts, %s", name, indented(t, e.Document()), indented(t, in))
		}
	}
}

// Messages refer to the text. If a file cannot be unpacked they say so, whatever its last line
// looks like.
func TestPackedFilesThatAreWrong(t *testing.T) {
	empty := strings.Repeat(strings.Repeat(" ", 1023)+"\n", packed.MaxText>>10)
	for _, test := range []struct {
		name, slot, file, want string
	}{
		{"a line", qoskind.WorkloadSlot, string(scenariotest.Packed(strings.Replace(requestsCSV, "c,3,10", "c,3,soon", 1))), `requests.csv:4:5: submit_s: "soon"`},
		{"cut off", qoskind.WorkloadSlot, string(scenariotest.Packed(googleCSV(3000)))[:9000], "requests.csv: the gzip file is cut off"},
		{"cut off at once", qoskind.WorkloadSlot, "\x1f\x8b\x08", "requests.csv: the gzip file is cut off"},
		{"damaged", qoskind.HostsSlot, string(scenariotest.Packed(hostsCSV)) + "\n and something behind it", "hosts.csv: the gzip file has other data after its end at byte "},
		{"too large a list", qoskind.HostsSlot, string(scenariotest.Packed(hostsCSV + empty)), "hosts.csv: the file is too large"},
		{"too large a workload", qoskind.WorkloadSlot, string(scenariotest.Packed(requestsCSV + empty)), "requests.csv: the file has "},
		{"packed twice", qoskind.WorkloadSlot, string(scenariotest.Packed(string(scenariotest.Packed(requestsCSV)))), "requests.csv: the file is packed twice: unpack it once first"},
	} {
		d := small()
		files := apart(d)
		files[test.slot] = test.file
		_, err := qoskind.Prepare(t.Context(), d, beside(files))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s…", test.name, err, test.want)
		}
	}
}
