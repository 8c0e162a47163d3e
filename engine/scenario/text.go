package scenario

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// MaxText bounds the bytes of a text that is read as a whole.
const MaxText = 64 << 20

// maxInflation bounds how many times as large as its file a text may be that is
// streamed and has more than MaxText bytes. Traces unpack to 5 to 20 times.
const maxInflation = 200

// ErrTooLarge says that a text has more than MaxText bytes.
var ErrTooLarge = fmt.Errorf("the file is too large: at most %d bytes (64 MiB) are read", MaxText)

var (
	errCutOff  = errors.New("the file is packed with gzip and cut off: its end is missing")
	errDamaged = errors.New("the file is packed with gzip and damaged: it cannot be unpacked")
)

// Text is the text of a source from its beginning. A file that is packed with
// gzip is unpacked on the way, a piece at a time; lines, columns and digests are
// those of what it unpacks to.
type Text struct {
	Size int64 // of the file, in bytes

	file     counter
	text     io.Reader // nil before the first Read
	most     int64     // bytes that a packed file may unpack to
	tooLarge error
	err      error // of unpacking
}

// NewText returns the text of a file of size bytes.
func NewText(file io.Reader, size int64) *Text {
	most := max(MaxText, maxInflation*size)
	return &Text{Size: size, file: counter{Reader: file}, most: most, tooLarge: fmt.Errorf(
		"the file has %d bytes and unpacks to more than %d, which is too much to believe: unpack it if it is right", size, most)}
}

// Bound bounds a text that is read as a whole.
func (t *Text) Bound() error {
	if t.Size > MaxText {
		return ErrTooLarge
	}
	t.most, t.tooLarge = MaxText, ErrTooLarge
	return nil
}

// Done returns how many bytes of the file were read.
func (t *Text) Done() int64 { return t.file.n }

// Read implements [io.Reader].
func (t *Text) Read(buffer []byte) (int, error) {
	if t.text == nil {
		t.err = t.begin()
	}
	if t.err != nil {
		return 0, t.err
	}
	return t.text.Read(buffer)
}

// begin finds out whether the file is packed.
func (t *Text) begin() error {
	var head [2]byte
	n, err := io.ReadFull(&t.file, head[:])
	t.text = io.MultiReader(bytes.NewReader(head[:n]), &t.file)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return nil
	case err != nil:
		return err
	case head != [2]byte{0x1f, 0x8b}:
		return nil
	}
	unpacked, err := gzip.NewReader(bufio.NewReaderSize(t.text, 64<<10))
	t.text = &unpacking{text: t, unpacked: unpacked}
	return unpackable(err)
}

// unpacking is what a text unpacks to.
type unpacking struct {
	text     *Text
	unpacked io.Reader
	n        int64
}

func (u *unpacking) Read(buffer []byte) (int, error) {
	n, err := u.unpacked.Read(buffer)
	if u.n += int64(n); u.n > u.text.most {
		return 0, u.text.tooLarge
	}
	return n, unpackable(err)
}

// unpackable says of an error of package gzip what it means.
func unpackable(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errCutOff
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		return errDamaged
	}
	return err
}

// Unpack returns the text of a file that is in memory. It fails with
// ErrTooLarge if it is packed and unpacks to more than most bytes.
func Unpack(file []byte, most int) ([]byte, error) {
	t := NewText(bytes.NewReader(file), int64(len(file)))
	t.most, t.tooLarge = int64(most), ErrTooLarge
	return io.ReadAll(t)
}

// counter counts the bytes that are read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(buffer []byte) (int, error) {
	n, err := c.Reader.Read(buffer)
	c.n += int64(n)
	return n, err
}

// AsText makes a text of the bytes of a file. An empty file is a text too, which
// the reader refuses in its own words.
func AsText(data []byte) string { return cmp.Or(string(data), "\n") }
