package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"berth/engine/scenario"
	"berth/engine/scenario/body"
)

// Input is a scenario whose texts may stand beside it.
type Input struct {
	Scenario scenario.Scenario
	// Texts has the text of sources that have neither text nor recipe, by slot.
	Texts map[string]Blob
}

// Question is the body of a call about a scenario. The scenario is left out
// where the worker is known to remember it.
type Question[Query any] struct {
	Scenario *scenario.Scenario `json:"scenario,omitempty"`
	Query    Query              `json:"query"`
}

// Detach returns the scenario without its texts, and these as files by slot.
func (in Input) Detach() (*scenario.Scenario, map[string]Blob) {
	s := in.Scenario.Clone()
	files := map[string]Blob{}
	for _, t := range s.Texts() {
		if *t.Text != "" {
			files[t.Slot] = Moved([]byte(*t.Text))
			*t.Text = ""
		} else if text, ok := in.Texts[t.Slot]; ok {
			files[t.Slot] = text
		}
	}
	return &s, files
}

// putBack puts all texts that came as files back into the scenario, as they are.
func putBack(ctx context.Context, s *scenario.Scenario, files map[string]Blob) error {
	for _, t := range s.Texts() {
		file, ok := files[t.Slot]
		if !ok {
			continue
		}
		text, err := file.Bytes(ctx)
		if err != nil {
			return err
		}
		*t.Text = string(text)
	}
	return nil
}

// Attach puts the texts that came as files back into the scenario, but leaves
// those beside it that can be streamed (see [Beside]). Texts of more than
// scenario.MaxBytes together are refused unread.
func Attach(ctx context.Context, s *scenario.Scenario, files map[string]Blob) error {
	var texts []scenario.Text
	size := 0
	for _, t := range s.Texts() {
		if file, ok := files[t.Slot]; ok && !t.Streamed {
			texts = append(texts, t)
			size += file.Size()
		}
	}
	if err := checkSize("the texts have", size); err != nil {
		return err
	}
	room := scenario.MaxBytes
	for _, t := range texts {
		text, err := unpacked(ctx, files[t.Slot], room)
		switch {
		case errors.Is(err, body.ErrTooLarge):
			return fmt.Errorf("unpacked, the texts have more than %d bytes (64 MiB), which is the limit", scenario.MaxBytes)
		case err != nil:
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		*t.Text = asText(text)
		room -= len(text)
	}
	return nil
}

// AttachAll puts all texts that came as files back into the scenario, unpacked
// and as far as scenario.MaxBytes goes: a text that can be streamed stays beside
// it if it is too large. It returns the names of these.
func AttachAll(ctx context.Context, s *scenario.Scenario, files map[string]Blob) (left []string, err error) {
	if err := Attach(ctx, s, files); err != nil {
		return nil, err
	}
	room := scenario.MaxBytes
	for _, t := range s.Texts() {
		file, ok := files[t.Slot]
		if !ok || !t.Streamed {
			continue
		}
		text, err := unpacked(ctx, file, room)
		switch {
		case errors.Is(err, body.ErrTooLarge):
			left = append(left, t.Name)
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		*t.Text = asText(text)
		room -= len(text)
	}
	return left, nil
}

// unpacked reads a file whose text has at most so many bytes.
func unpacked(ctx context.Context, file Blob, most int) ([]byte, error) {
	if file.Size() > most {
		return nil, body.ErrTooLarge
	}
	data, err := file.Bytes(ctx)
	if err != nil {
		return nil, err
	}
	return body.Unpack(data, most)
}

// asText makes a text of the bytes of a file. An empty file is a text too, which
// the reader refuses in its own words.
func asText(data []byte) string { return cmp.Or(string(data), "\n") }

// Beside opens the files that stand beside a scenario, for body.Env.
func Beside(files map[string]Blob) func(slot string) (io.Reader, int64, error) {
	return func(slot string) (io.Reader, int64, error) {
		file, ok := files[slot]
		if !ok {
			return nil, 0, body.ErrNoText
		}
		return file.Reader(), int64(file.Size()), nil
	}
}

// AttachTo makes a file the text of a graph.
func AttachTo(ctx context.Context, source *scenario.Source, file Blob) error {
	if err := checkSize(source.Name+" has", file.Size()); err != nil {
		return err
	}
	text, err := unpacked(ctx, file, scenario.MaxBytes)
	if err != nil {
		return fmt.Errorf("%s: %w", source.Name, err)
	}
	source.DOT = asText(text)
	return nil
}

func checkSize(what string, size int) error {
	if size > scenario.MaxBytes {
		return fmt.Errorf("%s %d bytes; at most %d (64 MiB) are read", what, size, scenario.MaxBytes)
	}
	return nil
}
