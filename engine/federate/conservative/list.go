package conservative

import (
	"iter"
	"slices"
	"sort"
)

// list is an ordered list in blocks, so that an insertion or removal moves only the entries of one
// block. No block is empty.
type list[E any] [][]E

// blockSize is the highest number of entries in a block.
const blockSize = 256

// place is the index of a block and the index of an entry in it.
type place struct{ block, entry int }

func (l list[E]) at(p place) *E { return &l[p.block][p.entry] }

// walk iterates over the entries from a place on.
func (l list[E]) walk(p place) iter.Seq[*E] {
	return func(yield func(*E) bool) {
		for b := p.block; b < len(l); b, p.entry = b+1, 0 {
			for i := p.entry; i < len(l[b]); i++ {
				if !yield(&l[b][i]) {
					return
				}
			}
		}
	}
}

// before returns the place before p; ok is false if p is the first.
func (l list[E]) before(p place) (place, bool) {
	if p.entry > 0 {
		return place{p.block, p.entry - 1}, true
	}
	if p.block == 0 {
		return p, false
	}
	return place{p.block - 1, len(l[p.block-1]) - 1}, true
}

// first returns the place of the first entry for which holds is true, or the end. If it is true for
// an entry, it must be true for all later ones.
func (l list[E]) first(holds func(e *E) bool) place {
	b := sort.Search(len(l), func(b int) bool { return holds(&l[b][len(l[b])-1]) })
	if b == len(l) {
		return place{block: b}
	}
	return place{b, sort.Search(len(l[b]), func(i int) bool { return holds(&l[b][i]) })}
}

// insert adds an entry at a place or at the end, and returns its place.
func (l *list[E]) insert(p place, e E) place {
	if len(*l) == 0 {
		*l = list[E]{make([]E, 0, blockSize)}
	} else if p.block == len(*l) {
		p.block--
		p.entry = len((*l)[p.block])
	}
	if b := (*l)[p.block]; len(b) == blockSize {
		const half = blockSize / 2
		*l = slices.Insert(*l, p.block+1, append(make([]E, 0, blockSize), b[half:]...))
		(*l)[p.block] = b[:half]
		if p.entry > half {
			p = place{p.block + 1, p.entry - half}
		}
	}
	(*l)[p.block] = slices.Insert((*l)[p.block], p.entry, e)
	return p
}

// remove removes the entry at a place.
func (l *list[E]) remove(p place) {
	b := (*l)[p.block]
	switch {
	case len(b) == 1:
		*l = slices.Delete(*l, p.block, p.block+1)
	case p.entry == 0:
		(*l)[p.block] = b[1:]
	default:
		(*l)[p.block] = slices.Delete(b, p.entry, p.entry+1)
	}
}
