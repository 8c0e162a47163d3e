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

	"berth/engine/packed"
	"berth/engine/scenario"
	"berth/engine/show"
)

// stdin is the name of standard input in messages.
const stdin = "<stdin>"

// input is an open file, standard input, or the output of kubectl.
type input struct {
	io.ReadCloser
	name string // for messages
	size int64  // 0: unknown
}

// open opens a file. "-" is standard input, which only one part of a command may read. In the
// plug-in, a name that begins with kubectlFile asks kubectl.
func (c *call) open(name string) (*input, error) {
	if context, asks := strings.CutPrefix(name, kubectlFile); asks && c.plugin {
		out, err := c.get(context)
		return &input{out, cmp.Or(context, "current"), 0}, err
	}
	if name == "-" {
		if c.stdinUsed {
			return nil, c.misuse(`"-" is given twice, but standard input can be read only once`)
		}
		c.stdinUsed = true
		return &input{io.NopCloser(&interruptible{c, c.in}), stdin, 0}, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = unreadable(name, err)
	case info.IsDir():
		err = badInputf("%s: is a directory, not a file", name)
	case info.Mode().IsRegular():
		return &input{file, name, info.Size()}, nil
	default: // a pipe or a device
		return &input{struct {
			io.Reader
			io.Closer
		}{&interruptible{c, file}, file}, name, 0}, nil
	}
	file.Close()
	return nil, err
}

// read returns the name of a file for messages, and its content of at most scenario.MaxBytes.
func (c *call) read(name string) (string, []byte, error) { return c.readUpTo(name, scenario.MaxBytes) }

func (c *call) readUpTo(name string, most int) (string, []byte, error) {
	in, err := c.open(name)
	if err != nil {
		return "", nil, err
	}
	var data []byte
	if in.size > int64(most) {
		err = badInputf("%s:1:1: the file has %d bytes; at most %d (%d MiB) are read", name, in.size, most, most>>20)
	} else {
		data, err = readAll(in.name, in, most)
	}
	if closed := in.Close(); closed != nil { // kubectl failed
		err = closed
	}
	return in.name, data, err
}

// text is read for a file that may be packed with gzip.
func (c *call) text(name string) (string, []byte, error) { return c.textUpTo(name, scenario.MaxBytes) }

func (c *call) textUpTo(name string, most int) (string, []byte, error) {
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

// wantText returns an error for a file without text.
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
