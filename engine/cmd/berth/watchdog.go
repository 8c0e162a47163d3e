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

// policyMemory is what a run with a policy that is written as text may take where --memory
// says nothing: 2 GiB.
const policyMemory = 2 << 30

// policyLimit is how many bytes the process may take once such a policy runs; see keepWithin.
var policyLimit atomic.Int64

// errUnheard says that a policy went on after an interrupt, so that nothing has a result.
var errUnheard = errors.New("interrupted")

const (
	// unheard is how long after an interrupt a call of a policy may go on: longer, it is in
	// a single operation, which cannot be stopped.
	unheard = 200 * time.Millisecond
	// lookEvery is the time between two looks at the memory.
	lookEvery = 2 * time.Millisecond
)

// unused bounds the addresses that Go and its threads take and do not fill.
const unused = 256 << 20

// watched returns a context whose policies end the program when they take too much memory,
// or go on when the context has ended. A text can do both in one operation of the
// interpreter, which can be neither counted nor stopped.
func watched(ctx context.Context, end func(error)) context.Context {
	var latest atomic.Pointer[policy.Text]
	var once sync.Once
	w := &policy.Watch{Begins: func(_ context.Context, t *policy.Text) {
		latest.Store(t)
		once.Do(func() { // the first operation may be the one: the system refuses it before it begins
			debug.SetMaxStack(math.MaxInt) // a stack counts as memory, and no trace says what is wrong
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

// holdMemory ends the program when it takes more than it may. The collector works hard
// before that, so that what ends it is in use. While a single operation fills memory that
// it has already, the collector may stop all of the program but that operation: the system
// refuses it more than a quarter above the limit, and Go ends the program itself.
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
