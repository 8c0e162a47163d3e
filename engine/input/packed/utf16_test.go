package packed_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"berth/engine/input/packed"
)

// A text in UTF-16 is read as the same text in UTF-8, packed or not, in pieces of any size.
func TestUTF16(t *testing.T) {
	for _, text := range []string{"", "kind: List\r\n", "Grüße, 世界 und 🚀\n", strings.Repeat("🚀x", 20_000), "x" + strings.Repeat("🚀", 20_000)} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			file := order.AppendUint16(nil, 0xfeff)
			for _, unit := range utf16.Encode([]rune(text)) {
				file = order.AppendUint16(file, unit)
			}
			var zipped bytes.Buffer
			w := gzip.NewWriter(&zipped)
			w.Write(file)
			w.Close()
			for name, data := range map[string][]byte{"plain": file, "packed": zipped.Bytes()} {
				got, err := packed.Unpack(data, 1<<20)
				if err != nil || string(got) != text {
					t.Errorf("%s, %v: %d bytes of %.20q are %d of %.20q: %v", name, order, len(text), text, len(got), got, err)
				}
				if err := iotest.TestReader(packed.NewText(bytes.NewReader(data), 1<<20), []byte(text)); err != nil && len(text) < 100 {
					t.Errorf("%s, %v: %.20q: %v", name, order, text, err)
				}
			}
		}
	}
	if _, err := packed.Unpack([]byte("\xff\xfea\x00b"), 1<<20); err == nil || !strings.Contains(err.Error(), "ends within a character") {
		t.Error(err)
	}
}
