package packed_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"berth/engine/input/packed"
	"berth/engine/must"
	"berth/engine/scenario/scenariotest"
)

func TestTextIsUnpacked(t *testing.T) {
	long := strings.Repeat("a line of a trace\n", 100_000)
	one, little, nothing := scenariotest.Packed(long), scenariotest.Packed("ab"), scenariotest.Packed("")
	damaged := bytes.Clone(one)
	damaged[len(damaged)-6]++ // in the checksum
	wrong := bytes.Clone(one)
	for i := 12; i < 40; i++ {
		wrong[i] = 0xff
	}
	var parts []byte // like the output of cat for several files
	for part := range 3 {
		parts = append(parts, scenariotest.Packed(fmt.Sprintln("part", part))...)
	}
	gone := errors.New("the file has gone")
	for _, test := range []struct {
		name string
		file io.Reader
		size int
		want string
		err  string
	}{
		{"plain", strings.NewReader(long), len(long), long, ""},
		{"empty", strings.NewReader(""), 0, "", ""},
		{"one byte", strings.NewReader("\x1f"), 1, "\x1f", ""},
		{"packed", bytes.NewReader(one), len(one), long, ""},
		{"packed, a byte at a time", iotest.OneByteReader(bytes.NewReader(parts)), len(parts), "part 0\npart 1\npart 2\n", ""},
		{"nothing packed", bytes.NewReader(nothing), len(nothing), "", ""},
		{"cut off", bytes.NewReader(one[:len(one)-1]), len(one) - 1, long, fmt.Sprintf("cut off after %d bytes", len(one)-1)},
		{"cut off in the header", strings.NewReader("\x1f\x8b\x08"), 3, "", "cut off after 3 bytes"},
		{"a checksum that is wrong", bytes.NewReader(damaged), len(damaged), long, fmt.Sprintf("damaged before byte %d", len(damaged))},
		{"another method", strings.NewReader("\x1f\x8b\x07\x00\x00\x00\x00\x00\x00\x00\x00"), 11, "", "damaged before byte 10"},
		{"something behind", strings.NewReader(string(one) + "and more than a header"), len(one) + 22, long, fmt.Sprintf("other data after its end at byte %d", len(one)+1)},
		{"a byte behind", strings.NewReader(string(one) + "\x1f"), len(one) + 1, long, fmt.Sprintf("other data after its end at byte %d", len(one)+1)},
		{"zeros behind", strings.NewReader(string(one) + strings.Repeat("\x00", 100_000)), len(one) + 100_000, long, ""},
		{"something behind zeros", strings.NewReader(string(one) + "\x00\x00" + string(one)), 2*len(one) + 2, long, fmt.Sprintf("other data after its end at byte %d", len(one)+3)},
		{"something behind zeros and a little", strings.NewReader(string(little) + "\x00\x00" + string(little)), 2*len(little) + 2, "ab", fmt.Sprintf("other data after its end at byte %d", len(little)+3)},
		{"something behind zeros and nothing", strings.NewReader(string(nothing) + "\x00\x00" + string(little)), len(nothing) + len(little) + 2, "", fmt.Sprintf("other data after its end at byte %d", len(nothing)+3)},
		{"unreadable behind a part", io.MultiReader(strings.NewReader(string(one)+"\x1f"), iotest.ErrReader(gone)), 0, long, "the file has gone"},
		{"unreadable behind the first bytes", io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(gone)), 0, "", "the file has gone"},
		{"empty parts", strings.NewReader(strings.Repeat(string(nothing), 1000) + string(one)), 1000*len(nothing) + len(one), long, ""},
		{"a second part that is cut off", strings.NewReader(string(one) + string(one[:9])), len(one) + 9, long, fmt.Sprintf("cut off after %d bytes", len(one)+9)},
		{"packed twice", bytes.NewReader(scenariotest.Packed(string(one))), 0, "", "the file is packed twice: unpack it once first"},
		{"zstd within gzip", bytes.NewReader(scenariotest.Packed("\x28\xb5\x2f\xfd and so on")), 0, "", "the file is packed twice: unpack it once first"},
		{"Parquet within gzip", bytes.NewReader(scenariotest.Packed("PAR1 and so on")), 0, "", "the file is a table in Parquet: export it as CSV"},
		{"bzip2", strings.NewReader("BZh91AY&SY and so on"), 20, "", "the file is damaged or cut off and cannot be unpacked"},
		{"text like bzip2", strings.NewReader("BZh9"), 4, "BZh9", ""},
		{"7-Zip", strings.NewReader("7z\xbc\xaf\x27\x1c and so on"), 16, "", "the file is a 7-Zip archive: unpack it first"},
		{"RAR", strings.NewReader("Rar!\x1a\x07\x01\x00"), 8, "", "the file is a RAR archive: unpack it first"},
		{"lz4", strings.NewReader("\x04\x22\x4d\x18 and so on"), 14, "", "the file is packed with lz4: unpack it first"},
		{"compress", strings.NewReader("\x1f\x9d and so on"), 12, "", "the file is packed with compress: unpack it first"},
		{"damaged in the middle", bytes.NewReader(wrong), len(wrong), "", "damaged before byte 1"},
		{"ZIP", strings.NewReader("PK\x03\x04 and so on"), 13, "", "the ZIP archive is damaged or cut off: copy it again"},
		{"zstd", strings.NewReader("\x28\xb5\x2f\xfd and so on"), 13, "", "the file is damaged or cut off and cannot be unpacked"},
		{"xz", strings.NewReader("\xfd7zXZ\x00"), 6, "", "the file is damaged or cut off and cannot be unpacked"},
		{"Parquet", strings.NewReader("PAR1 and so on"), 14, "", "the file is a table in Parquet: export it as CSV"},
		{"unreadable", io.MultiReader(bytes.NewReader(one[:100]), iotest.ErrReader(gone)), len(one), "", "the file has gone"},
		{"unreadable from the start", iotest.ErrReader(gone), 9, "", "the file has gone"},
	} {
		text := packed.NewText(test.file, int64(test.size))
		got, err := io.ReadAll(text)
		if test.want != "" && string(got) != test.want || test.err == "" && string(got) != test.want {
			t.Errorf("%s: got %d bytes, want %d", test.name, len(got), len(test.want))
		}
		switch {
		case test.err == "":
			if err != nil || text.Done() != int64(test.size) {
				t.Errorf("%s: %v after %d of %d bytes", test.name, err, text.Done(), test.size)
			}
		case err == nil || !strings.Contains(err.Error(), test.err):
			t.Errorf("%s: got %v, want %q", test.name, err, test.err)
		default:
			if _, again := text.Read(make([]byte, 9)); again == nil || again == io.EOF {
				t.Errorf("%s: reading on after an error gave %v", test.name, again)
			}
		}
	}
}

// A small file does not unpack to a huge one. A text that is read as a whole is limited to MaxText
// bytes, a stream to a multiple of its size.
func TestTextIsBounded(t *testing.T) {
	bomb := scenariotest.Packed(strings.Repeat("\n", packed.MaxText+1)) // 66 KB
	text := packed.NewText(bytes.NewReader(bomb), int64(len(bomb)))
	n, err := io.Copy(io.Discard, text)
	if want := fmt.Sprintf("the file has %d bytes and unpacks to more than the limit of %d", len(bomb), 200*len(bomb)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a stream: %v after %d bytes, want %q", err, n, want)
	}
	text = packed.NewText(bytes.NewReader(bomb), 1<<20) // this size claims that the file is larger, so it may unpack to 200 MiB
	if n, err := io.Copy(io.Discard, text); n != packed.MaxText+1 || err != nil {
		t.Errorf("a stream of a larger file: %v after %d bytes", err, n)
	}
	text = packed.NewText(bytes.NewReader(bomb), 1<<20)
	must.Do(t, text.Bound())
	if n, err := io.Copy(io.Discard, text); n > packed.MaxText || !errors.Is(err, packed.ErrTooLarge) {
		t.Errorf("a whole: %v after %d bytes", err, n)
	}
	if err := packed.NewText(nil, packed.MaxText+1).Bound(); !errors.Is(err, packed.ErrTooLarge) {
		t.Errorf("a whole that is not packed: %v", err)
	}
	if _, err := packed.Unpack(bomb, 1000); !errors.Is(err, packed.ErrTooLarge) {
		t.Errorf("in memory: %v", err)
	}
	for _, file := range [][]byte{scenariotest.Packed("abc"), []byte("abc")} {
		if got, err := packed.Unpack(file, 3); string(got) != "abc" || err != nil {
			t.Errorf("in memory: %q, %v", got, err)
		}
	}
}

// No bytes unpack to more than the limit, and plain text stays as it is.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", "id,submit_s\n", strings.Repeat("a", 1000)} {
		f.Add(scenariotest.Packed(text))
		f.Add([]byte(text))
	}
	f.Add([]byte("\x1f\x8b\x08\x1f\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("\xff\xfei\x00d\x00"))
	f.Add(zst(f, long))
	f.Add(decoded(f, bzipped))
	f.Add([]byte("PK\x03\x04"))
	for _, text := range []string{xzCRC64, xzSHA256, xzStreams, xzDict1GiB, xzSizes, xzNumbers} {
		f.Add(decoded(f, text))
	}
	f.Add(small(f, 3))
	f.Fuzz(func(t *testing.T, file []byte) {
		const most = 10_000
		got, err := packed.Unpack(file, most)
		if bytes.HasPrefix(file, []byte("\xff\xfe")) || bytes.HasPrefix(file, []byte("\xfe\xff")) { // UTF-16
			if !utf8.Valid(got) {
				t.Errorf("not UTF-8: %q", got)
			}
			return
		}
		plain := !bytes.HasPrefix(file, []byte("\x1f\x8b")) && !packed.Addable(file)
		if named := err != nil && strings.HasSuffix(err.Error(), "unpack it first"); plain && !named && (err != nil || !bytes.Equal(got, file)) {
			t.Errorf("a file that is not packed: %q, %v", got, err)
		} else if !plain && len(got) > most {
			t.Errorf("%d bytes", len(got))
		}
	})
}
