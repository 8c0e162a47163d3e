package bridge

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"berth/engine/scenario"
)

// Input is a scenario whose texts may stand beside it.
type Input struct {
	Scenario scenario.Scenario
	// Texts has the DOT text of sources that have neither text nor recipe, by
	// slot.
	Texts map[string]Blob
}

// FederationSlot is the slot of the federation's text.
const FederationSlot = "federation"

// DeploymentSlot is the slot of the text of deployment i, from 0.
func DeploymentSlot(i int) string { return fmt.Sprintf("deployments/%d", i) }

// Question is the body of a call about a scenario. The scenario is left out
// where the worker is known to remember it.
type Question[Query any] struct {
	Scenario *scenario.Scenario `json:"scenario,omitempty"`
	Query    Query              `json:"query"`
}

// sources yields the sources of a scenario by slot.
func sources(s *scenario.Scenario) iter.Seq2[string, *scenario.Source] {
	return func(yield func(string, *scenario.Source) bool) {
		if s.Placement == nil || !yield(FederationSlot, &s.Placement.Federation) {
			return
		}
		for i := range s.Placement.Deployments {
			if !yield(DeploymentSlot(i), &s.Placement.Deployments[i]) {
				return
			}
		}
	}
}

// detach returns the scenario without its texts, and these as files.
func (in Input) detach() (*scenario.Scenario, map[string]Blob) {
	s := in.Scenario
	if s.Placement != nil {
		placement := *s.Placement
		placement.Deployments = append([]scenario.Source(nil), placement.Deployments...)
		s.Placement = &placement
	}
	files := map[string]Blob{}
	for slot, source := range sources(&s) {
		if source.DOT != "" {
			files[slot] = Moved([]byte(source.DOT))
			source.DOT = ""
		} else if text, ok := in.Texts[slot]; ok {
			files[slot] = text
		}
	}
	return &s, files
}

// Attach puts the texts that came as files back into the scenario. Texts of
// more than scenario.MaxBytes together are refused unread.
func Attach(ctx context.Context, s *scenario.Scenario, files map[string]Blob) error {
	size := 0
	for _, file := range files {
		size += file.Size()
	}
	if err := checkSize("the graphs have", size); err != nil {
		return err
	}
	for slot, source := range sources(s) {
		file, ok := files[slot]
		if !ok {
			continue
		}
		if err := AttachTo(ctx, source, file); err != nil {
			return err
		}
	}
	return nil
}

// AttachTo makes a file the text of a source.
func AttachTo(ctx context.Context, source *scenario.Source, file Blob) error {
	if err := checkSize(source.Name+" has", file.Size()); err != nil {
		return err
	}
	text, err := file.Bytes(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", source.Name, err)
	}
	// An empty file is a text too, which the reader refuses in its own words.
	source.DOT = cmp.Or(string(text), "\n")
	return nil
}

func checkSize(what string, size int) error {
	if size > scenario.MaxBytes {
		return fmt.Errorf("%s %d bytes; at most %d (64 MiB) are read", what, size, scenario.MaxBytes)
	}
	return nil
}
