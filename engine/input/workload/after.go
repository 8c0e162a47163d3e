package workload

import (
	"slices"
	"strings"

	"berth/engine/show"
	"berth/engine/sim"
)

// maxAfter limits the number of dependencies between jobs.
const maxAfter = MaxTasks

// dependent is a job with the names of the jobs that it waits for.
type dependent struct {
	job   int32
	names []string
}

// Named gives a job a name, by which other jobs can wait for it.
func (b *Builder) Named(name string, job int32) { b.named[strings.Clone(name)] = job }

// JobNamed returns the job that [Builder.Named] last gave the name.
func (b *Builder) JobNamed(name string) (job int32, known bool) {
	job, known = b.named[name]
	return job, known
}

// Waits records the names of the jobs that a job waits for.
func (b *Builder) Waits(job int32, names []string) error {
	if b.names += len(names); b.names > maxAfter {
		return tooManyWaits.New(maxAfter)
	}
	if len(names) > 0 {
		own := make([]string, len(names))
		for i, name := range names {
			own[i] = strings.Clone(name)
		}
		b.waits = append(b.waits, dependent{job, own})
	}
	return nil
}

// Settle resolves the names recorded by Waits, before the jobs are sorted. It counts unknown names;
// if strict is set, they are an error. If submitted is false, the trace has the starts of waiting
// jobs as their arrivals. Settle replaces such an arrival by the latest arrival of the jobs that
// the job waits for. Cyclic dependencies are an error.
func (b *Builder) Settle(strict, submitted bool) (unknown int, err error) {
	if len(b.waits) == 0 {
		return 0, nil
	}
	after := make([][]int32, len(b.Jobs))
	for _, a := range b.waits {
		for _, name := range a.names {
			job, known := b.named[name]
			switch {
			case !known && strict:
				return 0, unknownAwaited.New(show.Quote(name))
			case !known:
				unknown++
			case !slices.Contains(after[a.job], job):
				after[a.job] = append(after[a.job], job)
			}
		}
	}
	order, cycle := InOrder(after)
	if cycle != nil {
		return 0, b.around(cycle)
	}
	b.After = after
	if submitted {
		return unknown, nil
	}
	for _, j := range order {
		for i, of := range after[j] {
			if at := b.Jobs[of].Arrival; i == 0 || at > b.Jobs[j].Arrival {
				b.Jobs[j].Arrival = at
			}
		}
	}
	return unknown, nil
}

// around returns the error about a cycle, naming its jobs.
func (b *Builder) around(cycle []int32) error {
	const most = 5
	names := make([]string, 0, most)
	for _, job := range cycle[:min(len(cycle), most)] {
		names = append(names, show.Quote(b.awaited(job)))
	}
	text := strings.Join(names, ", which waits for ")
	if len(cycle) > most {
		text += ", and so on,"
	}
	return jobsInCircle.New(text, names[0])
}

// awaited returns the name of a job that others wait for.
func (b *Builder) awaited(job int32) string {
	for _, a := range b.waits {
		for _, name := range a.names {
			if of, known := b.named[name]; known && of == job {
				return name
			}
		}
	}
	return ""
}

// InOrder returns all jobs in topological order, each after the jobs for which it waits. If that is
// impossible, it returns a cycle in which each job waits for the next and the last for the first.
func InOrder(after [][]int32) (order, cycle []int32) {
	left, next := make([]int32, len(after)), followers(after)
	for j, all := range after {
		if left[j] = int32(len(all)); left[j] == 0 {
			order = append(order, int32(j))
		}
	}
	for i := 0; i < len(order); i++ {
		for _, f := range next[order[i]] {
			if left[f]--; left[f] == 0 {
				order = append(order, f)
			}
		}
	}
	if len(order) == len(after) {
		return order, nil
	}
	at := int32(slices.IndexFunc(left, func(n int32) bool { return n > 0 }))
	for !slices.Contains(cycle, at) {
		cycle = append(cycle, at)
		at = after[at][slices.IndexFunc(after[at], func(of int32) bool { return left[of] > 0 })]
	}
	return nil, cycle[slices.Index(cycle, at):]
}

func followers(after [][]int32) [][]int32 {
	next := make([][]int32, len(after))
	for j, all := range after {
		for _, of := range all {
			next[of] = append(next[of], int32(j))
		}
	}
	return next
}

// Followers returns for each job the jobs that wait for it.
func (t *Tasks) Followers() [][]int32 { return followers(t.After) }

// Kept restricts After to a subset of the jobs. place maps old job numbers to new ones, or to −1
// for omitted jobs; jobs is the number of remaining jobs.
func (t *Tasks) Kept(place []int32, jobs int) [][]int32 {
	if t.After == nil {
		return nil
	}
	after := make([][]int32, jobs)
	for j, all := range t.After {
		for _, of := range all {
			if place[j] >= 0 && place[of] >= 0 {
				after[place[j]] = append(after[place[j]], place[of])
			}
		}
	}
	return after
}

// Apart returns the workload without dependencies. Each job arrives when the jobs that it waited
// for would have ended if none of their tasks had to wait for a worker.
func (t *Tasks) Apart() *Tasks {
	if t.After == nil {
		return t
	}
	x := *t
	x.After, x.Jobs = nil, slices.Clone(t.Jobs)
	ends := make([]sim.Nanoseconds, len(x.Jobs))
	order, _ := InOrder(t.After)
	for _, j := range order {
		job := &x.Jobs[j]
		for _, of := range t.After[j] {
			job.Arrival = max(job.Arrival, ends[of])
		}
		ends[j] = min(MaxClock, job.Arrival+slices.Max(t.Durations[job.First:job.First+job.Count]))
	}
	x.Sort()
	return &x
}
