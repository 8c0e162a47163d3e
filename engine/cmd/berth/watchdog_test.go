//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	process "os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/policy"
	"berth/engine/script/scripttest"
)

// A policy that ignores an interrupt ends the program; one that has ended does not.
func TestAPolicyThatHearsNothingEndsTheProgram(t *testing.T) {
	for inside, want := range []error{nil, errUnheard} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			ctx = watched(ctx, func(err error) { ended <- err })
			policy.WatchOf(ctx).Inside.Add(int32(inside))
			stop()
			time.Sleep(unheard - 1)
			if len(ended) > 0 {
				t.Error("ended at once")
			}
			time.Sleep(unheard)
			var got error
			select {
			case got = <-ended:
			default:
			}
			if got != want {
				t.Errorf("%d calls under way: %v, want %v", inside, got, want)
			}
		})
	}
}

// ending describes how a separate run of the command line has ended.
type ending struct {
	code   int
	stderr string
	memory int64 // most bytes taken from the system
	cpu    time.Duration
}

const keptTo = 200 // megabytes

// refused matches Go's messages when the system gives no more memory, for the heap, for Go's own
// tables or for the stack of a thread.
var refused = regexp.MustCompile("out of memory|cannot allocate memory|pthread_create failed")

// checkAlone runs berth check with a text in a separate process. It interrupts a run that
// continues; the program must then end by itself.
func checkAlone(t *testing.T, text string, patience time.Duration) ending {
	t.Helper()
	file := must.File(t, "p.star", text)
	program := must.Get(os.Executable())(t)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	var errs bytes.Buffer
	c := process.CommandContext(ctx, program, "check", file, "--memory", fmt.Sprintf("%dMB", keptTo))
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGINT) }
	c.Env, c.Stderr = append(os.Environ(), "BERTH_IS_RUN=1"), &errs
	c.Run()
	o := ending{c.ProcessState.ExitCode(), errs.String(), 0, c.ProcessState.UserTime()}
	if o.code < 0 || strings.Contains(o.stderr, "goroutine ") && !refused.MatchString(o.stderr) {
		t.Errorf("%s\ncrashes: %v, %.300s", text, c.ProcessState, o.stderr)
	}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		var own syscall.Rusage // also limits a child
		must.Do(t, syscall.Getrusage(syscall.RUSAGE_SELF, &own))
		o.memory = usage.Maxrss << 10 // KiB on Linux
		if most := max(ofRuns(keptTo*1_000_000, 1)/4*5+unused, own.Maxrss<<10); o.memory > most {
			t.Errorf("%s\ntakes %d bytes, at most %d are allowed", text, o.memory, most)
		}
	}
	return o
}

// A policy that takes much memory in few steps ends with an error that names the file.
func TestPoliciesKeepWithinTheirMemory(t *testing.T) {
	golden.Long(t)
	for name, text := range map[string]string{
		"one operation": "def queue(request, now):\n    return len('x' * ((1 << 30) - 1))\n",
		"copies":        "s = ['x' * 100000]\nl = []\ndef queue(request, now):\n    for i in range(9000):\n        s[0] += 'y'\n        l.append(s[0])\n    return 0\n",
		"doubling":      "def order(job):\n    l = [0]\n    for i in range(60): l += l\n    return 0\n",
		"top level":     "l = ['%d' % i * (1 << 20) for i in range(100000)]\ndef pick(task, workers): return workers.first\n",
		"text of lists": "def order(job):\n    l = [0]\n    for i in range(60): l = [l, l]\n    return len(str(l))\n",
	} {
		t.Run(name, func(t *testing.T) {
			o := checkAlone(t, text, time.Minute)
			if o.code != statusBadInput || !strings.Contains(o.stderr, "p.star: the policy took more than 0.2 GB of memory") && !refused.MatchString(o.stderr) {
				t.Errorf("%d, %.300s", o.code, o.stderr)
			}
		})
	}
}

// Texts are bred to take much memory and time. None exceeds its limits, or ends without a message.
func TestBredPoliciesKeepTheirLimits(t *testing.T) {
	golden.Long(t)
	const herd, rounds, patience = 6, 12, 2 * time.Second
	for _, seed := range golden.Seeds(2) {
		random := rand.New(rand.NewPCG(seed, 1))
		draw := func() int { return random.IntN(scripttest.Genes) }
		drawn := func(genes []int) string { return scripttest.Text("pick(task, workers)", genes) }
		var best []int
		worth := -1.0
		for range rounds {
			parent := best
			for range herd {
				genes := append([]int{}, parent...)
				for len(genes) < 3 || random.IntN(3) == 0 && len(genes) < 12 {
					genes = append(genes, draw())
				}
				genes[random.IntN(len(genes))] = draw()
				o := checkAlone(t, drawn(genes), patience)
				if w := float64(o.memory)/1e9 + o.cpu.Seconds(); w > worth {
					best, worth = genes, w
				}
			}
		}
		t.Logf("the worst of seed %d:\n%s", seed, drawn(best))
	}
}
