package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"berth/engine/golden"
	"berth/engine/input/packed"
	"berth/engine/must"
)

// The files in testdata come from parquet-go's writer: one table with every type and encoding, in
// pages of both versions and with each compression. table.csv was compared with the written values.
var packings = []string{"plain-v1", "snappy-v2", "zstd-v2", "gzip-v1", "lz4-v1"}

func parquetFile(t *testing.T, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join("testdata/parquet", name)))(t)
}

// tableOf returns the table that the program reads from a file, within most bytes.
func tableOf(file []byte, most int) (string, error) {
	text, err := packed.Unpack(file, most)
	return string(text), err
}

var seven = []byte{7, 0, 0, 0}

func TestParquet(t *testing.T) {
	want := string(parquetFile(t, "table.csv"))
	for _, name := range packings {
		if got, err := tableOf(parquetFile(t, name+".parquet"), 1e6); err != nil || got != want {
			t.Errorf("%s: %v, %q", name, err, got)
		}
	}
	if got, err := tableOf(onePage(4, 4, seven, 0), 1e6); err != nil || got != "x\n7\n" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := tableOf(parquetFile(t, "zstd-v2.parquet"), 100); !errors.Is(err, packed.ErrTooLarge) {
		t.Errorf("%v, %q", err, got)
	}
}

// A trace in Parquet is read like the same trace in CSV.
func TestTraceInParquet(t *testing.T) {
	_, stderr, _ := exec(t, "", "federate", "--trace", "testdata/parquet/opendc.parquet", "--workers", "4", "--scheduler", "fcfs")
	for _, want := range []string{"2 columns are not used: cpu_capacity, parents[]", "(the first in job 3) can never run"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%s, without %s", stderr, want)
		}
	}
}

func TestParquetThatIsRefused(t *testing.T) {
	plain := parquetFile(t, "plain-v1.parquet")
	footer := func(size uint32, magic string) []byte {
		damaged := bytes.Clone(plain)
		binary.LittleEndian.PutUint32(damaged[len(damaged)-8:], size)
		return append(damaged[:len(damaged)-4], magic...)
	}
	for name, test := range map[string]struct {
		file []byte
		said string
	}{
		"the beginning alone":    {plain[:4], "reading magic footer"},
		"cut off":                {plain[:len(plain)-1], "invalid magic footer"},
		"encrypted":              {footer(10, "PARE"), "the Parquet file is encrypted: write it without"},
		"a footer of 4 GiB":      {footer(1<<32-1, "PAR1"), "in 2 GiB of memory ("},
		"a footer of nothing":    {footer(0, "PAR1"), "metadata"},
		"a part of the footer":   {footer(100, "PAR1"), "metadata"},
		"a page that is not all": {onePage(4, 1000, seven, 0), "EOF"},
		"a schema of 200 GB":     {withFooter([]byte{0x15, 1, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7}), "in 2 GiB of memory ("},
	} {
		isRefused(t, name, test.file, test.said)
	}
}

func TestParquetThatTakesTooMuch(t *testing.T) {
	golden.Long(t)
	isRefused(t, "a page of 3 GiB", zeros(t), "(runtime: out of memory")
	isRefused(t, "deep nesting", withFooter(bytes.Repeat([]byte{0xcc}, 8<<20)), "(runtime: goroutine stack exceeds")
}

func isRefused(t *testing.T, name string, file []byte, said string) {
	t.Helper()
	got, err := tableOf(file, 1e6)
	if err == nil || !strings.HasPrefix(err.Error(), "the Parquet file is ") || !strings.Contains(err.Error(), said) {
		t.Errorf("%s: %.100q, %v, want %s", name, got, err, said)
	}
}

// zeros returns a table of one row whose page unpacks to 3 GiB.
func zeros(t *testing.T) []byte {
	var page bytes.Buffer
	w := must.Get(zstd.NewWriter(&page))(t)
	some := make([]byte, 1<<20)
	for range 3 << 10 {
		must.Get(w.Write(some))(t)
	}
	must.Do(t, w.Close())
	return onePage(4, int64(page.Len()), page.Bytes(), 6)
}

// onePage returns a table of one row and one int32 column, whose page claims the given sizes,
// unpacked and packed.
func onePage(size, packed int64, page []byte, codec int64) []byte {
	field := func(head byte, n int64) []byte { return binary.AppendVarint([]byte{head}, n) }
	of := func(parts ...[]byte) []byte { return append(bytes.Join(parts, nil), 0) }
	head := of(field(0x15, 0), field(0x15, size), field(0x15, packed), []byte{0x2c}, of(field(0x15, 1), field(0x15, 0), field(0x15, 3), field(0x15, 3)))
	chunk := append(head, page...)
	schema := bytes.Join([][]byte{
		of([]byte{0x48, 1, 'r'}, field(0x15, 1)),                 // the root has a name and one child
		of(field(0x15, 1), field(0x25, 0), []byte{0x18, 1, 'x'}), // int32, required, x
	}, nil)
	bytesOf := int64(len(chunk))
	meta := of(field(0x15, 1), []byte{0x19, 0x15, 0, 0x19, 0x18, 1, 'x'}, field(0x15, codec), field(0x16, 1), field(0x16, bytesOf), field(0x16, bytesOf), field(0x26, 4))
	group := of([]byte{0x19, 0x1c}, of(field(0x26, 4), []byte{0x1c}, meta), field(0x16, bytesOf), field(0x16, 1))
	footer := of(field(0x15, 1), []byte{0x19, 0x2c}, schema, field(0x16, 1), []byte{0x19, 0x1c}, group)
	return withFooter(footer, chunk...)
}

func withFooter(footer []byte, pages ...byte) []byte {
	all := append([]byte("PAR1"), append(pages, footer...)...)
	return append(binary.LittleEndian.AppendUint32(all, uint32(len(footer))), "PAR1"...)
}

func FuzzParquet(f *testing.F) {
	for _, name := range packings {
		data := must.Get(os.ReadFile("testdata/parquet/" + name + ".parquet"))(f)
		f.Add(data[4:])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if text, err := tableOf(append([]byte("PAR1"), data...), 1e6); err != nil && !strings.Contains(err.Error(), "the Parquet file") && !errors.Is(err, packed.ErrTooLarge) || err == nil && text == "" {
			t.Errorf("%.100q, %v", text, err)
		}
	})
}

// A file with a changed byte gives a table, or an error that says so.
func TestParquetWithChangedBytes(t *testing.T) {
	golden.Long(t)
	for _, name := range packings {
		data := parquetFile(t, name+".parquet")
		for i := 0; i < len(data); i += 211 {
			data[i] ^= 0x55
			if text, err := tableOf(data, 1e6); err != nil && !strings.Contains(err.Error(), "the Parquet file") || err == nil && text == "" {
				t.Errorf("%s with byte %d changed: %.100q, %v", name, i, text, err)
			}
			data[i] ^= 0x55
		}
	}
}
