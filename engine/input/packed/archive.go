package packed

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"berth/engine/input/format/sniff"
	"berth/engine/show"
)

// Limits of decompression, in bytes.
const (
	maxWindow  = 128 << 20 // window of Zstandard and dictionary of xz; the limit of zstd --long
	maxArchive = 64 << 20  // size of a ZIP archive, which is held in memory
)

// explained wraps a decompressor so that its readers return errors with explanations for the user.
func explained(open func(io.Reader) (io.Reader, error)) func(io.Reader) (io.Reader, error) {
	return func(r io.Reader) (io.Reader, error) {
		unpacked, err := open(r)
		return explaining{unpacked}, err
	}
}

type explaining struct{ io.Reader }

func (e explaining) Read(buffer []byte) (int, error) {
	n, err := e.Reader.Read(buffer)
	return n, explain(err)
}

func explain(err error) error {
	if err != nil && err != io.EOF && !errors.As(err, new(*formatError)) {
		return fmt.Errorf("the file is damaged or cut off and cannot be unpacked: %w", err)
	}
	return err
}

// zst decompresses Zstandard without starting goroutines.
func zst(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderLowmem(true))
}

// only opens the only file of an archive, or the files that belong together.
func only(r io.Reader) (io.Reader, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxArchive+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxArchive {
		return nil, fmt.Errorf("the ZIP archive has more than %d bytes (%d MiB): unpack it, and choose a file in it", maxArchive, maxArchive>>20)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, errors.New("the ZIP archive is damaged or cut off: copy it again")
	}
	if slices.ContainsFunc(archive.File, func(f *zip.File) bool { return strings.HasPrefix(f.Name, "xl/") }) {
		return nil, errors.New("the file is a spreadsheet: save its sheet as CSV with commas and decimal points")
	}
	files := FilesOf(archive)
	if len(files) > 1 && len(files) <= sniff.MostTogether {
		if all, err := together(files); all != nil || err != nil {
			return all, err
		}
	}
	if len(files) != 1 {
		return nil, fmt.Errorf("the ZIP archive has %s: unpack it, and choose one of them", show.Count(len(files), "file"))
	}
	return files[0].Open()
}

// together opens the files that belong together as one text; nil if none do.
func together(files []*zip.File) (io.Reader, error) {
	var names []string
	var all []sniff.Opener
	for _, f := range files {
		names, all = append(names, f.Name), append(all, func() (io.Reader, error) { return f.Open() })
	}
	name, open, _, err := sniff.JoinFiles(names, all)
	if name == "" {
		return nil, err
	}
	return open()
}
