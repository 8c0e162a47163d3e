// Package budget bounds what reading the texts of one load takes. A load is all
// that one scenario, link, command or dropped set of files has to read: sources,
// the documents in them, packed files and recipes of graphs.
//
// One [Budget] is passed to every reader of the load. Readers take from it before
// they make something, so that a short text that stands for much is refused before
// it takes memory, and several such texts together are refused as one would be.
package budget

import (
	"cmp"

	"berth/engine/diag"
	"berth/engine/show"
)

// Quantity is what a budget counts.
type Quantity int

// The quantities.
const (
	Unpacked  Quantity = iota // bytes that files come to, whether or not they are packed
	Bytes                     // of texts that are read
	Values                    // of YAML: mappings, lists and single values
	Originals                 // as above, of YAML that the library reads, which takes more for each
	Aliases                   // values that aliases of YAML stand for
	Nodes                     // of graphs: jobs and clusters
	Edges                     // of graphs, before parallel ones merge: dependencies and links
	Members                   // of subgraphs, each time that one ends
	Tasks                     // of workloads that recipes ask for
	quantities
)

// MaxBytes bounds the bytes of all texts of a load: 50,000 pods as kubectl writes them.
const MaxBytes = 256 << 20

// known says of each kind what people call it, how many a load may have, and how
// many bytes of memory one takes, from measurements.
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

// Limits are those of a budget. A field that is 0 means the default.
type Limits struct {
	Most   [quantities]int64
	Depth  int   // of values in values and subgraphs in subgraphs: 200
	Memory int64 // bytes: 8 GiB
}

// What a text may grow to: real inputs stay below it by far, whatever their format.
const (
	anyText = 128 << 20 // bytes of memory, whatever the texts have
	byText  = 16        // and so many times as many as they have
)

// Budget is what is left of the limits of one load. It is not safe for concurrent
// use.
type Budget struct {
	limits  Limits
	taken   [quantities]int64
	granted int64 // bytes of memory that texts may take by what they have, beside anyText
	memory  int64 // bytes that are taken
	refused bool
}

// New returns the budget of a load.
func New(l Limits) *Budget {
	for q := range l.Most {
		l.Most[q] = cmp.Or(l.Most[q], known[q].most)
	}
	l.Depth = cmp.Or(l.Depth, 200)
	l.Memory = cmp.Or(l.Memory, 8<<30)
	return &Budget{limits: l}
}

// Or returns the budget, or one of a load of its own where there is none.
func (b *Budget) Or() *Budget {
	if b == nil {
		return New(Limits{})
	}
	return b
}

// Exceeded says what a load has too much of, and what to do.
type Exceeded struct{ *diag.Diagnostic }

// Unwrap returns it with its code.
func (e *Exceeded) Unwrap() error { return e.Diagnostic }

func (b *Budget) refuse(code *diag.Code, args ...any) error {
	b.refused = true
	return &Exceeded{code.New(args...)}
}

// Take takes n of a quantity, or says why that is too much.
func (b *Budget) Take(q Quantity, n int) error {
	b.taken[q] += int64(n)
	b.memory += known[q].cost * int64(n)
	if q == Bytes {
		b.granted += byText * int64(n)
	}
	return b.check(q)
}

// Return gives back what was taken for something that is let go at once.
func (b *Budget) Return(q Quantity, n int) {
	b.taken[q] -= int64(n)
	b.memory -= known[q].cost * int64(n)
}

// Taken is how much of a quantity was taken.
func (b *Budget) Taken(q Quantity) int { return int(b.taken[q]) }

// Generate takes what a recipe asks for, which no text grows to.
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

// Deeper says that something stands too deep in others.
func (b *Budget) Deeper(depth int, what string) error {
	if depth > b.limits.Depth {
		return b.refuse(tooDeep, what, b.limits.Depth)
	}
	return nil
}

// Room is how much more of a quantity the limits allow.
func (b *Budget) Room(q Quantity) int64 { return max(0, b.limits.Most[q]-b.taken[q]) }

// Held is how many bytes of memory the texts and graphs of a load take on after they
// were read.
func (b *Budget) Held() int64 {
	return b.taken[Bytes]*known[Bytes].cost + b.taken[Nodes]*known[Nodes].cost + b.taken[Edges]*known[Edges].cost
}

// Refused says whether anything was.
func (b *Budget) Refused() bool { return b.refused }

// Spent is what a part of a load took.
type Spent struct {
	taken           [quantities]int64
	granted, memory int64
}

// Since returns what was taken since a budget was as before.
func (b *Budget) Since(before Budget) Spent {
	s := Spent{granted: b.granted - before.granted, memory: b.memory - before.memory}
	for q := range s.taken {
		s.taken[q] = b.taken[q] - before.taken[q]
	}
	return s
}

// Add takes what the same part took in another load.
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
