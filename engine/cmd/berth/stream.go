package main

import (
	"io"

	"berth/engine/fault"
	"berth/engine/scenario"
)

// stream is standard input or a pipe, which can be read only once. It keeps the first
// scenario.MaxBytes, so that a shorter stream can be opened again.
type stream struct {
	name string
	from io.Reader
	kept []byte
	lost bool // more was read than is kept
}

// open starts from the beginning, and ends the reader that it returned before.
func (s *stream) open() (io.Reader, error) {
	if s.lost {
		return nil, badInputf("%s: has to be read twice, and is neither a file nor within %d MiB: write it to a file and give its name", s.name, scenario.MaxBytes>>20)
	}
	return &streamReader{stream: s}, nil
}

type streamReader struct {
	*stream
	at int // offset in kept
}

// Read implements [io.Reader].
func (r *streamReader) Read(buffer []byte) (int, error) {
	if n := copy(buffer, r.kept[min(r.at, len(r.kept)):]); n > 0 {
		r.at += n
		return n, nil
	}
	n, err := r.from.Read(buffer)
	r.at += n
	if r.lost = r.lost || len(r.kept)+n > scenario.MaxBytes; r.lost {
		r.kept = nil
	} else {
		r.kept = append(r.kept, buffer[:n]...)
	}
	return n, err
}

// interruptible reads from a slow person or program: an interrupt ends the wait.
type interruptible struct {
	call *call
	from io.Reader
}

// Read implements [io.Reader].
func (r *interruptible) Read(buffer []byte) (int, error) {
	type reading struct {
		data []byte
		err  error
	}
	done := make(chan reading, 1)
	go func() {
		own := make([]byte, len(buffer)) // after an interrupt the caller may reuse buffer
		n := 0
		err := fault.Guard(func() (err error) {
			n, err = r.from.Read(own)
			return err
		})
		done <- reading{own[:n], err}
	}()
	select {
	case read := <-done:
		return copy(buffer, read.data), read.err
	case <-r.call.Done():
		return 0, r.call.Err()
	}
}
