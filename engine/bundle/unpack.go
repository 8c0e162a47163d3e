package bundle

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"slices"

	"berth/engine/input/packed"
	"berth/engine/scenario"
)

// Limits of a zip of files.
const (
	MaxFiles    = 500
	MaxUnpacked = scenario.MaxTexts // total size of the files in bytes
)

// ZipFile is the name of the file in a query that contains the zip.
const ZipFile = "zip"

// UnpackQuestion unpacks a zip: a bundle, or files of any kind.
var UnpackQuestion = scenario.NewTool("experiment/unpack", func(ctx context.Context, _ struct{}, files scenario.Files) (*Unpacked, error) {
	file, ok := files[ZipFile]
	if !ok {
		return nil, errors.New("there is no zip beside the query")
	}
	data, err := file.Bytes(ctx)
	if err != nil {
		return nil, err
	}
	return Unpack(data)
})

// Unpacked is an unpacked zip. For a bundle, Files has only the scenario; the manifest and the
// names of the entries that differ from it are separate fields.
type Unpacked struct {
	Manifest *Manifest // nil if the zip is no bundle
	Damage   []string
	Names    []string
	Sizes    []int

	data []byte // contents of all files, one after the other
}

// Attachment implements [scenario.Attached].
func (u *Unpacked) Attachment() []byte { return u.data }

// Attach implements [scenario.Attached].
func (u *Unpacked) Attach(data []byte) error {
	u.data = data
	for _, n := range u.Sizes {
		if n < 0 || n > len(data) {
			return errSizes
		}
		data = data[n:]
	}
	if len(data) > 0 || len(u.Names) != len(u.Sizes) {
		return errSizes
	}
	return nil
}

var errSizes = errors.New("the files of the zip are damaged")

// Files returns the bytes of each file, in the order of Names. They share memory with u.
func (u *Unpacked) Files() [][]byte {
	all, rest := make([][]byte, len(u.Sizes)), u.data
	for i, n := range u.Sizes {
		all[i], rest = rest[:n:n], rest[n:]
	}
	return all
}

func (u *Unpacked) add(name string, data []byte) {
	u.Names, u.Sizes, u.data = append(u.Names, name), append(u.Sizes, len(data)), append(u.data, data...)
}

// Unpack unpacks a zip. Data in another packed format becomes one file without a name.
func Unpack(data []byte) (*Unpacked, error) {
	if packed.Addable(data) && !packed.Begins(data, packed.Zip) {
		if err := fits(data); err != nil {
			return nil, err
		}
		text, err := packed.Unpack(data, MaxUnpacked)
		if err != nil {
			return nil, err
		}
		u := &Unpacked{}
		u.add("", text)
		return u, nil
	}
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	u := &Unpacked{}
	if slices.ContainsFunc(r.File, func(f *zip.File) bool { return f.Name == ManifestName }) {
		b, err := Decode(data)
		if err != nil {
			return nil, err
		}
		u.Manifest, u.Damage = &b.Manifest, b.damage()
		u.add(ScenarioName, b.Scenario)
		return u, nil
	}
	for _, f := range packed.FilesOf(r) {
		if len(u.Names) == MaxFiles {
			return nil, fmt.Errorf("the zip has more than %d files, which is the limit", MaxFiles)
		}
		file, err := unpack(f, MaxUnpacked-len(u.data))
		if err != nil {
			return nil, fmt.Errorf("%.100s: %w", f.Name, err)
		}
		u.add(f.Name, file)
	}
	if len(u.Names) == 0 {
		return nil, errors.New("the zip has no files")
	}
	return u, nil
}
