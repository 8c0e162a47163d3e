package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"berth/engine/input/format/sniff"
	"berth/engine/show"
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
	one, err := c.belonging(inside)
	switch {
	case err != nil:
		return "", err
	case one.all == nil && len(names) == 1:
		return "", badInputf("%s: is a folder without tables that belong together: give the name of a file in it", names[0])
	case len(one.all) < len(names):
		i := slices.IndexFunc(names, func(name string) bool {
			return !slices.ContainsFunc(one.all, func(part *input) bool { return part.name == name })
		})
		return "", badInputf("%s: does not belong to %s: give it alone", names[i], names[(i+1)%len(names)])
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
	if len(files) > mostTogether {
		return nil, badInputf("%s: the folder has more than %d files: give the names of those that belong together", folder, mostTogether)
	}
	return files, nil
}

// belonging returns the files that belong together as one, in the order in which to read them.
func (c *call) belonging(names []string) (*input, error) {
	parts, heads := make([]*input, len(names)), make([]string, len(names))
	for i, name := range names {
		var err error
		if parts[i], err = c.input(name); err == nil {
			heads[i], err = parts[i].head()
		}
		if err != nil {
			return nil, err
		}
	}
	one := &input{}
	for _, i := range sniff.Together(heads) {
		one.all, one.size = append(one.all, parts[i]), one.size+parts[i].size
	}
	one.name = show.Joined(one.all, " + ", func(part *input) string { return part.name })
	return one, nil
}

// head returns the unpacked beginning of an input; "" if it cannot be unpacked.
func (in *input) head() (string, error) {
	text, err := in.unpacked()
	if err != nil {
		return "", err
	}
	head, _ := io.ReadAll(io.LimitReader(text, sniff.Most))
	if in.once == nil {
		in.close()
	}
	return string(head), nil
}

// headOf returns the unpacked beginning of a file; "" for a stream, which can be read only once, and for
// a file that cannot be read: its reader reports the error.
func headOf(name string) string {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	head, _ := (&input{name: name}).head()
	return head
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
