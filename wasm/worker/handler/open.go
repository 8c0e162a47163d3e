package handler

import (
	"context"
	"encoding/json"
	"errors"

	"berth/engine/input/packed"
	"berth/engine/scenario"
	"berth/engine/study"
	_ "berth/examples" // publishes the examples that links refer to
	"berth/wasm/bridge"
	"berth/wasm/store"
)

// open decodes a link or a document, which may be compressed with gzip or carried by a
// picture. It decodes
// strictly; only the page's own drafts may be incomplete.
func (h *Handler) open(ctx context.Context, call bridge.Message, _ progress) (answer, error) {
	var q bridge.OpenQuery
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	if q.Link != "" {
		s, err := scenario.DecodeLink(q.Link)
		return opened(s, scenario.EarlierExample(q.Link), err)
	}
	document, err := unpackedDocument(ctx, call)
	if err != nil {
		return answer{}, err
	}
	switch {
	case q.Draft:
		s, err := readDraft(document)
		return opened(s, "", err)
	case store.IsArchive(document):
		return openArchive(document)
	}
	s, err := scenario.Decode(document)
	return opened(s, "", err)
}

func unpackedDocument(ctx context.Context, call bridge.Message) ([]byte, error) {
	document, err := call.Files[bridge.DocumentFile].Bytes(ctx)
	if err != nil {
		return nil, err
	}
	if document, err = scenario.Carried(document); err != nil {
		return nil, err
	}
	return packed.Unpack(document, store.MaxArchive)
}

// toRun returns the scenario of a document or a link, and the text of the document. It turns a
// sweep into an experiment.
func toRun(ctx context.Context, q bridge.OpenQuery, call bridge.Message) (s scenario.Scenario, document []byte, err error) {
	if q.Link != "" {
		s, err = scenario.DecodeLink(q.Link)
	} else if document, err = unpackedDocument(ctx, call); err == nil {
		s, err = scenario.Decode(document)
	}
	if err != nil {
		return scenario.Scenario{}, nil, err
	}
	return study.Expand(s), document, nil
}

func opened(s scenario.Scenario, note string, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	bare, texts := bridge.Input{Scenario: s}.Detach()
	return answer{body: bridge.Opened{Scenario: bare, Note: note}, files: texts}, nil
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
