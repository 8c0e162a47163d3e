// Package budget limits the memory that reading untrusted inputs takes. A load is everything that
// one scenario, link, command or dropped set of files reads: sources, the documents in them, packed
// files and recipes of graphs.
//
// All readers of a load share one [Budget]. They charge it before they allocate, so a short text
// that expands to much data is refused before it takes memory, and several such texts together are
// refused like a single one.
package budget

import (
	"cmp"

	"berth/engine/diag"
	"berth/engine/show"
)

// Quantity is a kind of data that a budget counts.
type Quantity int

// Quantities. Each has its own limit; see [Limits].
const (
	Unpacked  Quantity = iota // size of all files in bytes, after unpacking
	Bytes                     // bytes of texts that are read
	Values                    // values in YAML and JSON: mappings, lists and scalars
	Originals                 // values that a library parses, which takes more memory for each
	Aliases                   // values that YAML aliases expand to
	Nodes                     // jobs and clusters of graphs
	Edges                     // dependencies and links of graphs, before parallel ones are merged
	Members                   // members of subgraphs, counted each time a subgraph ends
	Tasks                     // tasks of workloads that recipes generate
	quantities
)

// MaxBytes limits the size of all texts of a load. 50,000 pods as printed by kubectl fit.
const MaxBytes = 256 << 20

// known has for each quantity its name in messages, the default limit of a load, and the measured
// memory per item in bytes.
var known = [quantities]struct {
	name string
	most int64
	cost int64
}{
	Unpacked:  {"bytes when they are unpacked", MaxBytes, 0},
	Bytes:     {"bytes of text", MaxBytes, 1},
	Values:    {"values in YAML or JSON", 36_000_000, 128},
	Originals: {"values in YAML or JSON", 12_000_000, 300},
	Aliases:   {"values that aliases stand for", 1_000_000, 128},
	Nodes:     {"jobs and clusters", 1_500_000, 350},
	Edges:     {"dependencies and links", 4_000_000, 96},
	Members:   {"members of subgraphs", 8_000_000, 48},
	Tasks:     {"generated tasks", 1 << 24, 24},
}

// Limits are the limits of a budget. A field that is 0 has its default.
type Limits struct {
	Most   [quantities]int64
	Depth  int   // nesting of values and of subgraphs; default 200
	Memory int64 // bytes; default 8 GiB
}

// The texts of a load may grow to anyText + byText × their size in memory. Real inputs of every
// format stay far below that.
const (
	anyText = 128 << 20 // bytes
	byText  = 16        // bytes per byte of text
)

// Budget tracks the consumption of one load. It is not safe for concurrent use.
type Budget struct {
	limits  Limits
	taken   [quantities]int64
	granted int64 // bytes that the texts and recipes so far may take, beyond anyText
	memory  int64 // bytes taken so far
	refused bool
}

// New returns an unused budget with limits.
func New(l Limits) *Budget {
	for q := range l.Most {
		l.Most[q] = cmp.Or(l.Most[q], known[q].most)
	}
	l.Depth = cmp.Or(l.Depth, 200)
	l.Memory = cmp.Or(l.Memory, 8<<30)
	return &Budget{limits: l}
}

// Or returns b, or a new budget with default limits if b is nil.
func (b *Budget) Or() *Budget {
	if b == nil {
		return New(Limits{})
	}
	return b
}

// Exceeded is the error of a load that exceeds a limit.
type Exceeded struct{ *diag.Diagnostic }

// Unwrap returns the diagnostic with its code.
func (e *Exceeded) Unwrap() error { return e.Diagnostic }

func (b *Budget) refuse(code *diag.Code, args ...any) error {
	b.refused = true
	return &Exceeded{code.New(args...)}
}

// Take charges n items of a quantity. It returns an [*Exceeded] if that exceeds a limit.
func (b *Budget) Take(q Quantity, n int) error {
	b.taken[q] += int64(n)
	b.memory += known[q].cost * int64(n)
	if q == Bytes {
		b.granted += byText * int64(n)
	}
	return b.check(q)
}

// Return undoes a charge for data that was discarded immediately.
func (b *Budget) Return(q Quantity, n int) {
	b.taken[q] -= int64(n)
	b.memory -= known[q].cost * int64(n)
}

// Taken returns the number of items charged so far.
func (b *Budget) Taken(q Quantity) int { return int(b.taken[q]) }

// Generate charges items that a recipe generates. Unlike [Budget.Take], it does not count them as
// growth of a text.
func (b *Budget) Generate(q Quantity, n int) error {
	b.granted += known[q].cost * int64(n)
	return b.Take(q, n)
}

func (b *Budget) check(q Quantity) error {
	switch {
	case b.taken[q] > b.limits.Most[q]:
		return b.refuse(tooMuch, b.limits.Most[q], known[q].name)
	case b.memory > b.limits.Memory:
		return b.refuse(tooMuchMemory, show.Figure(float64(b.limits.Memory)/1e9))
	case b.memory > anyText+b.granted:
		return b.refuse(growsTooMuch,
			b.taken[Bytes], (anyText+b.granted)>>20, b.taken[q], known[q].name)
	}
	return nil
}

// Deeper returns an [*Exceeded] if depth exceeds the limit on nesting. The message names the nested
// things by what.
func (b *Budget) Deeper(depth int, what string) error {
	if depth > b.limits.Depth {
		return b.refuse(tooDeep, what, b.limits.Depth)
	}
	return nil
}

// Room returns how many more items of a quantity the limits allow.
func (b *Budget) Room(q Quantity) int64 { return max(0, b.limits.Most[q]-b.taken[q]) }

// Held returns the estimated bytes of memory that the texts and graphs of a load occupy after
// reading.
func (b *Budget) Held() int64 {
	return b.taken[Bytes]*known[Bytes].cost + b.taken[Nodes]*known[Nodes].cost + b.taken[Edges]*known[Edges].cost
}

// Refused reports whether any charge was refused.
func (b *Budget) Refused() bool { return b.refused }

// Spent is the consumption of a part of a load.
type Spent struct {
	taken           [quantities]int64
	granted, memory int64
}

// Since returns the consumption since before, an earlier copy of the budget.
func (b *Budget) Since(before Budget) Spent {
	s := Spent{granted: b.granted - before.granted, memory: b.memory - before.memory}
	for q := range s.taken {
		s.taken[q] = b.taken[q] - before.taken[q]
	}
	return s
}

// Add charges the consumption that the same part had in another load, so that it need not be read
// again.
func (b *Budget) Add(s Spent) error {
	b.granted += s.granted
	b.memory += s.memory
	var err error
	for q := range s.taken {
		b.taken[q] += s.taken[q]
		if err == nil {
			err = b.check(Quantity(q))
		}
	}
	return err
}
