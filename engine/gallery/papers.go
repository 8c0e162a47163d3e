package gallery

import (
	"slices"
	"sync"
)

// Paper is a publication whose figures the gallery reproduces.
type Paper struct {
	ID, Title string
	BibTeX    string // BibTeX entry, ending in a new line

	// Model and Loads describe the model and the loads of all entries; "" if the paper itself
	// determines them.
	Model, Loads string
}

// Papers returns the sources, with Berth as the last one; none on a page that has not fetched them
// yet.
func Papers() []Paper {
	if !ready() {
		return nil
	}
	return papers()
}

var papers = sync.OnceValue(func() (all []Paper) {
	read(papersName, &all)
	return all
})

// PaperOf returns the paper of the entry.
func (e *Entry) PaperOf() Paper {
	all := Papers()
	return all[slices.IndexFunc(all, func(p Paper) bool { return p.ID == e.Paper })]
}

// Cite returns the BibTeX entries of the entry's paper and of Berth.
func (e *Entry) Cite() string {
	all := Papers()
	last := len(all) - 1
	if e.Paper == all[last].ID {
		return all[last].BibTeX
	}
	return e.PaperOf().BibTeX + "\n" + all[last].BibTeX
}
