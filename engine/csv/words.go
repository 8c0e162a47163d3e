package csv

// Words takes a line apart at spaces and tabs.
type Words struct {
	line string
	rest string // of the line
}

func space(c byte) bool { return c == ' ' || c == '\t' }

// NewWords begins with a line.
func NewWords(line string) Words { return Words{line, line} }

// More steps over space and says whether a word follows.
func (w *Words) More() bool {
	for w.rest != "" && space(w.rest[0]) {
		w.rest = w.rest[1:]
	}
	return w.rest != ""
}

// At is where the next word begins in the line, in bytes, once More has found it.
func (w *Words) At() int32 { return int32(len(w.line) - len(w.rest)) }

// Next returns the next word, "" at the end.
func (w *Words) Next() string {
	w.More()
	end := 0
	for end < len(w.rest) && !space(w.rest[end]) {
		end++
	}
	word := w.rest[:end]
	w.rest = w.rest[end:]
	return word
}
