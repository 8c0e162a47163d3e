package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Options are the options of a build.
type Options struct {
	Root    string // root of the repository, with go.mod
	Out     string // directory of the site; its previous content is replaced
	Quality int    // of brotli, 0 to 11
	Origin  string // for link previews; "" for none
	Base    string // path of the site on its host: "/" (or ""), or "/berth/"
}

// Site builds the static site into o.Out and reports the sizes of its files. A failed
// build leaves the previous site unchanged.
func Site(ctx context.Context, o Options) (Report, error) {
	if o.Quality < 0 || o.Quality > 11 {
		return nil, fmt.Errorf("brotli quality is %d; it must be 0 to 11", o.Quality)
	}
	base, err := prefixOf(o.Base)
	if err != nil {
		return nil, err
	}
	a, err := gather(ctx, o.Root, base)
	if err != nil {
		return nil, err
	}
	out, err := filepath.Abs(o.Out)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return nil, err
	}
	// In the same directory, so that the last step is a rename.
	draft, err := os.MkdirTemp(filepath.Dir(out), ".site-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(draft)
	if err := os.Chmod(draft, 0o755); err != nil {
		return nil, err
	}

	module, err := a.module(o.Root)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(writeFiles(draft, a.content), writeFiles(draft, module)); err != nil {
		return nil, err
	}
	if err := writePages(draft, a, o.Origin); err != nil {
		return nil, err
	}
	report, err := compress(draft, o.Quality)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	return report, os.Rename(draft, out)
}
