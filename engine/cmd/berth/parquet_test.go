package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/input/packed"
	"berth/engine/must"
)

// The files in testdata come from parquet-go's writer: one table with every type and encoding, in
// pages of both versions and with each compression. table.csv was compared with the written values.
// one.parquet has one row and one int32 column without statistics. cut-page.parquet claims 1,000
// bytes for the same page, page-3-GiB.parquet.gz has 3 GiB of zeros in it, schema-200-GB.parquet
// claims 2³¹ − 1 columns, and the footer of nested.parquet.gz opens 8 million lists.
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

func TestParquet(t *testing.T) {
	want := string(parquetFile(t, "table.csv"))
	for _, name := range packings {
		if got, err := tableOf(parquetFile(t, name+".parquet"), 1e6); err != nil || got != want {
			t.Errorf("%s: %v, %q", name, err, got)
		}
	}
	if got, err := tableOf(parquetFile(t, "one.parquet"), 1e6); err != nil || got != "x\n7\n" {
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
		"a page that is not all": {parquetFile(t, "cut-page.parquet"), "EOF"},
		"a schema of 200 GB":     {parquetFile(t, "schema-200-GB.parquet"), "in 2 GiB of memory ("},
	} {
		isRefused(t, name, test.file, test.said)
	}
}

func TestParquetThatTakesTooMuch(t *testing.T) {
	golden.Long(t)
	for name, said := range map[string]string{"page-3-GiB": "(runtime: out of memory", "nested": "(runtime: goroutine stack exceeds"} {
		r := must.Get(gzip.NewReader(bytes.NewReader(parquetFile(t, name+".parquet.gz"))))(t)
		isRefused(t, name, must.Get(io.ReadAll(r))(t), said)
	}
}

func isRefused(t *testing.T, name string, file []byte, said string) {
	t.Helper()
	got, err := tableOf(file, 1e6)
	if err == nil || !strings.HasPrefix(err.Error(), "the Parquet file is ") || !strings.Contains(err.Error(), said) {
		t.Errorf("%s: %.100q, %v, want %s", name, got, err, said)
	}
}

// Any file gives a table, or an error that says what is wrong with it.
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
