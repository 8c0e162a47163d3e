package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"berth/engine/packed"
	"berth/engine/scenario"
	"berth/engine/show"
)

// stdin is the name of standard input in messages.
const stdin = "<stdin>"

// read returns the name of a file for messages, and its content of at most scenario.MaxBytes; "-"
// is standard input.
func (c *call) read(name string) (string, []byte, error) { return c.readUpTo(name, scenario.MaxBytes) }

func (c *call) readUpTo(name string, most int) (string, []byte, error) {
	if name == "-" {
		in, err := c.standardInput()
		if err != nil {
			return "", nil, err
		}
		data, err := readAll(stdin, &interruptible{c, in}, most)
		if c.Err() != nil {
			err = fmt.Errorf("%s: %w", stdin, c.Err())
		}
		return stdin, data, err
	}
	file, err := os.Open(name)
	if err != nil {
		return "", nil, unreadable(name, err)
	}
	defer file.Close()
	switch info, err := file.Stat(); {
	case err != nil:
		return "", nil, unreadable(name, err)
	case info.IsDir():
		return "", nil, badInputf("%s: is a directory, not a file", name)
	case info.Size() > int64(most):
		return "", nil, badInputf("%s:1:1: the file has %d bytes; at most %d (%d MiB) are read", name, info.Size(), most, most>>20)
	}
	data, err := readAll(name, file, most)
	return name, data, err
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
