package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"berth/engine/packed"
	"berth/engine/scenario"
)

// reopenable is a file, or several files read as one, that can be read from the start again.
type reopenable struct {
	name string
	once *stream // set for standard input or a pipe
	size int64   // 0: unknown
	last io.Closer
	all  []*reopenable // the parts, if it is several files
}

func (c *call) reopenable(name string) (*reopenable, error) {
	if names := c.together[name]; names != nil {
		return c.several(name, names)
	}
	if info, err := os.Stat(name); name != "-" && err == nil && info.Mode().IsRegular() {
		return &reopenable{name: name, size: info.Size()}, nil
	}
	in, err := c.open(name)
	if err != nil {
		return nil, err
	}
	return &reopenable{name: in.name, once: &stream{name: in.name, from: in}, last: in}, nil
}

// open starts again from the beginning. It closes the reader that it returned before, because only
// the last reader is in use.
func (r *reopenable) open() (io.Reader, error) {
	switch {
	case r.all != nil:
		return r.openAll()
	case r.once != nil:
		return r.once.open()
	}
	r.close()
	file, err := os.Open(r.name)
	r.last = file
	return file, err
}

// unpacked opens the file and unpacks it.
func (r *reopenable) unpacked() (io.Reader, error) {
	in, err := r.open()
	if err != nil {
		return nil, unreadable(r.name, err)
	}
	return packed.NewText(in, r.size), nil
}

// close closes all open readers.
func (r *reopenable) close() {
	if r.last != nil {
		r.last.Close()
	}
	for _, part := range r.all {
		part.close()
	}
}

// files holds the files that a document refers to, by slot.
type files map[string]*reopenable

// add finds the file of a slot, and sets the source's name to the file's name for messages.
func (f files) add(c *call, slot scenario.Slot) (err error) {
	f[slot.Name], err = c.reopenable(slot.Source.Name)
	if err == nil {
		slot.Source.Name = f[slot.Name].name
	}
	return err
}

// open opens the file of a slot, for scenario.Env.
func (f files) open(slot string) (io.Reader, int64, error) {
	file, ok := f[slot]
	if !ok {
		return nil, 0, scenario.ErrNoText
	}
	r, err := file.open()
	return r, file.size, err
}

// close closes all open readers.
func (f files) close() {
	for _, file := range f {
		file.close()
	}
}

// beside finds the files that a scenario of a document refers to, only in the document's folder or
// below it, because someone else may have written the scenario.
func (c *call) beside(s scenario.Scenario, d *document) (files, error) {
	where := "the folder " + d.folder
	if d.folder == "." {
		where = "the current folder"
	}
	found := files{}
	for _, slot := range s.Slots() {
		if !slot.Source.Beside() {
			continue
		}
		wrong := func(format string, args ...any) (files, error) {
			return nil, badInputf("%s: %s: the file %.200q %s", d.file, slot.Name, slot.Source.Name, fmt.Sprintf(format, args...))
		}
		source := scenario.Source{Name: filepath.Join(d.folder, slot.Source.Name)}
		switch {
		case slot.Source.Name == "-":
			return wrong("would be standard input, which a scenario cannot read; give the name of a file in its folder")
		case !filepath.IsLocal(slot.Source.Name):
			return wrong("is not in the folder of the scenario: put it there")
		}
		if o := c.overwrites(source.Name); o != nil {
			return wrong("is the --%s as well, and would be lost", o.flag)
		}
		err := found.add(c, scenario.Slot{Name: slot.Name, Source: &source})
		if errors.Is(err, fs.ErrNotExist) {
			return wrong("was not found: put it into %s", where)
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// eachFile calls do for each file that a scenario of a document refers to.
func (c *call) eachFile(s scenario.Scenario, d *document, do func(slot scenario.Slot, file *reopenable) error) error {
	found, err := c.beside(s, d)
	if err != nil {
		return err
	}
	defer found.close()
	for _, slot := range s.Slots() {
		if file := found[slot.Name]; file != nil {
			if err := do(slot, file); err != nil {
				return err
			}
		}
	}
	return nil
}
