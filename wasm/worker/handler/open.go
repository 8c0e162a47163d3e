package handler

import (
	"context"
	"encoding/json"
	"errors"

	"berth/engine/input/packed"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/store"
)

// open decodes a link or a document, which may be compressed with gzip. It decodes
// strictly; only the page's own drafts may be incomplete.
func (h *Handler) open(ctx context.Context, call bridge.Message, _ progress) (answer, error) {
	var q bridge.OpenQuery
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	if q.Link != "" {
		return opened(scenario.DecodeLink(q.Link))
	}
	document, err := call.Files[bridge.DocumentFile].Bytes(ctx)
	if err != nil {
		return answer{}, err
	}
	document, err = packed.Unpack(document, store.MaxArchive)
	if err != nil {
		return answer{}, err
	}
	switch {
	case q.Draft:
		return opened(readDraft(document))
	case store.IsArchive(document):
		return openArchive(document)
	}
	return opened(scenario.Decode(document))
}

func opened(s scenario.Scenario, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	bare, texts := bridge.Input{Scenario: s}.Detach()
	return answer{body: bridge.Opened{Scenario: bare}, files: texts}, nil
}

func openArchive(document []byte) (answer, error) {
	archive, err := store.ReadArchive(document)
	if err != nil {
		return answer{}, err
	}
	bodies, sizes := archive.Detach()
	return answer{
		body:  bridge.Opened{Archive: archive, Sizes: sizes},
		files: map[string]bridge.Blob{bridge.BodiesFile: bridge.Moved(bodies)},
	}, nil
}

func readDraft(document []byte) (scenario.Scenario, error) {
	var s scenario.Scenario
	err := json.Unmarshal(document, &s)
	if err == nil && s.Body == nil {
		err = errors.New("the draft has no scenario")
	}
	return s, err
}
