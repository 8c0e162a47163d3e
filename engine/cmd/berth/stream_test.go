package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"berth/engine/must"
	"berth/engine/scenario"
)

// A command reads standard input only up to the part that it needs.
func TestStandardInputIsStreamed(t *testing.T) {
	line := strings.Fields("federate --workers 4 --gms 1 --lms 1 --scheduler fcfs --first 3 --trace -")
	in := io.MultiReader(strings.NewReader(strings.Repeat("1 1 1 1\n", 20_000)), iotest.ErrReader(io.ErrClosedPipe))
	if err := berth(t.Context(), line, in, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}

// An input that can be read only once is kept up to a limit, and can be opened again within it.
func TestStreamOpensAgain(t *testing.T) {
	for _, size := range []int{1000, scenario.MaxBytes, scenario.MaxBytes + 1} {
		want := bytes.Repeat([]byte("berth "), size/6+1)[:size]
		s := &input{name: "pipe", once: bytes.NewReader(want)}
		first := must.Get(s.open())(t)
		must.Get(io.CopyN(io.Discard, first, 100))(t)
		again := must.Get(s.open())(t)
		if got, err := io.ReadAll(again); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d of %d bytes are read again, %v", len(got), size, err)
		}
		if _, err := s.open(); (err != nil) != (size > scenario.MaxBytes) {
			t.Errorf("%d bytes are opened a third time with the error %v", size, err)
		}
	}
}
