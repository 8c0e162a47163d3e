package build

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"golang.org/x/sync/errgroup"
)

// Report lists the files of a site, ordered by path.
type Report []File

// File is one file of a site. Sizes are in bytes.
type File struct {
	Path       string // relative to the site, with slashes
	Size       int
	Compressed int // with brotli; 0 if the file is not compressed
}

// String formats a table of the sizes in kB (1,000 bytes).
func (r Report) String() string {
	var b strings.Builder
	var size, compressed int
	for _, f := range r {
		fmt.Fprintf(&b, "%9.1f kB %9.1f kB br  %s\n", float64(f.Size)/1e3, float64(f.Compressed)/1e3, f.Path)
		size += f.Size
		compressed += f.Compressed
	}
	fmt.Fprintf(&b, "%9.1f kB %9.1f kB br  in all\n", float64(size)/1e3, float64(compressed)/1e3)
	return b.String()
}

// compressible are the extensions of files to serve with brotli. The other files are PNG, which is
// already compressed.
var compressible = []string{".css", ".csv", ".dot", ".html", ".js", ".json", ".mjs", ".star", ".svg", ".tr", ".txt", ".wasm", ".webmanifest", ".yaml"}

// compress writes a .br file for each compressible file in dir.
func compress(dir string, quality int) (Report, error) {
	var report Report
	err := filepath.WalkDir(dir, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		report = append(report, File{Path: filepath.ToSlash(name)})
		return err
	})
	if err != nil {
		return nil, err
	}

	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i := range report {
		work.Go(func() error { return compressFile(dir, &report[i], quality) })
	}
	return report, work.Wait()
}

// window is the binary logarithm of brotli's window. It is the largest that browsers accept,
// because the engine is larger than the window.
const window = 24

func compressFile(dir string, f *File, quality int) error {
	file := filepath.Join(dir, filepath.FromSlash(f.Path))
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	f.Size = len(content)
	if !slices.Contains(compressible, filepath.Ext(file)) {
		return nil
	}
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: quality, LGWin: window})
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	f.Compressed = b.Len()
	return os.WriteFile(file+".br", b.Bytes(), 0o644)
}
