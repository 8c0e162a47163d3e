package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"

	"berth/engine/budget"
	"berth/engine/scenario"
)

// Input is a scenario whose texts may be files next to it.
type Input struct {
	Scenario scenario.Scenario
	// Texts has the text of sources that have neither text nor recipe, by slot.
	Texts map[string]Blob

	After   string // hash of a scenario whose worker should run this one, because it has the inputs
	Prefers bool   // another worker will do if that one is busy
	Apart   string // hash of a scenario whose worker is left to what is asked about that one
	Joined  bool   // the report is joined with others, so the caller does not want its bytes

	// Careful says that the user has not asked for the policies that are written as text.
	Careful bool

	// Whole is the scenario whose document the run answers with, nil for none: it has the
	// sources of the one that runs, which is a part of it.
	Whole *scenario.Scenario
	Asked []Asked // questions that a run or a reading answers, too
}

// CallBody is the body of a call. It has no scenario if the worker remembers it or the
// call needs none.
type CallBody[Query any] struct {
	Scenario *scenario.Scenario `json:"scenario,omitempty"`
	Query    Query              `json:"query"`
	Careful  bool               `json:"careful,omitempty"` // see [Input]
}

// Detach returns the scenario without its texts, and these as files by slot.
func (in Input) Detach() (*scenario.Scenario, map[string]Blob) {
	s := in.Scenario.Clone()
	files := map[string]Blob{}
	for _, slot := range s.Slots() {
		if source := slot.Source; source.Text != "" {
			files[slot.Name] = Moved([]byte(source.Text))
			source.Text = ""
		} else if text, ok := in.Texts[slot.Name]; ok {
			files[slot.Name] = text
		}
	}
	return &s, files
}

// bare returns a scenario, nil of none, without the texts that are files.
func bare(s *scenario.Scenario, files map[string]Blob) *scenario.Scenario {
	if s == nil {
		return nil
	}
	c := s.Clone()
	for _, slot := range c.Slots() {
		if _, ok := files[slot.Name]; ok {
			slot.Source.Text = ""
		}
	}
	return &c
}

// putBack puts all texts that came as files back into the scenario, unread.
func putBack(ctx context.Context, s *scenario.Scenario, files map[string]Blob) error {
	for _, slot := range s.Slots() {
		file, ok := files[slot.Name]
		if !ok {
			continue
		}
		text, err := file.Bytes(ctx)
		if err != nil {
			return err
		}
		slot.Source.Text = string(text)
	}
	return nil
}

// Attach puts the texts that came as files back into the scenario, except those that
// can be streamed (see [Beside]). It refuses, unread, texts that exceed the budget.
func Attach(ctx context.Context, s *scenario.Scenario, files map[string]Blob, b *budget.Budget) error {
	most := b.Room(budget.Unpacked)
	var whole []scenario.Slot
	size := int64(0)
	for _, slot := range s.Slots() {
		if file, ok := files[slot.Name]; ok && slot.Whole {
			whole = append(whole, slot)
			size += int64(file.Size())
		}
	}
	if size > most {
		return fmt.Errorf("the texts have %d bytes; at most %d (%d MiB) are read", size, most, most>>20)
	}
	for _, slot := range whole {
		text, err := scenario.TextOf(ctx, files[slot.Name], b)
		switch {
		case errors.Is(err, scenario.ErrTooLarge):
			return fmt.Errorf("unpacked, the texts have more than %d bytes (%d MiB), which is the limit", most, most>>20)
		case err != nil:
			return fmt.Errorf("%s: %w", slot.Source.Name, err)
		}
		slot.Source.Text = scenario.AsText(text)
	}
	return nil
}

// AttachAll unpacks all texts that came as files and puts them back into the scenario,
// up to scenario.MaxBytes; a text that can be streamed stays a file if it is too large.
// It returns the names of those.
func AttachAll(ctx context.Context, s *scenario.Scenario, files map[string]Blob) (left []string, err error) {
	var limits budget.Limits
	limits.Most[budget.Unpacked] = scenario.MaxBytes
	load := budget.New(limits)
	if err := Attach(ctx, s, files, load); err != nil {
		return nil, err
	}
	for _, slot := range s.Slots() {
		file, ok := files[slot.Name]
		if !ok || slot.Whole {
			continue
		}
		text, err := scenario.TextOf(ctx, file, load)
		switch {
		case errors.Is(err, scenario.ErrTooLarge):
			left = append(left, slot.Source.Name)
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", slot.Source.Name, err)
		}
		slot.Source.Text = scenario.AsText(text)
	}
	return left, nil
}

// Beside opens the files that come with a scenario, for scenario.Env.
func Beside(files map[string]Blob) func(slot string) (io.Reader, int64, error) {
	return func(slot string) (io.Reader, int64, error) {
		file, ok := files[slot]
		if !ok {
			return nil, 0, scenario.ErrNoText
		}
		return file.Reader(), int64(file.Size()), nil
	}
}
