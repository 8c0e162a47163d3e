package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"berth/engine/scenario"
)

// reopenable is a file, or several files read as one, that can be read from the start again.
type reopenable struct {
	name string
	once *stream // set for standard input or a pipe
	size int64   // 0: unknown
	last *os.File
	all  []*reopenable // the parts, if it is several files
}

func (c *call) reopenable(name string) (*reopenable, error) {
	if names := c.together[name]; names != nil {
		return c.several(name, names)
	}
	if name == "-" {
		in, err := c.standardInput()
		return &reopenable{name: stdin, once: c.stream(stdin, in)}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	switch {
	case info.IsDir():
		return nil, badInputf("%s: is a directory, not a file", name)
	case !info.Mode().IsRegular():
		pipe, err := os.Open(name)
		if err != nil {
			return nil, unreadable(name, err)
		}
		return &reopenable{name: name, once: c.stream(name, pipe), last: pipe}, nil
	}
	return &reopenable{name: name, size: info.Size()}, nil
}

// open starts again from the beginning. It closes the reader that it returned before, because only
// the last reader is in use.
func (r *reopenable) open() (io.Reader, error) {
	if r.all != nil {
		return r.openAll()
	}
	if r.once != nil {
		return r.once.open()
	}
	if r.last != nil {
		r.last.Close()
	}
	var err error
	r.last, err = os.Open(r.name)
	return r.last, err
}

// files holds the files that a document refers to, by slot.
type files struct {
	*call
	bySlot map[string]*reopenable
}

// add finds the file of a slot, and sets the source's name to the file's name for messages.
func (f *files) add(slot scenario.Slot) error {
	file, err := f.reopenable(slot.Source.Name)
	if err != nil {
		return err
	}
	if f.bySlot == nil {
		f.bySlot = map[string]*reopenable{}
	}
	f.bySlot[slot.Name], slot.Source.Name = file, file.name
	return nil
}

// besideOf finds the files that a scenario refers to, only in its folder or below it, because
// someone else may have written the scenario.
func (f *files) besideOf(s scenario.Scenario, name, folder string) error {
	where := "the folder " + folder
	if folder == "." {
		where = "the current folder"
	}
	for _, slot := range s.Slots() {
		if !slot.Source.Beside() {
			continue
		}
		wrong := func(format string, args ...any) error {
			return badInputf("%s: %s: the file %.200q %s", name, slot.Name, slot.Source.Name, fmt.Sprintf(format, args...))
		}
		source := scenario.Source{Name: filepath.Join(folder, slot.Source.Name)}
		switch {
		case slot.Source.Name == "-":
			return wrong("would be standard input, which a scenario cannot read; give the name of a file in its folder")
		case !filepath.IsLocal(slot.Source.Name):
			return wrong("is not in the folder of the scenario: put it there")
		}
		if o := f.overwrites(source.Name); o != nil {
			return wrong("is the --%s as well, and would be lost", o.flag)
		}
		err := f.add(scenario.Slot{Name: slot.Name, Source: &source})
		if errors.Is(err, fs.ErrNotExist) {
			return wrong("was not found: put it into %s", where)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// open opens the file of a slot, for scenario.Env.
func (f *files) open(slot string) (io.Reader, int64, error) {
	file, ok := f.bySlot[slot]
	if !ok {
		return nil, 0, scenario.ErrNoText
	}
	r, err := file.open()
	return r, file.size, err
}

// close closes all open readers.
func (f *files) close() {
	for _, file := range f.bySlot {
		file.close()
	}
}
