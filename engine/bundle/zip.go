package bundle

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"berth/engine/input/packed"
	"berth/engine/scenario"
)

// Limits of a bundle in bytes.
const (
	MaxBytes    = packed.MaxText // size of the zip
	MaxScenario = scenario.MaxBytes
	MaxReport   = scenario.MaxReport
	maxManifest = 64 << 10
)

// member is a file of a bundle; most limits its size in bytes.
type member struct {
	name string
	most int
	data *[]byte
}

// entries returns the entries of a bundle, in their order in the zip.
func (b *Bundle) entries(manifest *[]byte) []member {
	return []member{{ScenarioName, MaxScenario, &b.Scenario}, {ReportName, MaxReport, &b.Report}, {ManifestName, maxManifest, manifest}}
}

// Encode returns the bundle as a zip. It returns an error if an entry is larger than a reader
// accepts.
func (b *Bundle) Encode() ([]byte, error) {
	manifest, err := b.Manifest.encode()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer // writing to a Buffer cannot fail
	w := zip.NewWriter(&out)
	for _, e := range b.entries(&manifest) {
		if len(*e.data) > e.most {
			return nil, fmt.Errorf("%s has %d bytes; a bundle has at most %d", e.name, len(*e.data), e.most)
		}
		to, _ := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate})
		to.Write(*e.data)
	}
	w.Close()
	if out.Len() > MaxBytes {
		return nil, fmt.Errorf("the bundle would have %d bytes; at most %d are read", out.Len(), MaxBytes)
	}
	return out.Bytes(), nil
}

// Decode reads a zip that has each entry of a bundle once, and no others. It does not
// compare them with the manifest; [Bundle.Verify] does.
func Decode(data []byte) (*Bundle, error) {
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	b, manifest := &Bundle{}, []byte(nil)
	entries := b.entries(&manifest)
	for _, f := range r.File {
		i := slices.IndexFunc(entries, func(e member) bool { return e.name == f.Name })
		switch {
		case i < 0:
			return nil, fmt.Errorf("found the entry %.100q; a bundle has %s, %s and %s alone", f.Name, ScenarioName, ReportName, ManifestName)
		case *entries[i].data != nil:
			return nil, fmt.Errorf("%s is there twice", f.Name)
		}
		*entries[i].data, err = unpack(f, entries[i].most)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	for _, e := range entries {
		if *e.data == nil {
			return nil, fmt.Errorf("%s is missing", e.name)
		}
	}
	if b.Manifest, err = decodeManifest(manifest); err != nil {
		return nil, err
	}
	return b, b.check()
}

// fits returns an error if a packed file has more than MaxBytes.
func fits(data []byte) error {
	if len(data) > MaxBytes {
		return fmt.Errorf("the packed file has %d bytes; at most %d are read", len(data), MaxBytes)
	}
	return nil
}

func open(data []byte) (*zip.Reader, error) {
	if err := fits(data); err != nil {
		return nil, err
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, damaged(err)
	}
	return r, nil
}

// check returns an error if no run can have written the report. It accepts reports that differ from
// the manifest, which [Bundle.Verify] reports, and reports of earlier engines, which may have other
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

// unpack reads an entry of at most most bytes; the size in its header may be wrong.
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
