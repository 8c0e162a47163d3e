package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"berth/engine/scenario"
)

// files holds the files that a document refers to, by slot.
type files map[string]*input

// add finds the file of a slot, and sets the source's name to the file's name for messages.
func (f files) add(c *call, slot scenario.Slot) (err error) {
	f[slot.Name], err = c.input(slot.Source.Name)
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

// beside finds the files of a scenario in a document. It accepts only files in the document's
// folder or below, because another person may have written the scenario.
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

func (c *call) eachFile(s scenario.Scenario, d *document, do func(slot scenario.Slot, file *input) error) error {
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
