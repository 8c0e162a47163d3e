package trace

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"berth/engine/input/format/sniff"
)

// sections reads concatenated texts, each preceded by a line with its name, in the
// format in which tail prints several files.
type sections struct {
	text    *bufio.Reader
	rest    []byte // data read but not returned yet
	middle  bool   // the next chunk continues a line
	pending string // name of the next section
	ahead   bool   // pending is set
	err     error
}

// next moves to the next section, skipping the rest of the current one, and returns
// its name and text; io.EOF after the last section.
func (s *sections) next() (name string, text *bufio.Reader, err error) {
	for !s.ahead {
		s.rest = nil
		if s.fill(); s.err != nil {
			return "", nil, s.err
		}
	}
	s.ahead = false
	return s.pending, bufio.NewReaderSize(s, sniff.Most), nil
}

// fill reads a line, or part of a long one, or the beginning of the next section.
func (s *sections) fill() {
	chunk, err := s.text.ReadSlice('\n')
	if err != nil && err != bufio.ErrBufferFull && len(chunk) == 0 {
		s.err = err
		return
	}
	if name, is := sniff.Section(string(chunk[:min(len(chunk), sniff.MaxSection)])); is && !s.middle {
		s.pending, s.ahead = name, true
		return
	}
	s.rest, s.middle = chunk, !bytes.HasSuffix(chunk, []byte("\n"))
}

// Read implements [io.Reader] for the current section.
func (s *sections) Read(buffer []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.ahead {
			return 0, io.EOF
		}
		if s.fill(); s.err != nil {
			return 0, s.err
		}
	}
	n := copy(buffer, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// formatOf recognises the format of a section by its beginning without consuming it.
func formatOf(text *bufio.Reader) sniff.Found {
	head, _ := text.Peek(sniff.Most) // an error recurs on reading
	return sniff.Look(strings.ToValidUTF8(string(head), "\ufffd"), sniff.Tasks)
}
