package packed

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
)

// inUTF8 converts a text to UTF-8, given its beginning. A byte order mark indicates UTF-16, which
// PowerShell writes.
func inUTF8(head []byte, text io.Reader) io.Reader {
	var order binary.ByteOrder
	switch {
	case Begins(head, "\xff\xfe"):
		order = binary.LittleEndian
	case Begins(head, "\xfe\xff"):
		order = binary.BigEndian
	default:
		return text
	}
	in := bufio.NewReaderSize(text, 32<<10)
	in.Discard(2)
	return &fromUTF16{in: in, order: order}
}

type fromUTF16 struct {
	in    *bufio.Reader
	order binary.ByteOrder
	text  []byte // decoded text that has not been read yet
}

func (u *fromUTF16) Read(buffer []byte) (int, error) {
	for len(u.text) == 0 {
		if err := u.more(); err != nil {
			return 0, err
		}
	}
	n := copy(buffer, u.text)
	u.text = u.text[n:]
	return n, nil
}

// more decodes the next code units. It never splits a surrogate pair.
func (u *fromUTF16) more() error {
	bytes, err := u.in.Peek(16 << 10)
	if len(bytes) == 0 {
		return err
	}
	var units []uint16
	for ; len(bytes) > 1; bytes = bytes[2:] {
		units = append(units, u.order.Uint16(bytes))
	}
	if last := len(units) - 1; err == nil && utf16.IsSurrogate(rune(units[last])) && units[last] < 0xdc00 {
		units = units[:last]
	}
	if len(units) == 0 {
		return errors.New("the file is text in UTF-16 and ends within a character: copy it again as a whole")
	}
	u.in.Discard(2 * len(units))
	u.text = []byte(string(utf16.Decode(units)))
	return nil
}
