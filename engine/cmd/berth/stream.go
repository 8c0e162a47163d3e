package main

import (
	"io"

	"berth/engine/fault"
	"berth/engine/scenario"
)

// onceMore reads a stream from its beginning, even if part of it has been read. It keeps the first
// scenario.MaxBytes for this purpose.
type onceMore struct {
	*input
	at int // offset in the input
}

// Read implements [io.Reader].
func (r *onceMore) Read(buffer []byte) (int, error) {
	if n := copy(buffer, r.kept[min(r.at, len(r.kept)):]); n > 0 {
		r.at += n
		return n, nil
	}
	n, err := r.once.Read(buffer)
	r.at += n
	if r.lost = r.lost || len(r.kept)+n > scenario.MaxBytes; r.lost {
		r.kept = nil
	} else {
		r.kept = append(r.kept, buffer[:n]...)
	}
	return n, err
}

// interruptible is a reader that returns when the command is interrupted, even if the source does
// not.
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
