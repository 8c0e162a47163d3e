package kinds_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"berth/engine/input/format/sniff"
	"berth/engine/input/packed"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// Every file of jobs, requests or hosts in the collection is read with the same counts as by an
// independent reader, in each laboratory that accepts it.
func TestCounts(t *testing.T) {
	root := os.Getenv("BERTH_DATA")
	if root == "" {
		t.Skip("BERTH_DATA is unset: the collection of real inputs is not looked at")
	}
	text := must.Get(os.ReadFile("testdata/counts.txt"))(t)
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
		if err := within(want, got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// within returns an error if got lacks an amount of want, such as "jobs 9".
func within(want string, got map[string]float64) error {
	words := strings.Fields(want)
	for i := 0; i+1 < len(words); i += 2 {
		amount, err := strconv.ParseFloat(words[i+1], 64)
		read, known := got[words[i]]
		if err != nil || !known || math.Abs(read-amount) > 1e-6*amount*rounded[words[i]] {
			return fmt.Errorf("%s %v, want %s", words[i], read, words[i+1])
		}
	}
	return nil
}

// rounded has 1 for rounded amounts.
var rounded = map[string]float64{"seconds": 1}

// counts returns how much the wanted laboratories read of a file.
func counts(path, want string) (map[string]float64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	open := func() (io.Reader, error) { return packed.NewText(bytes.NewReader(data), int64(len(data))), nil }
	head, err := open()
	if err != nil {
		return nil, err
	}
	begin, err := io.ReadAll(io.LimitReader(head, sniff.Most))
	if err != nil {
		return nil, err
	}
	all := map[string]float64{}
	if sniff.Look(string(begin), 0).Is(sniff.Hosts) {
		r, err := open()
		if err != nil {
			return nil, err
		}
		hosts, _, err := trace.ReadHosts("f", r)
		if err != nil {
			return nil, err
		}
		all["hosts"] = float64(len(hosts))
	}
	if strings.Contains(want, "jobs") {
		tasks, err := trace.OpenTasks("f", workload.Window{}, open)
		if err != nil {
			return nil, err
		}
		all["jobs"], all["tasks"] = float64(len(tasks.Jobs)), float64(len(tasks.Durations))
		all["withdrawn"] = float64(tasks.Remarks.LeftOut[workload.Withdrawn])
		for _, d := range tasks.Durations {
			all["seconds"] += workload.Seconds(d)
		}
	}
	if strings.Contains(want, "requests") {
		source, err := trace.OpenRequests("f", open)
		if err != nil {
			return nil, err
		}
		requests, err := workload.ReadAll(source)
		if err != nil {
			return nil, err
		}
		all["requests"] = float64(len(requests))
		if r, ok := source.(workload.Remarked); ok && strings.Contains(want, "jobs") {
			if n := float64(r.Remarks().LeftOut[workload.Withdrawn]); n != all["withdrawn"] {
				return nil, fmt.Errorf("%v withdrawn requests, %v withdrawn jobs", n, all["withdrawn"])
			}
		}
		served := 0.0
		for i := range requests {
			served += float64(requests[i].Duration) / 1000
		}
		if seconds, both := all["seconds"]; both && math.Abs(served-seconds) > 1e-4*seconds {
			return nil, fmt.Errorf("the requests last %v s, the tasks %v s", served, seconds)
		}
	}
	return all, nil
}
