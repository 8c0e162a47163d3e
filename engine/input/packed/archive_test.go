package packed_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"berth/engine/input/packed"
	"berth/engine/scenario/scenariotest"
)

const long = "arrival,duration\n0,1\n"

// bzipped is the output of the program bzip2 for "hello\n".
const bzipped = "QlpoOTFBWSZTWcHAgOIAAAFBAAAQAkSgADDNAMNGKZcXckU4UJDBwIDi"

func zipped(t *testing.T, text string, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zst(t testing.TB, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(text), nil)
}

func TestUnpack(t *testing.T) {
	bz, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		file       []byte
		text, said string
	}{
		"zst":            {zst(t, long), long, ""},
		"zst cut off":    {zst(t, long)[:12], "", "the file is damaged or cut off and cannot be unpacked"},
		"zst large":      {zst(t, strings.Repeat("a", 20_000)), "", "at most 10000 bytes"},
		"zst within zst": {zst(t, string(zst(t, long))), "", "the file is packed twice: unpack it once first"},
		"bz2":            {bz, "hello\n", ""},
		"bz2 cut off":    {bz[:30], "", "the file is damaged or cut off and cannot be unpacked"},
		"zip":            {zipped(t, long, "__MACOSX/x", "a/jobs.csv", "a/.DS_Store"), long, ""},
		"zip of several": {zipped(t, long, "a.csv", "b.csv"), "", "the ZIP archive has 2 files: unpack it, and choose one of them"},
		"a spreadsheet":  {zipped(t, long, "[Content_Types].xml", "xl/workbook.xml"), "", "the file is a spreadsheet"},
	} {
		got, err := packed.Unpack(test.file, 10_000)
		if test.said == "" && (err != nil || string(got) != test.text) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if test.said != "" && (err == nil || !strings.Contains(err.Error(), test.said)) {
			t.Errorf("%s: %q, %v, want %s", name, got, err, test.said)
		}
	}
}

// A short file that unpacks to much more than its size is refused before a reader builds jobs from
// it, however it is packed.
func TestWhatAStreamMayUnpackTo(t *testing.T) {
	alike := strings.Repeat("0 1 1 1\n", 2<<20) // 16 MiB
	for name, file := range map[string][]byte{"gzip": scenariotest.Packed(alike), "zstd": zst(t, alike), "zip": zipped(t, alike, "jobs.tr")} {
		n, err := io.Copy(io.Discard, packed.NewText(bytes.NewReader(file), int64(len(file))))
		if err == nil || !strings.Contains(err.Error(), "unpacks to more than the limit") || n > 9<<20 {
			t.Errorf("%s, %d bytes: %d were read, %v", name, len(file), n, err)
		}
	}
}

// No bytes unpack to more than the limit.
func FuzzUnpack(f *testing.F) {
	f.Add(zst(f, long))
	if bz, err := base64.StdEncoding.DecodeString(bzipped); err == nil {
		f.Add(bz)
	}
	f.Add([]byte("PK\x03\x04"))
	for _, text := range []string{xzCRC64, xzSHA256, xzStreams, xzDict1GiB, xzSizes, xzNumbers} {
		f.Add(decoded(f, text))
	}
	f.Add(small(f, 3))
	f.Fuzz(func(t *testing.T, file []byte) {
		if got, err := packed.Unpack(file, 10_000); len(got) > 10_000 && len(got) > len(file) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}
