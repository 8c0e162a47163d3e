package parquet

import (
	"encoding/binary"
	"errors"
)

var errValues = errors.New("a page has fewer values than it says")

// bitsAt returns the number of width bits, at most 64, at a bit of little-endian data.
func bitsAt(data []byte, at, width int) (uint64, error) {
	if at+width > 8*len(data) {
		return 0, errValues
	}
	n := uint64(0)
	for have := 0; have < width; {
		low := (at + have) & 7
		n |= uint64(data[(at+have)>>3]>>low) << have
		have += 8 - low
	}
	if width < 64 {
		n &= 1<<width - 1
	}
	return n, nil
}

// hybrid reads numbers that are run-length encoded or bit-packed (RLE in the
// specification).
type hybrid struct {
	data   []byte
	width  int
	run    uint64 // how often value comes
	value  uint64
	packed int // numbers of a group of bit-packed ones
	at     int // the bit of the next of those
}

func (h *hybrid) next() (uint64, error) {
	for {
		switch {
		case h.run > 0:
			h.run--
			return h.value, nil
		case h.packed > 0:
			n, err := bitsAt(h.data, h.at, h.width)
			h.at += h.width
			if h.packed--; h.packed == 0 {
				h.data = h.data[min((h.at+7)/8, len(h.data)):]
			}
			return n, err
		}
		head, size := binary.Uvarint(h.data)
		if size <= 0 {
			return 0, errValues
		}
		h.data = h.data[size:]
		if head&1 == 1 {
			if head>>1 > uint64(len(h.data)) {
				return 0, errValues
			}
			h.packed, h.at = 8*int(head>>1), 0
			continue
		}
		bytes := (h.width + 7) / 8
		if len(h.data) < bytes {
			return 0, errValues
		}
		h.run, h.value = head>>1, 0
		for i := range bytes {
			h.value |= uint64(h.data[i]) << (8 * i)
		}
		h.data = h.data[bytes:]
	}
}

// deltas reads numbers as differences (DELTA_BINARY_PACKED in the specification).
type deltas struct {
	data   []byte
	each   int // numbers of a miniblock
	left   int // numbers in all
	first  bool
	last   int64
	least  int64  // difference of the block
	widths []byte // of the miniblocks to come
	count  int    // of miniblocks of a block
	bits   []byte
	in     int // numbers left of the miniblock
	at     int
}

// maxBlock bounds the numbers of a block, which are usually 128.
const maxBlock = 1 << 16

func newDeltas(data []byte) (*deltas, error) {
	t := thrift{data: data}
	block, minis, total := t.unsigned(), t.unsigned(), t.unsigned()
	d := &deltas{first: true, last: t.integer()}
	if t.err != nil || block == 0 || block > maxBlock || minis == 0 || block%(8*minis) != 0 || total > 1<<40 {
		return nil, errValues
	}
	d.data, d.each, d.count, d.left = t.data, int(block/minis), int(minis), int(total)
	return d, nil
}

func (d *deltas) next() (int64, error) {
	if d.left == 0 {
		return 0, errValues
	}
	d.left--
	if d.first {
		d.first = false
		return d.last, nil
	}
	if d.in == 0 {
		if err := d.miniblock(); err != nil {
			return 0, err
		}
	}
	width := int(d.widths[0])
	n, err := bitsAt(d.bits, d.at, width)
	d.at += width
	if d.in--; d.in == 0 {
		d.widths = d.widths[1:]
	}
	d.last += d.least + int64(n)
	return d.last, err
}

// miniblock begins the next of them, and a block if it is the first.
func (d *deltas) miniblock() error {
	t := thrift{data: d.data}
	if len(d.widths) == 0 {
		d.least = t.integer()
		d.widths = t.take(d.count)
		if t.err != nil {
			return errValues
		}
	}
	width := int(d.widths[0])
	if width > 64 {
		return errValues
	}
	d.in, d.at = d.each, 0
	d.bits = t.take(min(d.each*width/8, len(t.data)))
	d.data = t.data
	return nil
}
