package main

import (
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"berth/engine/must"
	"berth/engine/scenario"
)

// watching is standard input that records the collector's limit at the time of reading.
type watching struct{ limit int64 }

func (w *watching) Read([]byte) (int, error) {
	w.limit = debug.SetMemoryLimit(-1)
	return 0, io.EOF
}

// Every command that runs something limits the collector to --memory while it runs.
func TestRunsKeepWithinTheirMemory(t *testing.T) {
	t.Chdir("testdata")
	usual := debug.SetMemoryLimit(-1)
	for _, line := range []string{
		"federate --trace -", "run -", "run - --verify", "simulate --workload - --hosts simulate/hosts.csv --horizon 1m",
		"place --federation - --deployment shop.dot",
	} {
		for flag, want := range map[string]int64{"": scenario.NativeMemory, " --memory 500MB": 500e6} {
			var in watching
			berth(t.Context(), strings.Fields(line+flag), &in, io.Discard, io.Discard) // fails because there is nothing to read
			if in.limit != want+besideRuns {
				t.Errorf("%s%s: the limit is %d, want %d", line, flag, in.limit, want+besideRuns)
			}
			if got := debug.SetMemoryLimit(-1); got != usual {
				t.Fatalf("%s%s leaves a limit of %d", line, flag, got)
			}
		}
	}
}

// A lower existing limit is kept. The limit grows with the number of parallel runs.
func TestMemoryOfRuns(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(20e9))
	for _, test := range []struct {
		each int64
		runs int
		want int64
	}{{1 << 60, 1000, 20e9}, {15e9, 2, 20e9}, {0, 2, 2*scenario.NativeMemory + besideRuns}, {3e9, 4, 12e9 + besideRuns}, {16e9, 1, 12e9 + besideRuns}, {5e8, 1, 5e8 + besideRuns}} {
		keepWithin(test.each, test.runs)
		if got := debug.SetMemoryLimit(-1); got != test.want {
			t.Errorf("%d runs of %d bytes: the limit is %d, want %d", test.runs, test.each, got, test.want)
		}
	}
	sweep := sweepFlags{memory: 1e8, workers: 3}
	d := must.Get((&call{Context: t.Context()}).scenario("testdata/scenario.json"))(t)
	must.Get(sweep.carry(t.Context(), d.Scenario, nil))(t)
	if got := debug.SetMemoryLimit(-1); got != 3e8+besideRuns {
		t.Errorf("a sweep of 3 runs of 100 MB at a time: the limit is %d", got)
	}
}

// A run uses at most its limit, including garbage, except garbage that appears while the collector
// works. The test runs in a separate process, because other tests keep 80 MB.
func TestMemoryIsWhatARunTakes(t *testing.T) {
	const alone = "BERTH_TEST_ALONE"
	if os.Getenv(alone) == "" {
		command := osexec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
		command.Env = append(os.Environ(), alone+"=1")
		if out, err := command.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	const tasks, megabytes = 500_000, 170
	trace := fmt.Sprintf("0 %d 1%s\n", tasks, strings.Repeat(" 1", tasks))
	most := watchMemory()
	line := fmt.Sprintf("federate --trace - --workers 200000 --gms 1 --lms 1 --scheduler sparrow --memory %dMB", megabytes)
	succeeds(t, trace, strings.Fields(line)...)
	got := float64(most()) / 1e6
	t.Logf("%.0f MB", got)
	if got > 1.1*(megabytes+besideRuns/1e6) {
		t.Errorf("a run that may take %d MB took %.0f MB", megabytes, got)
	}
}

// watchMemory returns a function that returns the largest amount of memory in use since then.
func watchMemory() (most func() uint64) {
	used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	stop, result := make(chan bool), make(chan uint64)
	go func() {
		high := uint64(0)
		for {
			metrics.Read(used)
			high = max(high, used[0].Value.Uint64()-used[1].Value.Uint64())
			select {
			case <-stop:
				result <- high
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); return <-result }
}
