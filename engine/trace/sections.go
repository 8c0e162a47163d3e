package trace

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"berth/engine/format/sniff"
)

// sections reads several texts that stand one after the other, each behind a line with its
// name, as tail prints several files.
type sections struct {
	text    *bufio.Reader
	rest    []byte // of the text, read and not handed on
	middle  bool   // of a line
	pending string // name of the section that comes next
	ahead   bool   // pending is known
	err     error
}

// next goes on to the next section, whatever is left of the one before; it is io.EOF behind
// the last one. The text of a section is read from what it returns.
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

// fill reads a line, or a part of a long one, or finds the beginning of another section.
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

// Read implements [io.Reader]: it ends where the section does.
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

// format tells what a section is by its beginning, which stays to be read.
func formatOf(text *bufio.Reader) sniff.Found {
	head, _ := text.Peek(sniff.Most) // an error comes again
	return sniff.Look(strings.ToValidUTF8(string(head), "\ufffd"), sniff.Tasks)
}
