package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"berth/engine/input/format/sniff"
)

// joined returns a name for the files of a flag: "" for no file, the name itself for one file, and
// a common name for several files that belong together. A folder counts as its files.
func (c *call) joined(names []string) (string, error) {
	inside := names
	if len(names) < 2 {
		folder := strings.Join(names, "")
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return folder, nil // the reader of the file reports errors
		}
		var err error
		if inside, err = filesOf(folder); err != nil {
			return "", err
		}
	}
	one, left, err := c.belonging(inside)
	switch {
	case err != nil:
		return "", err
	case one.name == "" && len(names) == 1:
		return "", badInputf("%s: is a folder without tables that belong together: give the name of a file in it", names[0])
	case len(left) > 0 && len(names) > 1:
		return "", badInputf("%s: does not belong to %s: give it alone", names[left[0]], names[(left[0]+1)%len(names)])
	}
	if c.together == nil {
		c.together = map[string]*input{}
	}
	c.together[one.name] = one
	return one.name, nil
}

func filesOf(folder string) (files []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, unreadable(folder, err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() && e.Name()[0] != '.' {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	if len(files) > sniff.MostTogether {
		return nil, badInputf("%s: the folder has more than %d files: give the names of those that belong together", folder, sniff.MostTogether)
	}
	return files, nil
}

// belonging combines the files that belong together into one input. left has the indexes of the
// others.
func (c *call) belonging(files []string) (one *input, left []int, err error) {
	one = &input{}
	all, names, open := make([]*input, len(files)), make([]string, len(files)), make([]sniff.Opener, len(files))
	for i, file := range files {
		if all[i], err = c.input(file); err != nil {
			return nil, nil, err
		}
		names[i], open[i] = all[i].name, all[i].unpacked
	}
	one.name, one.parts, left, err = sniff.JoinFiles(names, open)
	for i, in := range all {
		if !slices.Contains(left, i) {
			one.size += in.size
		}
		if in.once == nil {
			in.close()
		}
	}
	return one, left, err
}

// headOf returns the decompressed beginning of a file. It returns "" for a stream, which can be
// read only once, and for a file that cannot be read, whose reader reports the error.
func headOf(name string) string {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	in := &input{name: name}
	defer in.close()
	text, err := in.unpacked()
	if err != nil {
		return ""
	}
	head, _ := io.ReadAll(io.LimitReader(text, sniff.Most))
	return string(head)
}
