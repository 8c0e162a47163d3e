package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"

	"berth/engine/budget"
	"berth/engine/input/packed"
	"berth/engine/scenario"
)

// Input is a scenario with large texts in separate files.
type Input struct {
	Scenario scenario.Scenario
	// Texts has the text of sources that have neither text nor recipe, by slot.
	Texts map[string]Blob

	After   string // hash of a scenario whose worker should run this one, because that worker has read the inputs
	Prefers bool   // with After: do not wait for that worker if it is busy
	Apart   string // hash of a scenario whose worker should stay free for questions about that scenario
	Joined  bool   // the caller joins the report with others and does not need its bytes

	// Careful limits the steps of policies that are written as text, because the user has not
	// agreed to run them.
	Careful bool

	// Whole is the scenario whose document the run returns, nil for no document. The
	// scenario that runs is a part of Whole and has the same sources.
	Whole *scenario.Scenario
	Asked []Asked // questions to answer with the run or the reading
}

// CallBody is the body of a call. Scenario is nil if the worker keeps the scenario or
// the call needs none.
type CallBody[Query any] struct {
	Scenario *scenario.Scenario `json:"scenario,omitempty"`
	Query    Query              `json:"query"`
	Careful  bool               `json:"careful,omitempty"` // see [Input]
}

// Detach returns a copy of the scenario without its texts, and the texts as files by
// slot.
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

// bare returns a copy of s without the texts that are among files; nil for nil.
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

// putBack puts the files into the scenario as texts, without unpacking.
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

// Attach unpacks the files and puts them into the scenario as texts, except files
// that can be streamed (see [Beside]). It refuses files that exceed the budget, if
// possible without reading them.
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
		text, err := packed.TextOf(ctx, files[slot.Name], b)
		switch {
		case errors.Is(err, packed.ErrTooLarge):
			return fmt.Errorf("unpacked, the texts have more than %d bytes (%d MiB), which is the limit", most, most>>20)
		case err != nil:
			return fmt.Errorf("%s: %w", slot.Source.Name, err)
		}
		slot.Source.Text = packed.AsText(text)
	}
	return nil
}

// AttachAll unpacks all files and puts them into the scenario as texts, up to
// scenario.MaxBytes. A file that can be streamed stays a file if it is too large;
// AttachAll returns the names of these files.
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
		text, err := packed.TextOf(ctx, file, load)
		switch {
		case errors.Is(err, packed.ErrTooLarge):
			left = append(left, slot.Source.Name)
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", slot.Source.Name, err)
		}
		slot.Source.Text = packed.AsText(text)
	}
	return left, nil
}

// Beside returns the function that opens the files of a scenario by slot, for
// scenario.Env.
func Beside(files map[string]Blob) func(slot string) (io.Reader, int64, error) {
	return func(slot string) (io.Reader, int64, error) {
		file, ok := files[slot]
		if !ok {
			return nil, 0, scenario.ErrNoText
		}
		return file.Reader(), int64(file.Size()), nil
	}
}
