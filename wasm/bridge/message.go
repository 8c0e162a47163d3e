package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MessageKind is the type of a message.
type MessageKind string

// The page sends KindCall and KindStop; a worker sends all other kinds. KindAlive is the first
// message of a worker and KindCrash its last; neither belongs to a call. A worker sends KindText
// when a policy that is written as text starts, and when it has ended or was stopped.
const (
	KindCall     MessageKind = "call"
	KindStop     MessageKind = "stop"
	KindProgress MessageKind = "progress"
	KindText     MessageKind = "text"
	KindResult   MessageKind = "result"
	KindError    MessageKind = "error"
	KindAlive    MessageKind = "alive"
	KindCrash    MessageKind = "crash"
)

// Method is the operation that a call requests.
type Method string

// Methods of the engine worker. Each kind of scenario adds questions, whose path is
// their method.
const (
	MethodRun      Method = "run"
	MethodRead     Method = "read"
	MethodDocument Method = "document"
	MethodOpen     Method = "open"
)

// Message is one message between the page and a worker, in either direction.
type Message struct {
	Head
	Body  []byte          // JSON; kind and method decide its type
	Files map[string]Blob // by name; may be nil
}

// RunningText is the body of KindText: the policy that runs, "" for none.
type RunningText struct {
	Policy  string `json:"policy,omitempty"`
	Careful bool   `json:"careful,omitempty"` // see [Input]
}

// Memory is the memory, in bytes, that a worker may allocate while it runs the
// policy; 0 is no limit. A worker that reaches the limit is terminated.
func (r RunningText) Memory() int {
	switch {
	case r.Policy == "":
		return 0
	case r.Careful:
		return 512 << 20
	}
	return 2 << 30
}

// Head is the part of a message that identifies the call.
type Head struct {
	ID       uint64      `json:"id"` // number of the call, from 1
	Kind     MessageKind `json:"kind"`
	Method   Method      `json:"method,omitempty"`   // only in calls
	Scenario string      `json:"scenario,omitempty"` // hash of the scenario that the call is about, or that was run
	Waits    bool        `json:"-"`                  // wait for the worker that keeps the scenario, even if others are free
	Apart    string      `json:"-"`                  // hash of a scenario whose workers are left to other calls
}

// Maximum sizes, in bytes, of a head and a body. Texts and arrays are sent as files, so a longer
// body is a mistake.
const (
	maxHead = 4 << 10
	maxBody = 64 << 20
)

// Encode returns the head as JSON.
func (h Head) Encode() []byte {
	data, _ := json.Marshal(h) // a number and three strings always encode
	return data
}

// DecodeHead decodes a head strictly: an unknown field or kind, a call without a
// method or a missing id is an error.
func DecodeHead(data []byte) (Head, error) {
	var h Head
	if len(data) > maxHead {
		return Head{}, fmt.Errorf("bridge: a head of %d bytes; at most %d are accepted", len(data), maxHead)
	}
	if err := strict(data, &h); err != nil {
		return Head{}, fmt.Errorf("bridge: head: %w", err)
	}
	switch h.Kind {
	case KindCall:
		if h.Method == "" {
			return Head{}, errors.New("bridge: a call without a method")
		}
	case KindStop, KindProgress, KindText, KindResult, KindError:
	default:
		return Head{}, fmt.Errorf("bridge: unknown kind of message %q", h.Kind)
	}
	if h.ID == 0 {
		return Head{}, fmt.Errorf("bridge: a message of kind %q without the id of its call", h.Kind)
	}
	return h, nil
}

// DecodeBody decodes the body of a message into v, strictly.
func (m Message) DecodeBody(v any) error {
	if len(m.Body) > maxBody {
		return fmt.Errorf("bridge: a body of %d bytes; at most %d are accepted", len(m.Body), maxBody)
	}
	if err := strict(m.Body, v); err != nil {
		return fmt.Errorf("bridge: body: %w", err)
	}
	return nil
}

// Reply returns the answer to a call, with v as its JSON body.
func (h Head) Reply(kind MessageKind, v any, files map[string]Blob) (Message, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return Message{}, fmt.Errorf("bridge: body: %w", err)
	}
	return Message{Head: Head{ID: h.ID, Kind: kind, Scenario: h.Scenario}, Body: body, Files: files}, nil
}

// strict decodes exactly one JSON value without unknown fields.
func strict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}
