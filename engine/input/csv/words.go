package csv

// Words splits a line at spaces and tabs.
type Words struct {
	line string
	rest string // unread part of line
}

func space(c byte) bool { return c == ' ' || c == '\t' }

// NewWords returns the words of a line.
func NewWords(line string) Words { return Words{line, line} }

// More skips space and reports whether a word follows.
func (w *Words) More() bool {
	for w.rest != "" && space(w.rest[0]) {
		w.rest = w.rest[1:]
	}
	return w.rest != ""
}

// At returns the offset of the next word in the line, in bytes. Call More first.
func (w *Words) At() int32 { return int32(len(w.line) - len(w.rest)) }

// Next returns the next word; "" at the end.
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
