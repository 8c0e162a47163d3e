package csv

// Word returns the beginning and the end of the first word of a line from a byte on, in bytes;
// twice the length of the line if there is none. Spaces and tabs separate words.
func Word(line string, from int) (begin, end int) {
	for begin = from; begin < len(line) && (line[begin] == ' ' || line[begin] == '\t'); begin++ {
	}
	for end = begin; end < len(line) && line[end] != ' ' && line[end] != '\t'; end++ {
	}
	return begin, end
}

// Words returns the words of a line.
func Words(line string, into []Field) []Field {
	into = into[:0]
	for begin, end := Word(line, 0); begin < end; begin, end = Word(line, end) {
		into = append(into, Field{line[begin:end], int32(begin)})
	}
	return into
}
