package queue

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"berth/engine/study"
)

const (
	// largeInput is the size in bytes above which an input goes into the object store.
	largeInput = 256 << 10
	// mostTask limits the size of a run's message in bytes; everything but the scenario is short.
	mostTask = 2 * largeInput
)

// Task is the message of a run.
type Task struct {
	Hash         string `json:"hash"` // of the engine and the inputs
	Engine       string `json:"engine"`
	study.Inputs        // without the scenario if that is in the object store
}

// damaged is an error in a message that no redelivery can repair.
type damaged struct{ error }

func damagedf(format string, args ...any) error { return damaged{fmt.Errorf(format, args...)} }

// readTask reads the message of a run. The caller has to check that the inputs match the hash.
func readTask(engine, hash string, data []byte) (*Task, error) {
	t := &Task{}
	if len(data) > mostTask {
		return nil, damagedf(tooLarge, len(data), mostTask)
	}
	if err := strictly(data, t); err != nil {
		return nil, err
	}
	switch {
	case t.Engine != engine:
		return nil, damagedf(wrongEngine, t.Engine, engine)
	case t.Hash != hash:
		return nil, damagedf(wrongSubject, t.Hash)
	}
	return t, nil
}

// sealed is a stored result with the run that it belongs to.
type sealed struct {
	Hash   string          `json:"hash"` // of the engine and the inputs
	Engine string          `json:"engine"`
	Worker string          `json:"worker,omitempty"` // worker that carried out the run
	SHA256 string          `json:"sha256"`           // of Result
	Result json.RawMessage `json:"result"`

	result *study.Result
}

// seal returns a result in its stored form.
func seal(engine, hash, worker string, r *study.Result) ([]byte, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return json.Marshal(sealed{Hash: hash, Engine: engine, Worker: worker, SHA256: sumOf(data), Result: data})
}

// readResult reads the result stored under a hash. For a damaged one it also returns the fields
// that it could read.
func readResult(engine, hash string, data []byte) (s *sealed, err error) {
	s = &sealed{}
	if err := strictly(data, s); err != nil {
		return s, err
	}
	switch sum := sumOf(s.Result); {
	case s.Hash != hash:
		return s, damagedf(wrongResult, s.Hash)
	case s.Engine != engine:
		return s, damagedf(wrongEngine, s.Engine, engine)
	case s.SHA256 != sum:
		return s, damagedf(wrongSum, sum, s.SHA256)
	}
	if s.result, err = study.DecodeResult(s.Result); err != nil {
		return s, damaged{err}
	}
	if s.result.Engine != engine {
		return s, damagedf(wrongEngine, s.result.Engine, engine)
	}
	return s, nil
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// strictly decodes JSON and refuses unknown fields.
func strictly(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return damaged{err}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return damagedf(moreFollows)
	}
	return nil
}
