package workload

import (
	"slices"
	"strconv"
	"strings"

	"berth/engine/cluster"
)

// Builder puts the jobs of a workload together as a file names them.
type Builder struct {
	*Tasks
	users map[string]int32
	kinds map[string]int32
	key   []byte
	named map[string]int32 // jobs that others may wait for
	waits []waiting
	names int // of waits
}

// NewBuilder begins a workload of tasks that ask for these resource types.
func NewBuilder(resources ...string) *Builder {
	return &Builder{Tasks: &Tasks{Resources: resources}, users: map[string]int32{}, kinds: map[string]int32{}, named: map[string]int32{}}
}

// User returns the number of a user by its name, which it adds if it is new.
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

// Kind returns the number of a kind, which it adds if it is new.
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

// Condition is the set of constraints of a task that asks for all these. Where there are
// too many different ones it remarks that they count for nothing.
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
