package csv

// Word returns the byte offsets of the beginning and the end of the first word of a line at or
// after byte from. Words are separated by spaces and tabs. Without a word, both offsets are the
// length of the line.
func Word(line string, from int) (begin, end int) {
	for begin = from; begin < len(line) && (line[begin] == ' ' || line[begin] == '\t'); begin++ {
	}
	for end = begin; end < len(line) && line[end] != ' ' && line[end] != '\t'; end++ {
	}
	return begin, end
}

// Words splits a line into its words, reusing the memory of into.
func Words(line string, into []Field) []Field {
	into = into[:0]
	for begin, end := Word(line, 0); begin < end; begin, end = Word(line, end) {
		into = append(into, Field{line[begin:end], int32(begin)})
	}
	return into
}
