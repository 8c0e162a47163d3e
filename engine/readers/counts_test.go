package readers_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/format/sniff"
	"berth/engine/packed"
	"berth/engine/workload"
)

// Every file of jobs, requests or hosts of the collection is read with the counts that an
// independent reader gave, in each laboratory that takes it.
func TestCounts(t *testing.T) {
	root := os.Getenv("BERTH_DATA")
	if root == "" {
		t.Skip("BERTH_DATA is unset: the collection of real inputs is not looked at")
	}
	text, err := os.ReadFile("testdata/counts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, want, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || name == "#" {
			continue
		}
		got, err := counts(filepath.Join(root, name), want)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for each := range pairs(want) {
			if !strings.Contains(" "+got+" ", " "+each+" ") {
				t.Errorf("%s: got %s, want %s", name, got, want)
				break
			}
		}
	}
}

// pairs yields the counts of a line: "jobs 9".
func pairs(line string) func(func(string) bool) {
	return func(yield func(string) bool) {
		words := strings.Fields(line)
		for i := 0; i+1 < len(words); i += 2 {
			if !yield(words[i] + " " + words[i+1]) {
				return
			}
		}
	}
}

// counts says how much the laboratories that are wanted read of a file.
func counts(path, want string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	open := func() (io.Reader, error) { return packed.NewText(bytes.NewReader(data), int64(len(data))), nil }
	head, err := open()
	if err != nil {
		return "", err
	}
	begin, err := io.ReadAll(io.LimitReader(head, sniff.Most))
	if err != nil {
		return "", err
	}
	var all []string
	if sniff.Look(string(begin), 0).Is(sniff.Hosts) {
		r, err := open()
		if err != nil {
			return "", err
		}
		hosts, _, err := workload.ReadHosts("f", r)
		if err != nil {
			return "", err
		}
		all = append(all, fmt.Sprint("hosts ", len(hosts)))
	}
	if strings.Contains(want, "jobs") {
		tasks, err := workload.OpenTasks("f", workload.Window{}, open)
		if err != nil {
			return "", err
		}
		all = append(all, fmt.Sprint("jobs ", len(tasks.Jobs)), fmt.Sprint("tasks ", len(tasks.Durations)))
	}
	if strings.Contains(want, "requests") {
		source, err := workload.OpenRequests("f", open)
		if err != nil {
			return "", err
		}
		requests, err := workload.ReadAll(source)
		if err != nil {
			return "", err
		}
		all = append(all, fmt.Sprint("requests ", len(requests)))
	}
	return strings.Join(all, " "), nil
}
