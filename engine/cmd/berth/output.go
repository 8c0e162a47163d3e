package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"berth/engine/scenario"
)

// insteadOfStandard is the help text of --output.
const insteadOfStandard = "write to `FILE` instead of standard output"

// output is a file that a command writes atomically. Until it is complete it has another name in
// the same folder. So a reader sees either the old file or the new one, and a failing command
// changes nothing.
type output struct {
	flag, name string
	to         io.Writer
	file       *os.File // nil for standard output
	beside     string   // temporary name; "" for a device
	place      string   // absolute path of the final name, with symbolic links resolved; "" for a device
}

// String implements [flag.Value].
func (o *output) String() string { return "" }

// Type implements [flag.Value].
func (*output) Type() string { return "FILE" }

// Set implements [flag.Value].
func (o *output) Set(name string) error {
	o.name = name
	return nil
}

// Write implements [io.Writer].
func (o *output) Write(data []byte) (int, error) {
	n, err := o.to.Write(data)
	if err != nil {
		err = fmt.Errorf("%s: %w", o.name, pathless(err))
	}
	return n, err
}

// claim opens the outputs that are not open yet, before anything is read. It returns an error if an
// output is an input, or if two outputs are the same file.
func (c *call) claim(inputs []string) error {
	for _, name := range inputs {
		if o := c.overwrites(name); o != nil {
			return c.misuse("--%s: %s is the input %s as well, which would be lost; expected another file", o.flag, o.name, name)
		}
	}
	places := map[string]string{} // flag by path of its output
	for _, o := range c.outputs {
		if o.name == "" {
			continue
		}
		if o.to == nil {
			if err := o.open(c.out); err != nil {
				return c.misuse("--%s: %s: %v", o.flag, o.name, pathless(err))
			}
		}
		if other := places[o.place]; o.place != "" && other != "" {
			return c.misuse("--%s: %s is the --%s as well, which would be lost; expected another file", o.flag, o.name, other)
		}
		places[o.place] = o.flag
	}
	for _, o := range c.outputs {
		if first := c.primary(); o != first && o.standard() && (first == nil || first.standard()) {
			return c.misuse("--%s: standard output is for the report; expected the name of a file", o.flag)
		}
	}
	return nil
}

// absolute returns the absolute path, without symbolic links, of a file in an existing folder. The
// file need not exist.
func absolute(file string) (string, error) {
	folder, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return "", err
	}
	folder, err = filepath.Abs(folder)
	return filepath.Join(folder, filepath.Base(file)), err
}

// overwrites returns the output that would replace the named file, even under another name; nil if
// none would. The name "-" means standard input. Devices are never replaced.
func (c *call) overwrites(name string) *output {
	input, err := os.Stat(name)
	if name == "-" {
		input, err = stat(c.in)
	}
	if err != nil {
		return nil
	}
	for _, o := range c.outputs {
		at, err := os.Stat(o.name)
		if err == nil && at.Mode().IsRegular() && os.SameFile(at, input) {
			return o
		}
	}
	return nil
}

// stat returns the file that a stream reads or writes; an error if the stream is not a file.
func stat(stream any) (fs.FileInfo, error) {
	if file, ok := stream.(*os.File); ok {
		return file.Stat()
	}
	return nil, os.ErrInvalid
}

func (o *output) standard() bool { return o.to != nil && o.file == nil }

// open opens an output. It writes to devices and pipes directly, including through standard output.
func (o *output) open(standard io.Writer) error {
	info, err := os.Stat(o.name)
	out, noFile := stat(standard)
	switch {
	case o.name == "-", err == nil && noFile == nil && out.Mode().IsRegular() && os.SameFile(info, out):
		o.to = standard
		return nil
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(o.name); err == nil {
			return errors.New("links to a file that does not exist")
		}
		return o.createBeside(o.name)
	case err != nil:
		return err
	}
	o.file, err = os.OpenFile(o.name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	o.to = o.file
	if !info.Mode().IsRegular() {
		return nil
	}
	o.file.Close() // it was opened only to check that it can be written
	final, err := filepath.EvalSymlinks(o.name)
	if err != nil {
		return err
	}
	if err := o.createBeside(final); err != nil {
		return err
	}
	return o.file.Chmod(info.Mode().Perm())
}

// createBeside creates the temporary file in the folder of the final one.
func (o *output) createBeside(final string) (err error) {
	o.place, err = absolute(final)
	if err != nil {
		return err
	}
	o.beside = filepath.Join(filepath.Dir(o.place), ".berth-"+strconv.FormatUint(rand.Uint64(), 36))
	o.file, err = os.OpenFile(o.beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		o.beside = ""
	}
	o.to = o.file
	return err
}

// complete closes an output and moves it to its final name.
func (o *output) complete() error {
	if o.file == nil {
		return nil
	}
	err := o.file.Close()
	if err == nil && o.beside != "" {
		err = os.Rename(o.beside, o.place)
		if err == nil {
			o.beside = ""
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.name, pathless(err))
	}
	return nil
}

// discard closes and deletes the temporary files of outputs that were not completed, so that a
// failed command leaves existing files unchanged.
func (c *call) discard() {
	for _, o := range c.outputs {
		if o.beside != "" {
			o.file.Close()
			os.Remove(o.beside)
		}
	}
}

// whole writes all of an output and completes it.
func (o *output) whole(data []byte) error {
	if _, err := o.Write(data); err != nil {
		return err
	}
	return o.complete()
}

// primary returns the output that replaces standard output; nil if there is none.
func (c *call) primary() *output {
	if len(c.outputs) == 0 || c.outputs[0].flag != "output" || c.outputs[0].to == nil {
		return nil
	}
	return c.outputs[0]
}

// write writes the last part of a command's result and completes the output.
func (c *call) write(data []byte) error {
	err := c.begin(data)
	if o := c.primary(); o != nil && err == nil {
		return o.complete()
	}
	return err
}

// begin writes the next part of a result; write ends the result.
func (c *call) begin(data []byte) error {
	to := c.out
	if o := c.primary(); o != nil {
		to = o
	}
	_, err := to.Write(data)
	return err
}

func (c *call) print(as string, v any, text func(io.Writer)) error {
	if as != "text" {
		return c.writeJSON(v)
	}
	var b bytes.Buffer
	text(&b)
	return c.write(b.Bytes())
}

// conclude prints the result of a run. It returns errInterrupted for a partial run, and
// errNotPlaced if something was not placed.
func (c *call) conclude(as string, v any, text func(io.Writer), partial, complete bool) error {
	err := c.print(as, v, text)
	switch {
	case err != nil:
		return err
	case partial:
		return errInterrupted
	case !complete:
		return errNotPlaced
	}
	return nil
}

func (c *call) writeJSON(v any) error {
	data, err := scenario.JSON(v)
	if err != nil {
		return err
	}
	return c.write(data)
}

// finish writes a result. If the result is incomplete, finish lists the missing parts on standard
// error and returns errNotPlaced.
func (c *call) finish(data []byte, r *scenario.Report) error {
	if err := c.write(data); err != nil {
		return err
	}
	if r.Complete() {
		return nil
	}
	for _, line := range r.Left() {
		fmt.Fprintln(c.errs, line)
	}
	return errNotPlaced
}
