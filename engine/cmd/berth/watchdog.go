package main

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"berth/engine/policy"
)

// policyMemory is the default memory limit of a run with a policy written as text: 2 GiB.
const policyMemory = 2 << 30

// policyLimit is the memory limit of the process, in bytes, while a policy in source text runs; see
// keepWithin.
var policyLimit atomic.Int64

// errUnheard means that a policy did not stop after an interrupt, so there is no result.
var errUnheard = errors.New("interrupted")

const (
	// unheard is how long a policy may continue after an interrupt. After that time it
	// must be inside a single operation of the interpreter, which cannot be stopped.
	unheard = 200 * time.Millisecond
	// lookEvery is the interval at which the memory is checked.
	lookEvery = 2 * time.Millisecond
)

// unused is an upper bound on the address space that Go and its threads reserve without using it.
const unused = 256 << 20

// watched returns a context for runs with policies. It ends the program if a policy exceeds the
// memory limit, or does not stop after the context has ended. Both can happen within a single
// operation of the interpreter, which can be neither counted nor stopped.
func watched(ctx context.Context, end func(error)) context.Context {
	var latest atomic.Pointer[policy.Text]
	var once sync.Once
	w := &policy.Watch{Begins: func(_ context.Context, t *policy.Text) {
		latest.Store(t)
		once.Do(func() { // a single operation may allocate more than the limit, so the system must enforce it
			debug.SetMaxStack(math.MaxInt) // a stack counts as memory, and a stack trace would not explain the error
			limit := cmp.Or(policyLimit.Load(), ofRuns(policyMemory, 1))
			limitMemory(uint64(limit)/4*5 + unused)
			go holdMemory(limit, &latest, end)
		})
	}}
	context.AfterFunc(ctx, func() {
		time.Sleep(unheard)
		if w.Inside.Load() > 0 {
			end(errUnheard)
		}
	})
	return policy.Watched(ctx, w)
}

// holdMemory ends the program when it exceeds its memory limit. Below the limit it makes the
// collector work hard, so that only memory in use can exceed the limit.
//
// While a single operation fills memory that it already has, the collector may stop every other
// goroutine, including this one. In this case the system refuses more than a quarter above the
// limit, and Go itself ends the program.
func holdMemory(limit int64, latest *atomic.Pointer[policy.Text], end func(error)) {
	used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for ; ; time.Sleep(lookEvery) {
		if soft := limit - limit/8; debug.SetMemoryLimit(-1) > soft {
			debug.SetMemoryLimit(soft)
		}
		metrics.Read(used)
		if used[0].Value.Uint64()-used[1].Value.Uint64() > uint64(limit) {
			end(badInputf("%s: the policy took more than %.3g GB of memory, which is the limit: make it simpler, or raise the limit with --memory", latest.Load().File(), float64(limit-besideRuns)/1e9))
		}
	}
}
