package megha

import (
	"math/bits"

	"berth/engine/federate"
	"berth/engine/input/workload"
)

// wordSize is the number of workers in a word of a bit vector.
const wordSize = 64

// layout assigns the workers of a data centre to masters. The workers of each LM are consecutive,
// and within them the workers of each of its partitions, one for each GM. Partition l·GMs + g
// belongs to GM g under LM l. Each partition starts at a new word of the bit vectors.
type layout struct {
	*federate.Center

	partitionOf []int32                           // by worker
	bitOf       []int32                           // by worker: its bit in the bit vectors over all partitions
	first       []int32                           // by partition: its first worker; one entry more for the end
	word        []int32                           // by partition: its first word; one entry more for the end
	workerAt    []int32                           // by word: the worker of its first bit
	all         []uint64                          // bit vector of all workers
	satisfies   [workload.MaxConstraints][]uint64 // by constraint; nil: all satisfy all
}

// newLayout divides the workers as evenly as possible.
func newLayout(c *federate.Center) *layout {
	partitions := c.GMs * c.LMs
	d := &layout{
		Center:      c,
		partitionOf: make([]int32, c.Workers()), bitOf: make([]int32, c.Workers()),
		first: make([]int32, 1, partitions+1), word: make([]int32, 1, partitions+1),
	}
	for _, workers := range federate.WorkersOf(c.Workers(), c.LMs) {
		for _, size := range federate.WorkersOf(workers, c.GMs) {
			p := len(d.first) - 1
			for i := range int32(size) {
				w := d.first[p] + i
				if i%wordSize == 0 {
					d.workerAt = append(d.workerAt, w)
				}
				d.partitionOf[w] = int32(p)
				d.bitOf[w] = d.word[p]*wordSize + i
			}
			d.first = append(d.first, d.first[p]+int32(size))
			d.word = append(d.word, int32(len(d.workerAt)))
		}
	}
	d.fillVectors()
	return d
}

func (d *layout) fillVectors() {
	d.all = make([]uint64, len(d.workerAt))
	for _, bit := range d.bitOf {
		d.all[bit/wordSize] |= 1 << (bit % wordSize)
	}
	for c := 0; d.Machines != nil && c < len(d.satisfies); c++ {
		d.satisfies[c] = make([]uint64, len(d.all))
	}
	for w, set := range d.Machines {
		for bit := d.bitOf[w]; set != 0; set &= set - 1 {
			d.satisfies[bits.TrailingZeros64(set)][bit/wordSize] |= 1 << (bit % wordSize)
		}
	}
}

// candidates returns the workers of one word that satisfy constraints, and the number of words that
// it ANDed.
func (d *layout) candidates(word int32, constraints uint64) (set uint64, words int) {
	set, words = d.all[word], max(1, bits.OnesCount64(constraints))
	for c := constraints; c != 0 && d.Machines != nil; c &= c - 1 {
		set &= d.satisfies[bits.TrailingZeros64(c)][word]
	}
	return set, words
}

func (d *layout) worker(word int32, bit int) int32 { return d.workerAt[word] + int32(bit) }

func (d *layout) lmOf(worker int32) int32 { return d.partitionOf[worker] / int32(d.GMs) }
func (d *layout) gmOf(worker int32) int32 { return d.partitionOf[worker] % int32(d.GMs) }
