package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// output is a file that a command writes. Until it is complete it stands beside
// its place under another name: whoever looks, sees the file as it was or as it
// is to be, and a command that fails changes nothing.
type output struct {
	flag, name string
	to         io.Writer
	file       *os.File // nil for standard output
	beside     string   // the name until it is complete; empty for a device
	place      string   // the name then: that of the file which a symbolic link names
}

// String implements [flag.Value].
func (o *output) String() string { return "" }

// Set implements [flag.Value].
func (o *output) Set(name string) error {
	o.name = name
	return nil
}

// mixesWith says whether the output would stand in one file with what goes to
// standard output.
func (o *output) mixesWith(standard io.Writer) bool {
	if o.to == nil || o.file != nil {
		return false
	}
	info, err := stat(standard)
	return o.name == "-" || err == nil && info.Mode().IsRegular()
}

// Write implements [io.Writer].
func (o *output) Write(data []byte) (int, error) {
	n, err := o.to.Write(data)
	if err != nil {
		err = fmt.Errorf("%s: %w", o.name, pathless(err))
	}
	return n, err
}

// claim prepares the output of the command before anything is read. None of the
// inputs may be the same file.
func (c *call) claim(inputs []string) error {
	o := c.output
	if o == nil || o.name == "" {
		return nil
	}
	for _, name := range inputs {
		if c.overwrites(name) {
			return c.misuse("--%s: %s is the input %s as well, which would be lost; expected another file", o.flag, o.name, name)
		}
	}
	if err := o.open(c.out); err != nil {
		return c.misuse("--%s: %s: %v", o.flag, o.name, pathless(err))
	}
	return nil
}

// overwrites says whether a file, which "-" is as well, is the one that the
// output replaces, by whatever name. Devices are not replaced.
func (c *call) overwrites(name string) bool {
	if c.output == nil || c.output.name == "" {
		return false
	}
	at, err := os.Stat(c.output.name)
	if err != nil || !at.Mode().IsRegular() {
		return false
	}
	input, err := os.Stat(name)
	if name == "-" {
		input, err = stat(c.in)
	}
	return err == nil && os.SameFile(at, input)
}

// stat says which file a stream is, if any.
func stat(stream any) (fs.FileInfo, error) {
	if file, ok := stream.(*os.File); ok {
		return file.Stat()
	}
	return nil, os.ErrInvalid
}

// open finds the place of an output. What is no ordinary file, such as a pipe,
// is written as it is.
func (o *output) open(standard io.Writer) error {
	info, err := os.Stat(o.name)
	out, noFile := stat(standard)
	switch {
	case o.name == "-", err == nil && noFile == nil && os.SameFile(info, out):
		o.to = standard
		return nil
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(o.name); err == nil {
			return errors.New("is a link to a file that is not there")
		}
		o.place = o.name
		return o.createBeside()
	case err != nil:
		return err
	}
	if o.file, err = os.OpenFile(o.name, os.O_WRONLY, 0); err != nil {
		return err
	}
	if o.to = o.file; !info.Mode().IsRegular() {
		return nil
	}
	o.file.Close() // it only had to be one that may be written
	if o.place, err = filepath.EvalSymlinks(o.name); err != nil {
		return err
	}
	if err := o.createBeside(); err != nil {
		return err
	}
	return o.file.Chmod(info.Mode().Perm())
}

func (o *output) createBeside() (err error) {
	o.beside = filepath.Join(filepath.Dir(o.place), ".berth-"+strconv.FormatUint(rand.Uint64(), 36))
	if o.file, err = os.OpenFile(o.beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
		o.beside = ""
	}
	o.to = o.file
	return err
}

// complete ends an output and puts it into its place.
func (o *output) complete() error {
	if o.file == nil {
		return nil
	}
	err := o.file.Close()
	if err == nil && o.beside != "" {
		if err = os.Rename(o.beside, o.place); err == nil {
			o.beside = ""
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.name, pathless(err))
	}
	return nil
}

// discard takes away what has not become complete.
func (o *output) discard() {
	if o != nil && o.beside != "" {
		o.file.Close()
		os.Remove(o.beside)
	}
}

// write writes the result of a command to its output, or to standard output if
// none was asked for.
func (c *call) write(data []byte) error {
	if c.output == nil || c.output.to == nil {
		_, err := c.out.Write(data)
		return err
	}
	if _, err := c.output.Write(data); err != nil {
		return err
	}
	return c.output.complete()
}
