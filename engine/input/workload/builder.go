package workload

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// Builder builds a workload while a reader parses a file.
type Builder struct {
	*Tasks
	users map[string]int32
	kinds map[string]int32
	key   []byte
	named map[string]int32 // jobs that other jobs can wait for, by name
	waits []dependent
	names int     // total number of names in waits
	jobOf []int32 // job of each task; nil while the tasks of each job are contiguous

	window passing
	passed int // number of jobs checked against the window
}

// NewBuilder returns an empty workload whose tasks request the given resource types.
func NewBuilder(resources ...string) *Builder {
	return &Builder{Tasks: &Tasks{Resources: resources}, users: map[string]int32{}, kinds: map[string]int32{}, named: map[string]int32{}}
}

// Within sets the window for [Builder.Enough].
func (b *Builder) Within(w Window) *Builder {
	b.window = passing{Window: w}
	return b
}

// Enough returns io.EOF, which ends [csv.Lines.Each], if no later job can be within the window;
// otherwise nil. It assumes that later jobs come in order of arrival if all earlier ones did. It
// never ends workloads with dependencies.
func (b *Builder) Enough() error {
	if b.window.First == 0 && b.window.To == 0 || b.waits != nil {
		return nil
	}
	for ; b.passed < len(b.Jobs); b.passed++ {
		job := &b.Jobs[b.passed]
		if b.passed > 0 && job.Arrival < b.Jobs[b.passed-1].Arrival {
			b.window = passing{} // out of order: read everything
			return nil
		}
		b.window.takes(Seconds(job.Arrival - b.Jobs[0].Arrival))
	}
	b.Cut = b.window.over
	if b.Cut {
		return io.EOF
	}
	return nil
}

// User returns the number of a user, adding the user if it is new.
func (b *Builder) User(name string) int32 {
	n, known := b.users[name]
	if !known {
		n = int32(len(b.Users))
		name = strings.Clone(name)
		b.users[name] = n
		b.Users = append(b.Users, name)
	}
	return n
}

// Kind returns the number of a task kind, adding the kind if it is new.
func (b *Builder) Kind(request []cluster.Amount, constraints uint64) int32 {
	b.key = b.key[:0]
	for _, amount := range request {
		b.key = strconv.AppendInt(b.key, int64(amount), 36)
		b.key = append(b.key, ' ')
	}
	b.key = strconv.AppendUint(b.key, constraints, 36)
	if n, ok := b.kinds[string(b.key)]; ok {
		return n
	}
	n := int32(len(b.Kinds))
	b.kinds[string(b.key)] = n
	b.Kinds = append(b.Kinds, TaskKind{Request: slices.Clone(request), Constraints: constraints})
	return n
}

// Condition returns the constraint set of a task that requires all the given constraints. If the
// workload has too many different lists, it ignores the constraints and counts the task in
// Remarks.Unmet.
func (b *Builder) Condition(all []cluster.Constraint) uint64 {
	if len(all) == 0 {
		return 0
	}
	for i, known := range b.Conditions {
		if slices.Equal(known, all) {
			return 1 << i
		}
	}
	if len(b.Conditions) == MaxConstraints {
		b.Remarks.Unmet++
		return 0
	}
	b.Conditions = append(b.Conditions, slices.Clone(all))
	return 1 << (len(b.Conditions) - 1)
}

// Task adds a task to a job, which need not be the latest job.
func (b *Builder) Task(job int32, duration sim.Nanoseconds, kind int32) {
	if b.jobOf == nil && int(job) != len(b.Jobs)-1 {
		for j := range b.Jobs {
			for range b.Jobs[j].Count {
				b.jobOf = append(b.jobOf, int32(j))
			}
		}
	}
	if b.jobOf != nil {
		b.jobOf = append(b.jobOf, job)
	}
	b.Durations, b.KindOf = append(b.Durations, duration), append(b.KindOf, kind)
	b.Jobs[job].Count++
}

// Group makes the tasks of each job contiguous and sorts the jobs by arrival.
func (b *Builder) Group() *Tasks {
	t, durations, kinds := b.Tasks, b.Durations, b.KindOf
	if b.jobOf != nil {
		t.Durations, t.KindOf = make([]sim.Nanoseconds, len(durations)), make([]int32, len(kinds))
	}
	next, first := make([]int32, len(t.Jobs)), int32(0)
	for i := range t.Jobs {
		j := &t.Jobs[i]
		j.First, next[i], first = first, first, first+j.Count
	}
	for i, job := range b.jobOf {
		at := next[job]
		t.Durations[at], t.KindOf[at] = durations[i], kinds[i]
		next[job]++
	}
	for i := range t.Jobs {
		j := &t.Jobs[i]
		j.Mean = mean(t.Durations[j.First : j.First+j.Count])
	}
	t.Sort()
	return t
}
