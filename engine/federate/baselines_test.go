package federate_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/sim"
)

// replay computes a schedule as slowly and plainly as possible: at each moment at which something
// happens, a rule picks which of the waiting tasks start next, again and again. It returns when
// each task starts.
type replay struct {
	load   *workload.Tasks
	idle   int
	now    federate.Time
	start  []federate.Time // −1: not yet
	within map[int]bool    // jobs that have arrived and have waiting tasks
}

// moments calls decide at each arrival and each end.
func (p *replay) moments(workers int, decide func()) []federate.Time {
	p.start, p.within = slices.Repeat([]federate.Time{-1}, len(p.load.Durations)), map[int]bool{}
	arrived := 0
	for p.now = p.load.Jobs[0].Arrival; ; {
		for arrived < len(p.load.Jobs) && p.load.Jobs[arrived].Arrival <= p.now {
			p.within[arrived] = true
			arrived++
		}
		p.idle = workers
		for task, at := range p.start {
			if at >= 0 && at+p.load.Durations[task] > p.now {
				p.idle--
			}
		}
		decide()
		next := federate.Time(math.MaxInt64)
		if arrived < len(p.load.Jobs) {
			next = p.load.Jobs[arrived].Arrival
		}
		for task, at := range p.start {
			if end := at + p.load.Durations[task]; at >= 0 && end > p.now {
				next = min(next, end)
			}
		}
		if next == math.MaxInt64 {
			return p.start
		}
		p.now = next
	}
}

func (p *replay) waiting() []int {
	var jobs []int
	for job := range p.within {
		jobs = append(jobs, job)
	}
	slices.Sort(jobs)
	return jobs
}

func (p *replay) tasks(job int) []int32 {
	j := p.load.Jobs[job]
	var all []int32
	for t := j.First; t < j.First+j.Count; t++ {
		all = append(all, t)
	}
	return all
}

func (p *replay) begin(job int, task int32) {
	p.start[task] = p.now
	p.idle--
	tasks := p.tasks(job)
	if p.start[tasks[len(tasks)-1]] >= 0 {
		delete(p.within, job)
	}
}

// one starts one task at a time, always of the job with the lowest value.
func (p *replay) one(value func(job int) float64) func() {
	return func() {
		for p.idle > 0 && len(p.within) > 0 {
			job := slices.MinFunc(p.waiting(), func(a, b int) int { return cmp.Or(cmp.Compare(value(a), value(b)), a-b) })
			tasks := p.tasks(job)
			p.begin(job, tasks[slices.IndexFunc(tasks, func(t int32) bool { return p.start[t] < 0 })])
		}
	}
}

// work returns the total duration of the tasks of a job that satisfy counts.
func (p *replay) work(job int, counts func(task int32) bool) (sum float64) {
	for _, t := range p.tasks(job) {
		if counts(t) {
			sum += float64(p.load.Durations[t])
		}
	}
	return sum
}

func (p *replay) ended(t int32) bool {
	return p.start[t] >= 0 && p.start[t]+p.load.Durations[t] <= p.now
}

func (p *replay) all(job int) {
	for _, t := range p.tasks(job) {
		p.begin(job, t)
	}
}

// free returns the number of idle workers at a later time if only promised jobs start.
func (p *replay) free(workers int, at federate.Time, promised map[int]federate.Time) int {
	for t, s := range p.start {
		if s >= 0 && s+p.load.Durations[t] > at {
			workers--
		}
	}
	for job, s := range promised {
		for _, t := range p.tasks(job) {
			if s <= at && at < s+p.load.Durations[t] {
				workers--
			}
		}
	}
	return workers
}

// easy follows the definition: a job may pass the first one if that does not delay the first one.
func (p *replay) easy(workers int) func() {
	size := func(job int) int { return int(p.load.Jobs[job].Count) }
	earliest := func(need int) federate.Time {
		times := []federate.Time{p.now}
		for t, s := range p.start {
			if s >= 0 {
				times = append(times, max(p.now, s+p.load.Durations[t]))
			}
		}
		slices.Sort(times)
		return times[slices.IndexFunc(times, func(at federate.Time) bool { return p.free(workers, at, nil) >= need })]
	}
	return func() {
		for jobs := p.waiting(); len(jobs) > 0 && size(jobs[0]) <= p.idle; jobs = p.waiting() {
			p.all(jobs[0])
		}
		jobs := p.waiting()
		if len(jobs) == 0 {
			return
		}
		promised := earliest(size(jobs[0]))
		for _, job := range jobs[1:] {
			if size(job) > p.idle {
				continue
			}
			for _, t := range p.tasks(job) {
				p.start[t] = p.now
			}
			delays := p.free(workers, promised, nil) < size(jobs[0])
			for _, t := range p.tasks(job) {
				p.start[t] = -1
			}
			if !delays {
				p.all(job)
			}
		}
	}
}

// conservative promises each job the first moment at which it fits and still fits until its end.
func (p *replay) conservative(workers int) func() {
	promised := map[int]federate.Time{}
	fits := func(job int, at federate.Time) bool {
		times := []federate.Time{at}
		for other, s := range promised {
			times = append(times, s)
			for _, t := range p.tasks(other) {
				times = append(times, s+p.load.Durations[t])
			}
		}
		for t, s := range p.start {
			times = append(times, s+p.load.Durations[t])
		}
		for _, x := range times {
			need := 0
			for _, t := range p.tasks(job) {
				if at <= x && x < at+p.load.Durations[t] {
					need++
				}
			}
			if need > 0 && p.free(workers, x, promised) < need {
				return false
			}
		}
		return true
	}
	return func() {
		for _, job := range p.waiting() {
			if _, known := promised[job]; known {
				continue
			}
			times := []federate.Time{p.now}
			for other, s := range promised {
				for _, t := range p.tasks(other) {
					times = append(times, s+p.load.Durations[t])
				}
			}
			for t, s := range p.start {
				if s >= 0 {
					times = append(times, s+p.load.Durations[t])
				}
			}
			slices.Sort(times)
			times = slices.DeleteFunc(times, func(at federate.Time) bool { return at < p.now })
			promised[job] = times[slices.IndexFunc(times, func(at federate.Time) bool { return fits(job, at) })]
		}
		for _, job := range p.waiting() {
			if promised[job] == p.now {
				delete(promised, job)
				p.all(job)
			}
		}
	}
}

// random is a small workload with many moments at which several things happen.
func random(seed uint64, workers int) *workload.Tasks {
	r := sim.NewRandom(seed, 99)
	load := &workload.Tasks{Resources: []string{workload.SlotResource}, Kinds: []workload.TaskKind{{Request: []cluster.Amount{cluster.Unit}}}}
	at := federate.Time(0)
	for range 10 + r.IntN(30) {
		at += federate.Time(r.IntN(4)) * federate.Second
		job := workload.TaskJob{Arrival: at, First: int32(len(load.Durations)), Count: int32(1 + r.IntN(workers)), User: -1}
		for range job.Count {
			load.Durations = append(load.Durations, federate.Time(1+r.IntN(12))*federate.Second)
			load.KindOf = append(load.KindOf, 0)
		}
		load.Jobs = append(load.Jobs, job)
	}
	return load
}

func TestBaselinesAreWhatASlowReplayGives(t *testing.T) {
	rules := map[string]func(p *replay, workers int) func(){
		"fcfs":         func(p *replay, _ int) func() { return p.one(func(int) float64 { return 0 }) },
		"least-loaded": func(p *replay, _ int) func() { return p.one(func(int) float64 { return 0 }) },
		"sjf": func(p *replay, _ int) func() {
			return p.one(func(job int) float64 { return p.work(job, func(int32) bool { return true }) })
		},
		"srpt": func(p *replay, _ int) func() {
			return p.one(func(job int) float64 { return p.work(job, func(t int32) bool { return !p.ended(t) }) })
		},
		"fair": func(p *replay, _ int) func() {
			return p.one(func(job int) (running float64) {
				for _, t := range p.tasks(job) {
					if p.start[t] >= 0 && !p.ended(t) {
						running++
					}
				}
				return running
			})
		},
		"easy":         func(p *replay, workers int) func() { return p.easy(workers) },
		"conservative": func(p *replay, workers int) func() { return p.conservative(workers) },
	}
	for name, rule := range rules {
		for seed := range uint64(150) {
			workers := 1 + int(seed%7)
			load := random(seed, workers)
			p := &replay{load: load}
			want := p.moments(workers, rule(p, workers))
			got := startsOf(t, name, federate.Default(workers, 1, 1), load)
			for task := range want {
				if want[task] += federate.Millisecond - load.Jobs[0].Arrival; got[task] != want[task] {
					t.Fatalf("%s, seed %d on %d workers: task %d starts at %d ns, want %d", name, seed, workers, task, got[task], want[task])
				}
			}
		}
	}
}

// Pigeon runs a long task after a configured number of short tasks.
func TestPigeonGivesLongTasksTheirTurn(t *testing.T) {
	load := &workload.Tasks{Resources: []string{workload.SlotResource}, Kinds: []workload.TaskKind{{Request: []cluster.Amount{cluster.Unit}}}}
	for j, seconds := range []federate.Time{1, 1, 1, 1, 1, 10, 10} {
		load.Jobs = append(load.Jobs, workload.TaskJob{Mean: seconds * federate.Second, First: int32(j), Count: 1, User: -1})
		load.Durations, load.KindOf = append(load.Durations, seconds*federate.Second), append(load.KindOf, 0)
	}
	for weight, want := range map[float64][]federate.Time{1: {0, 11, 22, 23, 24, 1, 12}, 2: {0, 1, 12, 13, 24, 2, 14}, 9: {0, 1, 2, 3, 4, 5, 15}} {
		c := still(1)
		c.Schedulers = parameter.Values{"pigeon.weight": weight, "pigeon.cutoff": 5}
		got := startsOf(t, "pigeon", c, load)
		for task := range got {
			got[task] /= federate.Second
		}
		if !slices.Equal(got, want) {
			t.Errorf("with a weight of %v tasks start at %v s, want %v", weight, got, want)
		}
	}
}

// startsOf returns when each task first starts.
func startsOf(t *testing.T, name string, c federate.Config, load *workload.Tasks) []federate.Time {
	t.Helper()
	starts := slices.Repeat([]federate.Time{-1}, len(load.Durations))
	must.Get(federate.Run(t.Context(), name, c, load, federate.Options{Trace: func(r federate.Record) {
		if r.Action == federate.Started && starts[r.Task] < 0 {
			starts[r.Task] = r.At
		}
	}}))(t)
	return starts
}

// poisson returns jobs of one task each that arrive at the given rate per second.
func poisson(seed uint64, jobs int, rate float64, duration func(*sim.Random) float64) *workload.Tasks {
	r, durations := sim.NewRandom(seed, 7), sim.NewRandom(seed, 8)
	load := &workload.Tasks{Resources: []string{workload.SlotResource}, Kinds: []workload.TaskKind{{Request: []cluster.Amount{cluster.Unit}}}}
	at := 0.0
	for j := range jobs {
		at += r.Exponential() / rate
		takes := federate.Span(duration(durations))
		load.Jobs = append(load.Jobs, workload.TaskJob{Arrival: federate.Span(at), Mean: takes, First: int32(j), Count: 1, User: -1})
		load.Durations = append(load.Durations, takes)
		load.KindOf = append(load.KindOf, 0)
	}
	return load
}

func exponential(r *sim.Random) float64 { return r.Exponential() }

// still returns a data centre whose messages take no time.
func still(workers int) federate.Config {
	c := federate.Default(workers, 1, 1)
	c.Delay, c.LaunchDelay = 0, 0
	return c
}

// The queue M/M/c: the mean wait is Erlang's C over c − a, for a load of a.
func TestOneQueueWaitsByErlangC(t *testing.T) {
	golden.Long(t)
	for _, workers := range []int{1, 4, 20} {
		load := 0.8 * float64(workers)
		term, sum := 1.0, 1.0
		for k := 1; k < workers; k++ {
			term *= load / float64(k)
			sum += term
		}
		last := term * load / float64(workers) / (1 - load/float64(workers))
		want := last / (sum + last) / (float64(workers) - load)
		for _, name := range []string{"fcfs", "least-loaded", "fair"} {
			r := simulate(t, name, still(workers), poisson(1, 400_000, load, exponential))
			if got := float64(r.Allocation.Mean); math.Abs(got/want-1) > 0.05 {
				t.Errorf("%s on %d workers: the mean wait is %v s, want %v s", name, workers, got, want)
			}
		}
	}
}

// The queue M/G/1 under nonpreemptive shortest job first, of tasks of 1, 2 or 8 s:
// the mean wait is λE[S²]/2 · Σ pᵢ / ((1−σᵢ₋₁)(1−σᵢ)), where σᵢ is the load of the first i sizes
// (Conway, Maxwell and Miller).
func TestShortestJobFirstWaitsByItsFormula(t *testing.T) {
	golden.Long(t)
	sizes, parts := []float64{1, 2, 8}, []float64{0.6, 0.3, 0.1}
	const rho = 0.8
	var mean, square float64
	for i, s := range sizes {
		mean += parts[i] * s
		square += parts[i] * s * s
	}
	rate := rho / mean
	want, below := 0.0, 0.0
	for i, s := range sizes {
		upTo := below + rate*parts[i]*s
		want += parts[i] * rate * square / 2 / ((1 - below) * (1 - upTo))
		below = upTo
	}
	draw := func(r *sim.Random) float64 {
		switch u := r.Float64(); {
		case u < parts[0]:
			return sizes[0]
		case u < parts[0]+parts[1]:
			return sizes[1]
		}
		return sizes[2]
	}
	load := poisson(1, 400_000, rate, draw)
	for _, name := range []string{"sjf", "srpt"} {
		if got := float64(simulate(t, name, still(1), load).Allocation.Mean); math.Abs(got/want-1) > 0.03 {
			t.Errorf("%s: the mean wait is %v s, want %v s", name, got, want)
		}
	}
	if got, pk := float64(simulate(t, "fcfs", still(1), load).Allocation.Mean), rate*square/2/(1-rho); math.Abs(got/pk-1) > 0.05 {
		t.Errorf("fcfs: the mean wait is %v s, want %v s by Pollaczek and Khinchine", got, pk)
	}
}

// demands has a user for each request, and more tasks than fit.
func demands(tasks int, requests ...[2]int) *workload.Tasks {
	load := &workload.Tasks{Resources: []string{"cpu", "memory"}}
	for u, request := range requests {
		load.Users = append(load.Users, fmt.Sprint("user ", u+1))
		load.Kinds = append(load.Kinds, workload.TaskKind{Request: []cluster.Amount{cluster.Amount(request[0]) * cluster.Unit, cluster.Amount(request[1]) * cluster.Unit}})
		load.Jobs = append(load.Jobs, workload.TaskJob{First: int32(u * tasks), Count: int32(tasks), User: int32(u)})
		for range tasks {
			load.Durations = append(load.Durations, 100*federate.Second)
			load.KindOf = append(load.KindOf, int32(u))
		}
	}
	return load
}

// running returns how many tasks of each user a pool of 9 cores and 18 gigabytes runs at once.
func running(t *testing.T, shares []float64, load *workload.Tasks) []int {
	t.Helper()
	c := federate.Default(1, 1, 1)
	c.Capacity, c.Shares = []cluster.Amount{9 * cluster.Unit, 18 * cluster.Unit}, shares
	counts := make([]int, len(load.Jobs))
	for task, at := range startsOf(t, "fair", c, load) {
		if at < federate.Second {
			counts[load.KindOf[task]]++
		}
	}
	return counts
}

// This is the example of section 4.1 of the paper on dominant resource fairness.
func TestFairIsThePapersExample(t *testing.T) {
	if got := running(t, nil, demands(10, [2]int{1, 4}, [2]int{3, 1})); !slices.Equal(got, []int{3, 2}) {
		t.Errorf("the users run %v tasks, want 3 and 2", got)
	}
	if got := running(t, []float64{0.75, 0.25}, demands(10, [2]int{1, 4}, [2]int{3, 1})); !slices.Equal(got, []int{4, 1}) {
		t.Errorf("with three quarters for the first user they run %v tasks, want 4 and 1", got)
	}
}

// A user who requests more than the tasks need does not run more of them.
func TestFairIsStrategyProof(t *testing.T) {
	r := sim.NewRandom(1, 3)
	lies := 0
	for range 500 {
		draw := func() [2]int { return [2]int{1 + r.IntN(4), 1 + r.IntN(8)} }
		truth, other := draw(), draw()
		lie := [2]int{truth[0] + r.IntN(3), truth[1] + r.IntN(5)}
		if lie == truth {
			continue
		}
		lies++
		honest, lying := running(t, nil, demands(20, truth, other)), running(t, nil, demands(20, lie, other))
		if lying[0] > honest[0] {
			t.Errorf("a user that needs %v, beside one of %v, runs %d tasks, and %d if it asks for %v", truth, other, honest[0], lying[0], lie)
		}
	}
	if lies < 300 {
		t.Errorf("only %d lies were tried", lies)
	}
}

// The error of the estimates changes the order, and always in the same way for a seed.
func TestEstimatesOfAJobAreWrongByOneFactor(t *testing.T) {
	load := random(1, 5)
	c := federate.Default(5, 1, 1)
	exact := startsOf(t, "sjf", c, load)
	c.EstimateError = 0.9
	wrong := startsOf(t, "sjf", c, load)
	if slices.Equal(exact, wrong) || !slices.Equal(wrong, startsOf(t, "sjf", c, load)) {
		t.Error("wrong estimates change nothing, or not always alike")
	}
	c.EstimateError = 1.5
	if _, err := federate.Run(t.Context(), "sjf", c, load, federate.Options{}); err == nil {
		t.Error("an error of 1.5 is accepted")
	}
}
