package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"berth/engine/input/format/sniff"
	"berth/engine/input/packed"
	"berth/engine/scenario"
	"berth/engine/show"
)

// stdin is the name of standard input in messages.
const stdin = "<stdin>"

// input is a file, a group of files that are read as one, or a stream that can be read only once:
// standard input, a pipe, or the output of kubectl.
type input struct {
	name  string       // name for messages
	size  int64        // size in bytes; 0 if unknown
	parts sniff.Opener // opens the concatenated files of a group; otherwise nil
	once  io.Reader    // the stream; nil for files
	kept  []byte       // beginning of the stream, so that a short one can be read again
	lost  bool         // the stream has been read beyond the kept part
	last  io.Closer    // the open file or stream source; nil: nothing to close
}

// input finds an input by name. "-" is standard input, which only one argument of a command may
// use. In the plug-in, a name that begins with kubectlFile fetches a dump with kubectl.
func (c *call) input(name string) (*input, error) {
	if one := c.together[name]; one != nil {
		return one, nil
	}
	if context, asks := strings.CutPrefix(name, kubectlFile); asks && c.plugin {
		out, err := c.get(context)
		return &input{name: cmp.Or(context, "current"), once: out, last: out}, err
	}
	if name == "-" {
		if c.stdinUsed {
			return nil, c.misuse(`"-" is given twice, but standard input can be read only once`)
		}
		c.stdinUsed = true
		return &input{name: stdin, once: &interruptible{c, c.in}}, nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, unreadable(name, err)
	case info.IsDir():
		return nil, badInputf("%s: is a directory, not a file", name)
	case info.Mode().IsRegular():
		return &input{name: name, size: info.Size()}, nil
	}
	file, err := os.Open(name) // the file is a pipe or a device
	if err != nil {
		return nil, unreadable(name, err)
	}
	return &input{name: name, once: &interruptible{c, file}, last: file}, nil
}

// open returns a reader from the beginning. It invalidates the reader that the previous call
// returned.
func (in *input) open() (io.Reader, error) {
	switch {
	case in.parts != nil:
		return in.parts()
	case in.lost:
		return nil, badInputf("%s: has to be read twice, and is neither a file nor within %d MiB: write it to a file and give its name", in.name, scenario.MaxBytes>>20)
	case in.once != nil:
		return &onceMore{input: in}, nil
	}
	in.close()
	file, err := os.Open(in.name)
	if err != nil {
		return nil, err
	}
	in.last = file
	return file, nil
}

// first opens an input that is read only once.
func (in *input) first() (io.Reader, error) {
	if in.once != nil {
		return in.once, nil
	}
	r, err := in.open()
	if err != nil {
		return nil, unreadable(in.name, err)
	}
	return r, nil
}

// unpacked opens the input and decompresses it.
func (in *input) unpacked() (io.Reader, error) {
	r, err := in.open()
	if err != nil {
		return nil, unreadable(in.name, err)
	}
	return packed.NewText(r, in.size), nil
}

// close closes the input. It returns an error if kubectl failed.
func (in *input) close() error {
	if in.last == nil {
		return nil
	}
	return in.last.Close()
}

// read returns the content of a file, at most scenario.MaxBytes, and the name of the file for
// messages.
func (c *call) read(name string) (string, []byte, error) { return c.readUpTo(name, scenario.MaxBytes) }

func (c *call) readUpTo(name string, most int) (string, []byte, error) {
	in, err := c.input(name)
	if err != nil {
		return "", nil, err
	}
	var data []byte
	if in.size > int64(most) {
		return in.name, nil, badInputf("%s:1:1: the file has %d bytes; at most %d (%d MiB) are read", name, in.size, most, most>>20)
	}
	r, err := in.first()
	if err == nil {
		data, err = readAll(in.name, r, most)
	}
	if closed := in.close(); closed != nil { // kubectl failed
		err = closed
	}
	return in.name, data, err
}

// text is read with decompression.
func (c *call) text(name string, most int) (string, []byte, error) {
	name, data, err := c.readUpTo(name, most)
	if err != nil {
		return name, nil, err
	}
	data, err = unpacked(name, data, most)
	return name, data, err
}

func unpacked(name string, data []byte, most int) ([]byte, error) {
	text, err := packed.Unpack(data, most)
	if err != nil {
		return nil, badInputf("%s: %w", name, err)
	}
	return text, wantText(name, text)
}

func wantText(name string, data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return badInputf("%s:1:1: the file is empty", name)
	}
	return nil
}

func readAll(name string, r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	switch {
	case err != nil:
		return nil, unreadable(name, err)
	case len(data) > most:
		return nil, badInputf("%s:1:1: there are more than %d bytes (%d MiB), which is the limit", name, most, most>>20)
	}
	return data, wantText(name, data)
}

func unreadable(name string, err error) error {
	if errors.Is(err, context.Canceled) { // an interrupt, not a fault of the input
		return fmt.Errorf("%s: %w", show.Text(name), err)
	}
	return badInputf("%s: %w", show.Text(name), pathless(err))
}

// pathless strips the operation and the path from a file error, because Berth's messages name the
// file themselves.
func pathless(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}
