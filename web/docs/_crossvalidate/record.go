package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"berth/engine/cluster"
	"berth/engine/federate"
)

// record has the results of a cross-validation: Berth and other simulators on the same traces.
type record struct {
	Date          string
	Jobs, Workers int
	Runs          []pairedRuns
	NotRun        []string // programs without a command
}

// pairedRuns are the runs of Berth and of another simulator on the same traces.
type pairedRuns struct {
	Program, Scheduler string
	Jobs               int          // number of jobs in each trace
	Berth, Theirs      []outcome    // by trace; Berth's are means over seeds
	Between            [][2]float64 // by trace: least and largest mean response time in Berth, in seconds
}

// add runs a program in each of its modes and records the results. Without a command, it records
// the program in NotRun.
func (r *record) add(ctx context.Context, p *program, command string) error {
	words := strings.Fields(command)
	if len(words) == 0 {
		r.NotRun = append(r.NotRun, p.id)
		return nil
	}
	for _, m := range p.modes {
		all := pairedRuns{Program: p.id, Scheduler: m.scheduler, Jobs: r.Jobs}
		if p.most > 0 {
			all.Jobs = min(all.Jobs, p.most)
		}
		for k := range traces() {
			t, err := newTrace(k, all.Jobs)
			if err != nil {
				return err
			}
			ours, between, err := berth(ctx, m.scheduler, t)
			if err != nil {
				return fmt.Errorf("%s of Berth: %w", m.scheduler, err)
			}
			theirs, err := m.run(ctx, words, t)
			if err != nil {
				return fmt.Errorf("-%s, %s, trace %d: %w", p.id, m.scheduler, k, err)
			}
			if theirs.All.Jobs != ours.All.Jobs {
				return fmt.Errorf("-%s, %s, trace %d: it has %d jobs, and Berth has %d", p.id, m.scheduler, k, theirs.All.Jobs, ours.All.Jobs)
			}
			fmt.Fprintf(os.Stderr, "%s, %s, trace %d: mean %.1f s, Berth %.1f s\n", p.id, m.scheduler, k, theirs.All.Mean, ours.All.Mean)
			all.Berth, all.Theirs, all.Between = append(all.Berth, ours), append(all.Theirs, theirs), append(all.Between, between)
		}
		r.Runs = append(r.Runs, all)
	}
	return nil
}

// run runs a mode of a program in a new folder.
func (m *mode) run(ctx context.Context, words []string, t *trace) (o outcome, err error) {
	dir, err := os.MkdirTemp("", "crossvalidate")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "jobs.tr")
	if err := os.WriteFile(file, t.text, 0o666); err != nil {
		return o, err
	}
	arguments, err := m.arguments(dir, file)
	if err != nil {
		return o, err
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:len(words):len(words)], arguments...)...)
	var wrong bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &wrong
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return o, fmt.Errorf("%w: %s", err, bytes.TrimSpace(wrong.Bytes()))
	}
	took := time.Since(begin).Seconds()
	all, err := m.read(dir, t)
	return all.outcome(took), err
}

// seeds is the number of runs of Berth on a trace. The other simulators have no parameter for a seed.
const seeds = 10

// berth runs a scheduler of Berth with the same workers, cutoff and delays. It returns the mean over
// the seeds, and the least and the largest mean response time.
func berth(ctx context.Context, scheduler string, t *trace) (mean outcome, between [2]float64, err error) {
	short := 0
	for job := range t.tasks.Jobs {
		if t.short(job) {
			short++
		}
	}
	between[0] = math.Inf(1)
	for seed := range uint64(seeds) {
		c := federate.Config{
			Workers: workers, GMs: meghaMasters, LMs: meghaMasters, Capacity: []cluster.Amount{cluster.Unit}, Seed: seed + 1,
			Heartbeat: 10 * federate.Second, Delay: federate.Millisecond / 2, LaunchDelay: federate.Millisecond / 2, Cutoff: federate.Span(cutoff),
		}
		begin := time.Now()
		r, err := federate.Run(ctx, scheduler, c, t.tasks, federate.Options{})
		if err != nil {
			return mean, between, err
		}
		one := outcome{timesOf(r.JobCompletion, r.Jobs), timesOf(r.ShortJobs, short), timesOf(r.LongJobs, r.Jobs-short), time.Since(begin).Seconds()}
		mean.addPart(&one)
		between = [2]float64{min(between[0], one.All.Mean), max(between[1], one.All.Mean)}
	}
	return mean, between, nil
}
