package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/parquet"
	"berth/engine/scenario"
)

// The files in testdata are of parquet-go's writer: one table with every type and
// encoding, in pages of both versions and each packing. table.csv was checked against the
// values that were written.
var packings = []string{"plain-v1", "snappy-v2", "zstd-v2", "gzip-v1"}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func csv(data []byte) (string, error) {
	r, err := parquet.CSV(data)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

func TestTable(t *testing.T) {
	want := string(file(t, "table.csv"))
	for _, name := range packings {
		if got, err := csv(file(t, name+".parquet")); err != nil || got != want {
			t.Errorf("%s: %v, %q", name, err, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	plain := file(t, "plain-v1.parquet")
	footer := func(size uint32, magic string) []byte {
		damaged := bytes.Clone(plain)
		binary.LittleEndian.PutUint32(damaged[len(damaged)-8:], size)
		return append(damaged[:len(damaged)-4], magic...)
	}
	for name, test := range map[string]struct {
		file []byte
		said string
	}{
		"nothing":                {nil, "damaged or cut off"},
		"the beginning alone":    {plain[:4], "damaged or cut off"},
		"cut off":                {plain[:len(plain)-1], "damaged or cut off"},
		"encrypted":              {footer(10, "PARE"), "the Parquet file is encrypted: write it without"},
		"a footer of 4 GiB":      {footer(1<<32-1, "PAR1"), "damaged or cut off"},
		"a footer of nothing":    {footer(0, "PAR1"), "damaged or cut off"},
		"a part of the footer":   {footer(100, "PAR1"), "damaged or cut off"},
		"packed with LZ4":        {file(t, "lz4-v1.parquet"), `column "id": it is packed with LZ4: write the file with Zstandard, gzip or Snappy`},
		"a page of 2 GiB":        {page(1<<31-1, 4), `column "x": a page has 2147483647 bytes, more than 67108864 (64 MiB): write smaller pages`},
		"a page that is not all": {page(4, 1000), "damaged or cut off"},
	} {
		if got, err := csv(test.file); err == nil || !strings.Contains(err.Error(), test.said) {
			t.Errorf("%s: %q, %v, want %s", name, got, err, test.said)
		}
	}
}

// page is a table of one row and one column of int32, whose page claims to have so many
// bytes, packed and not.
func page(size, packed int64) []byte {
	field := func(head byte, n int64) []byte { return binary.AppendVarint([]byte{head}, n) }
	of := func(parts ...[]byte) []byte { return append(bytes.Join(parts, nil), 0) }
	head := of(field(0x15, 0), field(0x15, size), field(0x15, packed), []byte{0x2c}, of(field(0x15, 1), field(0x15, 0), field(0x15, 3), field(0x15, 3)))
	chunk := append(head, 7, 0, 0, 0)
	schema := bytes.Join([][]byte{
		of([]byte{0x48, 1, 'r'}, field(0x15, 1)),                 // the root: a name, and one child
		of(field(0x15, 1), field(0x25, 0), []byte{0x18, 1, 'x'}), // int32, required, x
	}, nil)
	meta := of(field(0x15, 1), field(0x35, 0), field(0x16, 1), field(0x26, int64(len(chunk))), field(0x26, 4))
	group := of([]byte{0x19, 0x1c}, of([]byte{0x3c}, meta), field(0x26, 1))
	footer := of(field(0x15, 1), []byte{0x19, 0x2c}, schema, field(0x16, 1), []byte{0x19, 0x1c}, group)
	all := append([]byte("PAR1"), append(chunk, footer...)...)
	return append(binary.LittleEndian.AppendUint32(all, uint32(len(footer))), "PAR1"...)
}

func TestUnpack(t *testing.T) {
	want := string(file(t, "table.csv"))
	if got, err := scenario.Unpack(file(t, "zstd-v2.parquet"), 10_000); err != nil || string(got) != want {
		t.Errorf("%v, %q", err, got)
	}
	if got, err := scenario.Unpack(file(t, "zstd-v2.parquet"), 100); !errors.Is(err, scenario.ErrTooLarge) {
		t.Errorf("%v, %q", err, got)
	}
}

func TestOneRow(t *testing.T) {
	if got, err := csv(page(4, 4)); err != nil || got != "x\n7\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// A file with a byte changed gives a table or an error.
func TestChangedBytes(t *testing.T) {
	for _, name := range packings {
		data := file(t, name+".parquet")
		for i := 0; i < len(data); i += 5 {
			data[i] ^= 0x55
			if r, err := parquet.CSV(data); err == nil {
				bounded(t, r)
			}
			data[i] ^= 0x55
		}
	}
}

// bounded reads a table up to a bound: the rest of one may be as long as it claims.
func bounded(t testing.TB, r io.Reader) {
	if n, err := io.Copy(io.Discard, io.LimitReader(r, 1<<16)); err == nil && n == 0 {
		t.Error("a table without a header")
	}
}

func FuzzCSV(f *testing.F) {
	for _, name := range packings {
		f.Add(file(f, name+".parquet"))
	}
	f.Add(page(4, 4))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := parquet.CSV(data); err == nil {
			bounded(t, r)
		}
	})
}
