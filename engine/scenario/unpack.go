package scenario

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"berth/engine/budget"
)

// MaxText bounds the bytes of a text that is read as a whole.
const MaxText = 64 << 20

// maxInflation bounds how many times as large as its file a text may be that is streamed and
// has more than freeInflation bytes. Traces unpack to 5 to 20 times; jobs that are all alike
// pack 700 times smaller, and take 70 times the memory of their text.
const (
	maxInflation  = 200
	freeInflation = 8 << 20
)

// ErrTooLarge says that a text has more bytes than are read as a whole.
var ErrTooLarge = errors.New("the file is too large")

func tooLarge(most int64) error {
	return fmt.Errorf("%w: at most %d bytes (%d MiB) are read", ErrTooLarge, most, most>>20)
}

const gzipMagic = "\x1f\x8b"

// packers are the other ways to pack a file that are in use, by how it begins; ?
// stands for any byte.
var packers = []struct{ magic, name string }{
	{"PK\x03\x04", "a ZIP archive, as spreadsheets are"},
	{"\x28\xb5\x2f\xfd", "packed with zstd"},
	{"\xfd7zXZ\x00", "packed with xz"},
	{"BZh?1AY&SY", "packed with bzip2"},
	{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"},
	{"Rar!\x1a\x07", "a RAR archive"},
	{"\x04\x22\x4d\x18", "packed with lz4"},
	{"\x1f\x9d", "packed with compress"},
}

// A table in Parquet is a file of its own sort, which the command line takes for a packed
// one.
const (
	parquetMagic = "PAR1"
	asCSV        = "export it as CSV with commas and decimal points"
)

// longestMagic is the length of the longest of them.
const longestMagic = len("BZh?1AY&SY")

// PackedError is of a file that is packed in a way which this program does not unpack.
type PackedError struct {
	How string
	Do  string // what to do about it, "" for to unpack it
}

func (e *PackedError) Error() string {
	return "the file is " + e.How + ": " + cmp.Or(e.Do, "unpack it first")
}

// packedOtherwise refuses a file that begins like one of the packers'.
func packedOtherwise(head []byte) error {
	if begins(head, parquetMagic) {
		return &PackedError{How: "a table in Parquet", Do: asCSV}
	}
	for _, p := range packers {
		if begins(head, p.magic) {
			return &PackedError{How: p.name}
		}
	}
	return nil
}

// Unpacker is another way to pack a file, which a program may add. Errors of its readers
// are shown as they are.
type Unpacker struct {
	Magic string // how files of it begin; ? stands for any byte
	Open  func(io.Reader) (io.Reader, error)
}

var unpackers []Unpacker

// AddUnpacker adds a way to unpack files. It is for initialisation.
func AddUnpacker(u Unpacker) { unpackers = append(unpackers, u) }

// unpackedBy is what the file of a text unpacks to, within its bound.
type unpackedBy struct {
	text *Text
	from io.Reader
	n    int64
	err  error // that ended reading
}

func (u *unpackedBy) Read(buffer []byte) (int, error) {
	if u.err != nil {
		return 0, u.err
	}
	n, err := u.from.Read(buffer)
	u.n += int64(n)
	if beyond := u.text.check(u.n); beyond != nil {
		n, err = 0, beyond
	}
	u.err = err
	return n, err
}

// unpack has an unpacker take the file; it reports whether there is one.
func (t *Text) unpack(head []byte) (taken bool, err error) {
	i := slices.IndexFunc(unpackers, func(u Unpacker) bool { return begins(head, u.Magic) })
	if i < 0 {
		return false, nil
	}
	from, err := unpackers[i].Open(t.text)
	if err != nil {
		return true, err
	}
	unpacked := bufio.NewReaderSize(&unpackedBy{text: t, from: from}, 64<<10)
	t.text = unpacked
	inner, _ := unpacked.Peek(longestMagic)
	if begins(inner, gzipMagic) || packedOtherwise(inner) != nil {
		return true, errors.New("the file is packed twice: unpack it once first")
	}
	t.text = inUTF8(inner, unpacked)
	return true, nil
}

func begins(head []byte, magic string) bool {
	for i := range len(magic) {
		if i == len(head) || magic[i] != '?' && magic[i] != head[i] {
			return false
		}
	}
	return true
}

// Text is the text of a source from its beginning. A file that is packed with
// gzip is unpacked on the way, a piece at a time, and one in UTF-16 becomes UTF-8; lines,
// columns and digests are those of the result.
type Text struct {
	Size int64 // of the file, in bytes; 0: unknown

	file counter
	text io.Reader // nil before the first Read
	most int64     // bytes that a packed file may unpack to; 0: see check
	err  error     // that ended reading
}

// NewText returns the text of a file of size bytes, 0 if that is unknown.
func NewText(file io.Reader, size int64) *Text {
	return &Text{Size: size, file: counter{Reader: file}}
}

// check refuses a packed file that unpacks to so many bytes. Where its size is unknown, it is
// taken for what was read.
func (t *Text) check(unpacked int64) error {
	if t.most > 0 && unpacked > t.most {
		return tooLarge(t.most)
	}
	size := cmp.Or(t.Size, t.file.n)
	if most := max(freeInflation, maxInflation*size); t.most == 0 && unpacked > most {
		return fmt.Errorf("the file has %d bytes and unpacks to more than the limit of %d (%d times its size, at least %d MiB): unpack it yourself if it is right", size, most, maxInflation, freeInflation>>20)
	}
	return nil
}

// Bound bounds a text that is read as a whole.
func (t *Text) Bound() error {
	if t.Size > MaxText {
		return tooLarge(MaxText)
	}
	t.most = MaxText
	return nil
}

// Done returns how many bytes of the file were read.
func (t *Text) Done() int64 { return t.file.n }

// Read implements [io.Reader].
func (t *Text) Read(buffer []byte) (int, error) {
	if t.text == nil && t.err == nil {
		t.err = t.begin()
	}
	if t.err != nil {
		return 0, t.err
	}
	n, err := t.text.Read(buffer)
	t.err = err
	return n, err
}

// begin finds out whether the file is packed.
func (t *Text) begin() error {
	var head [longestMagic]byte
	n, err := io.ReadFull(&t.file, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	t.text = io.MultiReader(bytes.NewReader(head[:n]), &t.file)
	if taken, err := t.unpack(head[:n]); taken {
		return err
	}
	if !begins(head[:n], gzipMagic) {
		t.text = inUTF8(head[:n], t.text)
		return packedOtherwise(head[:n])
	}
	u := &unpacking{packed: packedBytes{Reader: bufio.NewReaderSize(t.text, 64<<10)}}
	if u.unpacked, err = gzip.NewReader(&u.packed); err != nil {
		return u.explain(err)
	}
	u.unpacked.Multistream(false)
	unpacked := bufio.NewReader(&unpackedBy{text: t, from: u})
	t.text = unpacked
	// An error comes again behind what there is.
	inner, _ := unpacked.Peek(longestMagic)
	if begins(inner, gzipMagic) {
		return errors.New("the file is compressed with gzip twice: unpack it once first")
	}
	if err := packedOtherwise(inner); err != nil {
		return fmt.Errorf("within gzip, %w", err)
	}
	t.text = inUTF8(inner, unpacked)
	return nil
}

// unpacking is what a file of gzip unpacks to.
type unpacking struct {
	packed   packedBytes
	unpacked *gzip.Reader // of one of the parts of the file
	err      error        // that ended reading
}

func (u *unpacking) Read(buffer []byte) (n int, err error) {
	for n == 0 && u.err == nil && len(buffer) > 0 { // a part may be empty
		n, err = u.unpacked.Read(buffer)
		if err == io.EOF {
			err = u.nextPart()
		}
		u.err = u.explain(err)
	}
	return n, u.err
}

// nextPart goes on to what follows a part: another one, as cat makes of several files,
// or the zeros that fill a tape.
func (u *unpacking) nextPart() error {
	zeros := false
	for {
		head, err := u.packed.Peek(len(gzipMagic))
		switch {
		case len(head) == 0 || err != nil && err != io.EOF:
			return err
		case head[0] == 0:
			zeros = true
			u.packed.ReadByte()
		case !zeros && begins(head, gzipMagic):
			err := u.unpacked.Reset(&u.packed)
			u.unpacked.Multistream(false)
			return err
		default:
			return fmt.Errorf("the gzip file has other data after its end at byte %d: remove that data", u.packed.n+1)
		}
	}
}

// explain says of an error of package gzip what it means, and at which byte of
// the file it is.
func (u *unpacking) explain(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the gzip file is cut off after %d bytes: copy it again as a whole", u.packed.n)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		return fmt.Errorf("the gzip file is damaged before byte %d and cannot be unpacked: copy it again", u.packed.n)
	}
	return err
}

// packedBytes counts the bytes that are unpacked. Since it reads single ones,
// package gzip takes no more than it needs.
type packedBytes struct {
	*bufio.Reader
	n int64
}

func (p *packedBytes) ReadByte() (byte, error) {
	b, err := p.Reader.ReadByte()
	if err == nil {
		p.n++
	}
	return b, err
}

func (p *packedBytes) Read(buffer []byte) (int, error) {
	n, err := p.Reader.Read(buffer)
	p.n += int64(n)
	return n, err
}

// TextOf returns the text of a file, which may be packed, within the budget of a load.
func TextOf(ctx context.Context, file File, b *budget.Budget) ([]byte, error) {
	room := b.Room(budget.Unpacked)
	if int64(file.Size()) > room {
		return nil, tooLarge(room)
	}
	text, err := file.Bytes(ctx)
	if err == nil {
		text, err = Unpack(text, int(room))
	}
	if err == nil {
		err = b.Take(budget.Unpacked, len(text))
	}
	return text, err
}

// Unpack returns the text of a file that is in memory. It fails with
// ErrTooLarge if it is packed and unpacks to more than most bytes.
func Unpack(file []byte, most int) ([]byte, error) {
	t := NewText(bytes.NewReader(file), int64(len(file)))
	t.most = int64(most)
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
