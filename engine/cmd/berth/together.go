package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"berth/engine/format/sniff"
	"berth/engine/packed"
)

// mostTogether limits the files of a folder or a command that are looked at.
const mostTogether = 100

// joined returns a name for the files of a flag: "" for none, the name itself for one, and a common
// name for several that belong together. A folder counts as its files.
func (c *call) joined(names []string) (string, error) {
	inside := names
	if len(names) < 2 {
		folder := strings.Join(names, "")
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return folder, nil // its reader reports its errors
		}
		var err error
		if inside, err = filesOf(folder); err != nil {
			return "", err
		}
	}
	all, err := belonging(inside)
	switch {
	case err != nil:
		return "", err
	case all == nil && len(names) == 1:
		return "", badInputf("%s: is a folder without tables that belong together: give the name of a file in it", names[0])
	case len(all) < len(names):
		i := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(all, name) })
		return "", badInputf("%s: does not belong to %s: give it alone", names[i], names[(i+1)%len(names)])
	}
	return c.remember(all), nil
}

// remember returns a common name for several files; input finds the files by it.
func (c *call) remember(all []string) string {
	if c.together == nil {
		c.together = map[string][]string{}
	}
	name := strings.Join(all, " + ")
	c.together[name] = all
	return name
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
	if len(files) > mostTogether {
		return nil, badInputf("%s: the folder has more than %d files: give the names of those that belong together", folder, mostTogether)
	}
	return files, nil
}

// belonging returns the files that belong together, in the order in which to read them.
func belonging(names []string) (all []string, err error) {
	heads := make([]string, len(names))
	for i, name := range names {
		if heads[i], err = headOf(name); err != nil {
			return nil, err
		}
	}
	for _, i := range sniff.Together(heads) {
		all = append(all, names[i])
	}
	return all, nil
}

// headOf returns the unpacked beginning of a file; "" if it cannot be unpacked.
func headOf(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", unreadable(name, err)
	}
	defer file.Close()
	head, _ := io.ReadAll(io.LimitReader(packed.NewText(file, 0), sniff.Most))
	return string(head), nil
}

// several returns files that are read one after the other.
func (c *call) several(name string, names []string) (*input, error) {
	r := &input{name: name}
	for _, one := range names {
		part, err := c.input(one)
		if err != nil {
			return nil, err
		}
		r.all, r.size = append(r.all, part), r.size+part.size
	}
	return r, nil
}

// openAll opens all parts, unpacked, each behind a line with its name.
func (in *input) openAll() (io.Reader, error) {
	var all []io.Reader
	for _, part := range in.all {
		text, err := part.unpacked()
		if err != nil {
			return nil, err
		}
		all = append(all, strings.NewReader(sniff.SectionLine(part.name)), text)
	}
	return io.MultiReader(all...), nil
}
