package packed_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"berth/engine/input/packed"
	"berth/engine/must"
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
		f := must.Get(w.Create(name))(t)
		if _, err := io.WriteString(f, text); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

func zst(t testing.TB, text string) []byte {
	t.Helper()
	w := must.Get(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)))(t)
	return w.EncodeAll([]byte(text), nil)
}

// unpacked is a file with its text or the error of unpacking at most 10,000 bytes.
type unpacked struct {
	file       []byte
	text, said string
}

func (u *unpacked) check(t *testing.T, name string) {
	t.Helper()
	got, err := packed.Unpack(u.file, 10_000)
	if u.said == "" && (err != nil || string(got) != u.text) {
		t.Errorf("%s: %q, %v", name, got, err)
	}
	if u.said != "" && (err == nil || !strings.Contains(err.Error(), u.said)) {
		t.Errorf("%s: %q, %v, want %s", name, got, err, u.said)
	}
}

func TestUnpack(t *testing.T) {
	bz := decoded(t, bzipped)
	for name, test := range map[string]unpacked{
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
		test.check(t, name)
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
