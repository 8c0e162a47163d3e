package packed

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"berth/engine/budget"
)

// MaxText is the maximum size in bytes of a text that is read as a whole.
const MaxText = 64 << 20

// maxInflation limits the size of a streamed text to a multiple of the size of its file. The limit
// applies above freeInflation bytes. Traces unpack to 5 to 20 times their size. Without a limit, a
// file of identical jobs, which compresses 700 times better and needs 70 times the text's size in
// memory, could exhaust the memory.
const (
	maxInflation  = 200
	freeInflation = 8 << 20
)

// ErrTooLarge means that a text is too large to be read as a whole.
var ErrTooLarge = errors.New("the file is too large")

func tooLarge(most int64) error {
	return fmt.Errorf("%w: at most %d bytes (%d MiB) are read", ErrTooLarge, most, most>>20)
}

// Magic bytes at the beginning of files; ? matches any byte.
const (
	Zip          = "PK\x03\x04"
	zstdMagic    = "\x28\xb5\x2f\xfd"
	xzMagic      = "\xfd7zXZ\x00"
	bzip2Magic   = "BZh?1AY&SY"
	gzipMagic    = "\x1f\x8b"
	Parquet      = "PAR1"
	longestMagic = len(bzip2Magic)
)

// packer is a compression or archive format. The errors of its readers reach the user unchanged.
type packer struct {
	magic string // the first bytes of its files
	formatError
	open func(io.Reader) (io.Reader, error) // nil if this program cannot decompress such files
}

// packers lists the common formats. Parquet is one of them, although it is a table format, because
// only the command line can read it.
var packers = []packer{
	{gzipMagic, formatError{}, gunzip},
	{Zip, formatError{}, explained(only)},
	{zstdMagic, formatError{}, explained(zst)},
	{xzMagic, formatError{}, explained(unxz)},
	{bzip2Magic, formatError{}, explained(func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil })},
	{"7z\xbc\xaf\x27\x1c", formatError{How: "a 7-Zip archive"}, nil},
	{"Rar!\x1a\x07", formatError{How: "a RAR archive"}, nil},
	{"\x04\x22\x4d\x18", formatError{How: "packed with lz4"}, nil},
	{"\x1f\x9d", formatError{How: "packed with compress"}, nil},
	{Parquet, formatError{"a table in Parquet", "export it as CSV with commas and decimal points"}, nil},
}

// packerOf returns the format of a file with this beginning, or nil if the file is not compressed.
func packerOf(head []byte) *packer {
	if i := slices.IndexFunc(packers, func(p packer) bool { return Begins(head, p.magic) }); i >= 0 {
		return &packers[i]
	}
	return nil
}

// Add sets the decompressor for files with the given magic bytes. Only init functions may call it.
func Add(magic string, open func(io.Reader) (io.Reader, error)) { packerOf([]byte(magic)).open = open }

// formatError reports a file in a format that this program cannot decompress.
type formatError struct {
	How string // description of the format: "packed with xz"
	Do  string // advice for the user; "": unpack it
}

func (e *formatError) Error() string {
	return "the file is " + e.How + ": " + cmp.Or(e.Do, "unpack it first")
}

// Addable reports whether a file has a format, other than gzip, that this program can decompress.
func Addable(head []byte) bool {
	p := packerOf(head)
	return p != nil && p.open != nil && p.magic != gzipMagic
}

// Begins reports whether a file begins with the magic bytes.
func Begins(head []byte, magic string) bool {
	for i := range len(magic) {
		if i == len(head) || magic[i] != '?' && magic[i] != head[i] {
			return false
		}
	}
	return true
}

// Text is the text of a file. Reading it decompresses and decodes the file, from the beginning.
// Lines, columns and digests refer to the resulting UTF-8.
type Text struct {
	Size int64 // size of the file in bytes; 0 if unknown

	file counter
	text io.Reader // nil before the first Read
	most int64     // limit of the unpacked size in bytes; 0: see check
	from counter   // decompressed bytes of a compressed file
	err  error     // the error that ended reading
}

// NewText returns the text of a file of size bytes; 0 means unknown.
func NewText(file io.Reader, size int64) *Text {
	return &Text{Size: size, file: counter{Reader: file}}
}

// check returns an error if a packed file has unpacked to too many bytes. If the size of
// the file is unknown, it uses the number of bytes read so far.
func (t *Text) check() error {
	if t.most > 0 && t.from.n > t.most {
		return tooLarge(t.most)
	}
	size := cmp.Or(t.Size, t.file.n)
	if most := max(freeInflation, maxInflation*size); t.most == 0 && t.from.n > most {
		return fmt.Errorf("the file has %d bytes and unpacks to more than the limit of %d (%d times its size, at least %d MiB): unpack it yourself if it is right", size, most, maxInflation, freeInflation>>20)
	}
	return nil
}

// Bound limits the text to [MaxText] bytes, for a caller that reads it as a whole. It returns
// ErrTooLarge if the file is already larger.
func (t *Text) Bound() error {
	if t.Size > MaxText {
		return tooLarge(MaxText)
	}
	t.most = MaxText
	return nil
}

// Done returns the number of bytes of the file that were read.
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
	if beyond := t.check(); beyond != nil {
		n, err = 0, beyond
	}
	t.err = err
	return n, err
}

// begin detects the compression format and the encoding.
func (t *Text) begin() error {
	var start [longestMagic]byte
	n, err := io.ReadFull(&t.file, start[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	head := start[:n]
	t.text = io.MultiReader(bytes.NewReader(head), &t.file)
	p := packerOf(head)
	switch {
	case p == nil:
		t.text = inUTF8(head, t.text)
		return nil
	case p.open == nil:
		return &p.formatError
	}
	from, err := p.open(t.text)
	if err != nil {
		return err
	}
	t.from.Reader = from
	unpacked := bufio.NewReaderSize(&t.from, 64<<10)
	inner, _ := unpacked.Peek(longestMagic) // an error occurs again when the text is read
	switch p := packerOf(inner); {
	case p == nil:
	case p.magic == Parquet:
		return &p.formatError
	default:
		return errors.New("the file is packed twice: unpack it once first")
	}
	t.text = inUTF8(inner, unpacked)
	return nil
}

// gunzip decompresses all members of a gzip file.
func gunzip(file io.Reader) (io.Reader, error) {
	u := &unpacking{packed: packedBytes{Reader: bufio.NewReaderSize(file, 64<<10)}}
	var err error
	if u.unpacked, err = gzip.NewReader(&u.packed); err != nil {
		return nil, u.explain(err)
	}
	u.unpacked.Multistream(false)
	return u, nil
}

// unpacking decompresses a gzip file.
type unpacking struct {
	packed   packedBytes
	unpacked *gzip.Reader // the current member
	err      error        // the error that ended reading
}

func (u *unpacking) Read(buffer []byte) (n int, err error) {
	for n == 0 && u.err == nil && len(buffer) > 0 { // a member may be empty
		n, err = u.unpacked.Read(buffer)
		if err == io.EOF {
			err = u.nextPart()
		}
		u.err = u.explain(err)
	}
	return n, u.err
}

// nextPart continues after a member: with another member, as in concatenated files, or with zeros
// that pad a tape archive.
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
		case !zeros && Begins(head, gzipMagic):
			err := u.unpacked.Reset(&u.packed)
			u.unpacked.Multistream(false)
			return err
		default:
			return fmt.Errorf("the gzip file has other data after its end at byte %d: remove that data", u.packed.n+1)
		}
	}
}

// explain translates the errors of package gzip and adds the position in the file.
func (u *unpacking) explain(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the gzip file is cut off after %d bytes: copy it again as a whole", u.packed.n)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		return fmt.Errorf("the gzip file is damaged before byte %d and cannot be unpacked: copy it again", u.packed.n)
	}
	return err
}

// packedBytes counts the bytes that package gzip has consumed. It implements [io.ByteReader], so
// that gzip does not read ahead.
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

// File is a file whose bytes are read on demand.
type File interface {
	Size() int
	Bytes(context.Context) ([]byte, error)
}

// TextOf returns the decompressed text of a file within the budget b.
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

// Unpack returns the decompressed text of a file in memory. It fails with ErrTooLarge if a
// compressed file has more than most bytes of text.
func Unpack(file []byte, most int) ([]byte, error) {
	t := NewText(bytes.NewReader(file), int64(len(file)))
	t.most = int64(most)
	return io.ReadAll(t)
}

// counter counts the bytes read and keeps the error that ended reading.
type counter struct {
	io.Reader
	n   int64
	err error
}

func (c *counter) Read(buffer []byte) (n int, err error) {
	if c.err == nil {
		n, c.err = c.Reader.Read(buffer)
		c.n += int64(n)
	}
	return n, c.err
}

// AsText converts the bytes of a file to a text. An empty file becomes a newline, so that
// its reader reports the error.
func AsText(data []byte) string { return cmp.Or(string(data), "\n") }

// FilesOf returns the files of an archive, without folders and without the files that
// systems hide in archives.
func FilesOf(archive *zip.Reader) []*zip.File {
	return slices.DeleteFunc(slices.Clone(archive.File), func(f *zip.File) bool {
		return f.FileInfo().IsDir() || strings.HasPrefix(f.Name, "__MACOSX/") || strings.HasPrefix(path.Base(f.Name), ".")
	})
}
