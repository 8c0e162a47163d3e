package packed

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

func unxz(r io.Reader) (io.Reader, error) {
	unpacked, err := xz.NewReader(&xzFile{in: bufio.NewReaderSize(r, 64<<10)})
	return unpacked, explain(err)
}

// xzFile checks the block headers of an xz file before the library decompresses the blocks. The
// library allocates the dictionary that a header requests, up to 4 GiB. xzFile detects headers by
// the library's read calls: it first reads one byte, the length of the header, and then the rest,
// which ends with a checksum.
type xzFile struct {
	in       *bufio.Reader
	position int64
	named    int64 // total size of all dictionaries so far, in bytes
	last     byte  // the byte from the latest read of a single byte
}

// Read implements [io.Reader].
func (x *xzFile) Read(b []byte) (int, error) {
	n, err := io.ReadFull(x.in, b)
	x.position += int64(n)
	switch {
	case err == io.EOF && len(b) == 1: // the file is cut off within a stream; the library would treat io.EOF as its regular end
		err = io.ErrUnexpectedEOF
	case err != nil:
	case n == 1:
		x.last = b[0]
	case n > 4 && n == 4*int(x.last)+3:
		header, sum := append([]byte{x.last}, b[:n-4]...), b[n-4:n]
		if crc32.ChecksumIEEE(header) == binary.LittleEndian.Uint32(sum) {
			if err := x.check(header); err != nil {
				return 0, err
			}
		}
	}
	return n, err
}

// check validates a block header: its length, its flags, up to two optional sizes, and the filters.
func (x *xzFile) check(header []byte) error {
	flags, filter := header[1], header[2:]
	for _, present := range []byte{0x40, 0x80} {
		if flags&present != 0 {
			_, n := binary.Uvarint(filter)
			filter = filter[max(n, 0):]
		}
	}
	if flags&3 != 0 || !bytes.HasPrefix(filter, []byte{0x21, 1}) || len(filter) < 3 {
		return &formatError{How: "packed with xz and another filter than LZMA2"}
	}
	size, err := lzma.DecodeDictCap(filter[2])
	switch x.named += size; {
	case err != nil:
		return err
	case size > maxWindow:
		return &formatError{How: fmt.Sprintf("packed with xz and a dictionary of %d MiB, more than %d", size>>20, maxWindow>>20)}
	case x.named > 8*maxWindow+1000*x.position:
		return &formatError{How: "packed with xz in many small blocks with a large dictionary each"}
	}
	return nil
}
