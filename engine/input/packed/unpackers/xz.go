package unpackers

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"slices"

	"github.com/ulikunitz/xz/lzma"

	"berth/engine/input/packed"
)

// The sorts of checksums of blocks.
const (
	noSum     = 0
	crc32Sum  = 1
	crc64Sum  = 4
	sha256Sum = 10
)

// xzFile reads the file format xz 1.2.1: streams of blocks in LZMA2, each with a checksum,
// and after them an index. The library's own reader of it allocates the dictionary that the
// header of a block names, up to 4 GiB; here the header is checked first. The index is
// not needed to read on, and is skipped.
type xzFile struct {
	in       *bufio.Reader
	position int64

	within bool      // a stream
	flags  [2]byte   // of the stream: the sort of checksum is in the second
	blocks uint64    // of the stream
	block  io.Reader // nil between two
	sum    hash.Hash // of the block
	named  int64     // bytes of all dictionaries
}

func unxz(r io.Reader) (io.Reader, error) {
	return &xzFile{in: bufio.NewReaderSize(r, 64<<10)}, nil
}

// Read implements [io.Reader].
func (x *xzFile) Read(buffer []byte) (n int, err error) {
	for n == 0 && err == nil && len(buffer) > 0 {
		if x.block == nil {
			err = x.next()
			continue
		}
		n, err = x.block.Read(buffer)
		x.sum.Write(buffer[:n])
		if err == io.EOF {
			x.block, err = nil, cutOff(x.checked())
		}
	}
	return n, err
}

// packedBytes are those that LZMA2 is read from.
type packedBytes struct{ *xzFile }

func (p packedBytes) Read(buffer []byte) (int, error) {
	n, err := p.in.Read(buffer)
	p.position += int64(n)
	return n, err
}

// take returns the next n bytes of the file.
func (x *xzFile) take(n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(packedBytes{x}, b)
	return b, err
}

// align takes zeros up to a multiple of four bytes.
func (x *xzFile) align() error {
	zeros, err := x.take(int(-x.position & 3))
	if err == nil && slices.ContainsFunc(zeros, func(b byte) bool { return b != 0 }) {
		err = errors.New("there are other bytes than zeros in a padding")
	}
	return err
}

// cutOff is the error of a file that ends within something.
func cutOff(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// next begins the next block. It returns [io.EOF] at the end of the file.
func (x *xzFile) next() error {
	if !x.within {
		return x.stream()
	}
	size, err := x.take(1)
	switch {
	case err != nil:
		return cutOff(err)
	case size[0] == 0:
		return cutOff(x.index())
	}
	rest, err := x.take(4*int(size[0]) + 3)
	if err != nil {
		return cutOff(err)
	}
	header, sum := split(append(size, rest...), 4)
	if crc32.ChecksumIEEE(header) != binary.LittleEndian.Uint32(sum) {
		return errors.New("the checksum of the header of a block is wrong")
	}
	return x.begin(header)
}

// split returns a text without its last n bytes, and those.
func split(b []byte, n int) (before, last []byte) { return b[:len(b)-n], b[len(b)-n:] }

// stream reads the header of a stream, which zeros may come before: a magic number, flags
// and their checksum.
func (x *xzFile) stream() error {
	magic, err := x.take(4)
	if err != nil || x.position > 4 && string(magic) == "\x00\x00\x00\x00" {
		return err
	}
	rest, err := x.take(8)
	if err != nil {
		return cutOff(err)
	}
	header, sum := split(append(magic, rest...), 4)
	header, flags := split(header, 2)
	if string(header) != packed.Xz || crc32.ChecksumIEEE(flags) != binary.LittleEndian.Uint32(sum) {
		return errors.New("the header of a stream is wrong")
	}
	x.within, x.blocks, x.flags = true, 0, [2]byte(flags)
	switch flags[1] {
	case noSum, crc32Sum:
		x.sum = crc32.NewIEEE()
	case crc64Sum:
		x.sum = crc64.New(crc64.MakeTable(crc64.ECMA))
	case sha256Sum:
		x.sum = sha256.New()
	default:
		return &packed.FormatError{How: "packed with xz and a checksum of another sort than CRC32, CRC64 and SHA-256"}
	}
	return nil
}

// begin begins the block with this header: flags, up to two lengths, and the filters.
func (x *xzFile) begin(header []byte) error {
	flags, filter := header[1], header[2:]
	for _, present := range []byte{0x40, 0x80} {
		if flags&present != 0 {
			_, n := binary.Uvarint(filter)
			filter = filter[max(n, 0):]
		}
	}
	if flags&3 != 0 || !bytes.HasPrefix(filter, []byte{0x21, 1}) || len(filter) < 3 {
		return &packed.FormatError{How: "packed with xz and another filter than LZMA2"}
	}
	size, err := lzma.DecodeDictCap(filter[2])
	switch x.named += size; {
	case err != nil:
		return err
	case size > maxWindow:
		return &packed.FormatError{How: fmt.Sprintf("packed with xz and a dictionary of %d MiB, more than %d", size>>20, maxWindow>>20)}
	case x.named > 8*maxWindow+1000*x.position:
		return &packed.FormatError{How: "packed with xz in many small blocks with a large dictionary each"}
	}
	x.blocks++
	x.sum.Reset()
	x.block, err = lzma.Reader2Config{DictCap: int(size)}.NewReader2(packedBytes{x})
	return cutOff(err)
}

// checked reads the checksum of a block that has ended.
func (x *xzFile) checked() error {
	if err := x.align(); err != nil || x.flags[1] == noSum {
		return err
	}
	want, err := x.take(x.sum.Size())
	if err != nil {
		return err
	}
	got := x.sum.Sum(nil)
	if x.flags[1] != sha256Sum { // CRCs have the lowest byte first
		slices.Reverse(got)
	}
	if !bytes.Equal(got, want) {
		return errors.New("the checksum of a block is wrong")
	}
	return nil
}

// index skips the lengths of all blocks, and reads the footer, which ends a stream.
func (x *xzFile) index() error {
	records, err := x.number()
	if err == nil && records != x.blocks {
		return errors.New("the index has another number of blocks than the file")
	}
	for range 2 * records {
		if err == nil {
			_, err = x.number()
		}
	}
	if err == nil {
		err = x.align()
	}
	if err != nil {
		return err
	}
	footer, err := x.take(4 + 12) // a checksum before it
	if err != nil {
		return err
	}
	if string(footer[12:]) != string(x.flags[:])+"YZ" {
		return errors.New("the end of a stream is wrong")
	}
	x.within = false
	return nil
}

// number reads one of seven bits a byte.
func (x *xzFile) number() (uint64, error) {
	var text []byte
	for len(text) < binary.MaxVarintLen64 {
		b, err := x.take(1)
		if err != nil {
			return 0, err
		}
		if text = append(text, b...); b[0] < 0x80 {
			number, _ := binary.Uvarint(text)
			return number, nil
		}
	}
	return 0, errors.New("a number is too long")
}
