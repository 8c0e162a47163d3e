package bundle

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"berth/engine/scenario"
)

// What a bundle may have at most, in bytes.
const (
	MaxBytes    = scenario.MaxText // of the zip
	MaxScenario = scenario.MaxBytes
	MaxReport   = scenario.MaxReport
	maxManifest = 64 << 10
)

// entry is a file of a bundle.
type entry struct {
	name string
	most int
	data []byte
}

// Is says whether a file begins as a zip does.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// IsPacked reports whether bytes begin like a zip, or like a file that is packed with
// Zstandard, xz or bzip2.
func IsPacked(data []byte) bool {
	return slices.ContainsFunc([]string{"PK\x03\x04", "\x28\xb5\x2f\xfd", "\xfd7zXZ\x00"}, func(magic string) bool { return bytes.HasPrefix(data, []byte(magic)) }) ||
		len(data) >= 10 && string(data[:3]) == "BZh" && string(data[4:10]) == "1AY&SY"
}

// Encode returns the zip.
func (b *Bundle) Encode() ([]byte, error) {
	manifest, err := b.Manifest.encode()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range []entry{{ScenarioName, MaxScenario, b.Scenario}, {ReportName, MaxReport, b.Report}, {ManifestName, maxManifest, manifest}} {
		if len(e.data) > e.most {
			return nil, fmt.Errorf("%s has %d bytes; a bundle has at most %d", e.name, len(e.data), e.most)
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if out.Len() > MaxBytes {
		return nil, fmt.Errorf("the bundle would have %d bytes; at most %d are read", out.Len(), MaxBytes)
	}
	return out.Bytes(), nil
}

// Decode reads a zip with the three entries of a bundle, each once, and with nothing
// else. Whether they are what the manifest says is for [Bundle.Verify].
func Decode(data []byte) (*Bundle, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the bundle has %d bytes; at most %d are read", len(data), MaxBytes)
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, damaged(err)
	}
	entries := []entry{{ScenarioName, MaxScenario, nil}, {ReportName, MaxReport, nil}, {ManifestName, maxManifest, nil}}
	for _, f := range r.File {
		e := named(entries, f.Name)
		switch {
		case e == nil:
			return nil, fmt.Errorf("found the entry %.100q; a bundle has %s, %s and %s alone", f.Name, ScenarioName, ReportName, ManifestName)
		case e.data != nil:
			return nil, fmt.Errorf("%s is there twice", f.Name)
		}
		e.data, err = unpack(f, e.most)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	for _, e := range entries {
		if e.data == nil {
			return nil, fmt.Errorf("%s is missing", e.name)
		}
	}
	b := &Bundle{Scenario: entries[0].data, Report: entries[1].data}
	if b.Manifest, err = decodeManifest(entries[2].data); err != nil {
		return nil, err
	}
	if err := b.check(); err != nil {
		return nil, err
	}
	return b, nil
}

// check refuses a report that others have made up. One that has changed on its way is
// for [Bundle.Verify] to tell by its hash, and that of an earlier engine may have other
// fields.
func (b *Bundle) check() error {
	if digest(b.Report) != b.Manifest.Files.Report || scenario.Earlier(b.Manifest.Engine) != "" {
		return nil
	}
	if _, err := scenario.DecodeReport(b.Report); err != nil {
		return fmt.Errorf("%s: %w", ReportName, err)
	}
	return nil
}

func named(entries []entry, name string) *entry {
	for i := range entries {
		if entries[i].name == name {
			return &entries[i]
		}
	}
	return nil
}

// unpack reads an entry. What its header says of the size is not relied upon.
func unpack(f *zip.File, most int) ([]byte, error) {
	large := fmt.Errorf("it unpacks to more than %d bytes, which is the limit", most)
	if f.UncompressedSize64 > uint64(most) {
		return nil, large
	}
	r, err := f.Open()
	if err != nil {
		return nil, damaged(err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	switch {
	case err != nil:
		return nil, damaged(err)
	case len(data) > most:
		return nil, large
	}
	return data, nil
}

func damaged(err error) error {
	return fmt.Errorf("the zip is damaged: %s", strings.TrimPrefix(err.Error(), "zip: "))
}
