package gallery

import "sync"

// Paper is a publication whose figures the gallery reproduces.
type Paper struct {
	ID, Title string
	BibTeX    string // BibTeX entry, ending in a new line
}

// Papers returns the sources, Berth itself last; none on a page that has not fetched them
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

// Cite returns the BibTeX entries of the entry's paper and of Berth.
func (e *Entry) Cite() string {
	all := Papers()
	last := len(all) - 1
	cite := ""
	for _, p := range all[:last] {
		if p.ID == e.Paper {
			cite += p.BibTeX + "\n"
		}
	}
	return cite + all[last].BibTeX
}
