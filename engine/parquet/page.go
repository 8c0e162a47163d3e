package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

const (
	maxPage = 64 << 20  // bytes of a page
	maxLive = 256 << 20 // bytes of the pages and dictionaries of all columns
	maxText = 64 << 10  // bytes of a cell
	maxRun  = 1 << 22   // texts of a page whose lengths come first
)

// chunk is a column in a group of rows, read from the front.
type chunk struct {
	table  *table
	column *column
	codec  int64
	data   []byte // the pages that are left

	dictionary []byte
	texts      []uint32 // of a dictionary of texts: where each begins, after its length

	page   []byte
	left   int64   // rows of the page
	levels *hybrid // says which values are there, nil of all
	next   func() (value, error)
}

// value is a number or a text.
type value struct {
	number int64
	text   []byte
}

// cell appends the text of the next value, nothing for one that is missing.
func (c *chunk) cell(to []byte) ([]byte, error) {
	for c.left == 0 {
		if err := c.load(); err != nil {
			return to, err
		}
	}
	c.left--
	if c.levels != nil {
		if level, err := c.levels.next(); level == 0 || err != nil {
			return to, damagedIf(err)
		}
	}
	v, err := c.next()
	if err != nil {
		return to, damagedIf(err)
	}
	if len(v.text) > maxText {
		return to, fmt.Errorf("a value has %d bytes, more than %d", len(v.text), maxText)
	}
	return c.column.append(to, v), nil
}

func damagedIf(err error) error {
	if err != nil {
		err = damaged(err)
	}
	return err
}

// The sorts of pages.
const (
	dataPage       = 0
	indexPage      = 1
	dictionaryPage = 2
	dataPageV2     = 3
)

// load reads the next page.
func (c *chunk) load() error {
	t := thrift{data: c.data}
	head := t.structure(0)
	packed, size := head.field(3).number, head.field(2).number
	if t.err != nil || packed < 0 || packed > int64(len(t.data)) || size < 0 {
		return ErrDamaged
	}
	body := t.data[:packed]
	c.data = t.data[packed:]
	if size > maxPage {
		return fmt.Errorf("a page has %d bytes, more than %d (%d MiB): write smaller pages", size, maxPage, maxPage>>20)
	}
	switch head.field(1).number {
	case dictionaryPage:
		text, err := c.unpack(body, int(size))
		if err != nil {
			return err
		}
		return c.setDictionary(text, head.field(7).field(1).number)
	case dataPage:
		text, err := c.unpack(body, int(size))
		if err != nil {
			return err
		}
		return c.begin(text, head.field(5))
	case dataPageV2:
		return c.beginV2(body, int(size), head.field(8))
	case indexPage:
		return nil
	}
	return ErrDamaged
}

// hold counts the bytes that a column keeps in place of others.
func (c *chunk) hold(more, less int) error {
	if c.table.live += more - less; c.table.live > maxLive {
		return fmt.Errorf("the pages of all columns have more than %d bytes (%d MiB): write smaller pages", maxLive, maxLive>>20)
	}
	return nil
}

// unpack returns the size bytes of a page.
func (c *chunk) unpack(body []byte, size int) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	var text []byte
	var err error
	switch c.codec {
	case 0:
		text = body
	case 1:
		if n, e := s2.DecodedLen(body); e != nil || n != size {
			return nil, ErrDamaged
		}
		text, err = s2.Decode(nil, body)
	case 2:
		text, err = unzip(body, size)
	case 6:
		text, err = unzst(body, size)
	default:
		names := []string{3: "LZO", 4: "Brotli", 5: "LZ4", 7: "LZ4"}
		if c.codec < 0 || c.codec >= int64(len(names)) {
			return nil, ErrDamaged
		}
		return nil, fmt.Errorf("it is packed with %s: write the file with Zstandard, gzip or Snappy", names[c.codec])
	}
	if err != nil || len(text) != size {
		return nil, ErrDamaged
	}
	return text, nil
}

func unzip(body []byte, size int) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, int64(size)+1))
}

func unzst(body []byte, size int) ([]byte, error) {
	r, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxPage), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, int64(size)+1))
}

// setDictionary takes the values that pages name by their numbers.
func (c *chunk) setDictionary(text []byte, count int64) error {
	c.texts = nil
	if width := c.column.width; width > 0 {
		if count < 0 || count > int64(len(text)/width) {
			return ErrDamaged
		}
	} else {
		for at := 0; at < len(text) && int64(len(c.texts)) < count; {
			n, err := lengthAt(text[at:])
			if err != nil {
				return ErrDamaged
			}
			c.texts = append(c.texts, uint32(at))
			at += 4 + n
		}
	}
	err := c.hold(len(text), len(c.dictionary))
	c.dictionary = text
	return err
}

// lengthAt reads the length of a text that follows it.
func lengthAt(data []byte) (int, error) {
	if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return 0, errValues
	}
	return int(binary.LittleEndian.Uint32(data)), nil
}

// begin begins a page of the first version: which values are there, and these.
func (c *chunk) begin(text []byte, head *node) error {
	values := text
	c.levels = nil
	if c.column.optional {
		n, err := lengthAt(text)
		if err != nil || head.field(3).number != rle {
			return ErrDamaged
		}
		c.levels = &hybrid{data: text[4 : 4+n], width: 1}
		values = text[4+n:]
	}
	return c.values(text, values, head.field(1).number, head.field(2).number)
}

// beginV2 begins a page of the second version, whose levels are never packed.
func (c *chunk) beginV2(body []byte, size int, head *node) error {
	repetitions, levels := head.field(6).number, head.field(5).number
	if repetitions != 0 || levels < 0 || levels > int64(min(len(body), size)) {
		return ErrDamaged
	}
	c.levels = nil
	if c.column.optional {
		c.levels = &hybrid{data: body[:levels], width: 1}
	}
	values, err := body[levels:], error(nil)
	if !head.has(7) || head.field(7).number == 1 {
		if values, err = c.unpack(values, size-int(levels)); err != nil {
			return err
		}
	}
	return c.values(values, values, head.field(1).number, head.field(4).number)
}

// The encodings of values.
const (
	plain           = 0
	plainDictionary = 2
	rle             = 3
	deltaNumbers    = 5
	deltaLengths    = 6
	deltaTexts      = 7
	rleDictionary   = 8
	splitBytes      = 9
)

// values begins to read the values of a page.
func (c *chunk) values(page, values []byte, rows, encoding int64) error {
	if rows < 0 {
		return ErrDamaged
	}
	if err := c.hold(len(page), len(c.page)); err != nil {
		return err
	}
	c.page, c.left = page, rows
	var err error
	switch {
	case encoding == plain:
		c.next = c.column.plain(values)
	case encoding == plainDictionary || encoding == rleDictionary:
		c.next, err = c.named(values)
	case encoding == rle && c.column.physical == boolean:
		var n int
		if n, err = lengthAt(values); err == nil {
			c.next = numbers(&hybrid{data: values[4 : 4+n], width: 1})
		}
	case encoding == deltaNumbers && (c.column.physical == int32s || c.column.physical == int64s):
		var d *deltas
		if d, err = newDeltas(values); err == nil {
			c.next = func() (value, error) {
				n, err := d.next()
				return value{number: n}, err
			}
		}
	case encoding == deltaLengths && c.column.physical == byteArrays:
		c.next, err = counted(values)
	case encoding == deltaTexts && c.column.physical == byteArrays:
		c.next, err = continued(values)
	case encoding == splitBytes && c.column.width > 0:
		c.next = c.column.split(values)
	default:
		return fmt.Errorf("encoding %d is not read: write the file with dictionaries or plainly", encoding)
	}
	return damagedIf(err)
}

func numbers(h *hybrid) func() (value, error) {
	return func() (value, error) {
		n, err := h.next()
		return value{number: int64(n)}, err
	}
}

// named reads values by their numbers in the dictionary.
func (c *chunk) named(values []byte) (func() (value, error), error) {
	if len(values) == 0 || values[0] > 32 {
		return nil, errValues
	}
	index := &hybrid{data: values[1:], width: int(values[0])}
	return func() (value, error) {
		i, err := index.next()
		if err != nil {
			return value{}, err
		}
		if width := c.column.width; width > 0 {
			if i >= uint64(len(c.dictionary)/width) {
				return value{}, errors.New("a value is not in the dictionary")
			}
			return c.column.fixed(c.dictionary[int(i)*width:][:width]), nil
		}
		if i >= uint64(len(c.texts)) {
			return value{}, errors.New("a value is not in the dictionary")
		}
		from := c.dictionary[c.texts[i]:]
		return value{text: from[4:][:binary.LittleEndian.Uint32(from)]}, nil
	}, nil
}

// lengths reads the lengths that come before texts, and returns what follows.
func lengths(data []byte) (all []int, rest []byte, err error) {
	d, err := newDeltas(data)
	if err != nil {
		return nil, nil, err
	}
	if d.left > maxRun {
		return nil, nil, fmt.Errorf("a page has %d texts, more than %d", d.left, maxRun)
	}
	for d.left > 0 {
		n, err := d.next()
		if err != nil || n < 0 || n > int64(maxPage) {
			return nil, nil, errValues
		}
		all = append(all, int(n))
	}
	return all, d.data, nil
}

// counted reads texts whose lengths come first (DELTA_LENGTH_BYTE_ARRAY).
func counted(data []byte) (func() (value, error), error) {
	sizes, rest, err := lengths(data)
	return func() (value, error) {
		if len(sizes) == 0 || sizes[0] > len(rest) {
			return value{}, errValues
		}
		text := rest[:sizes[0]]
		sizes, rest = sizes[1:], rest[sizes[0]:]
		return value{text: text}, nil
	}, err
}

// continued reads texts that begin like the one before (DELTA_BYTE_ARRAY).
func continued(data []byte) (func() (value, error), error) {
	same, rest, err := lengths(data)
	if err != nil {
		return nil, err
	}
	next, err := counted(rest)
	var last []byte
	return func() (value, error) {
		more, err := next()
		if err != nil || len(same) == 0 || same[0] > len(last) || same[0] > maxText {
			return value{}, errValues
		}
		last = append(slices.Clip(last[:same[0]]), more.text...)
		same = same[1:]
		return value{text: last}, nil
	}, err
}
