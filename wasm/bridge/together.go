package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"berth/engine/scenario"
)

// Asked is a question that is sent with a run or a reading and answered in the same reply, so that
// the first screen of a view needs no further call.
type Asked struct {
	Path  string          `json:"path"`
	Query json.RawMessage `json:"query"`
}

// Together returns the question in the form that is sent with a run. [Ask] finds its
// answer in the result.
func Together[Query, Answer any](question *scenario.Question[Query, Answer], q Query) Asked {
	data, _ := json.Marshal(q) // Ask would report an encoding error
	return Asked{question.Path(), data}
}

func (a Asked) key() string { return a.Path + " " + string(a.Query) }

// Answered is the answer to an Asked. It has neither a body nor an error if the
// question must be asked separately, because the run was stopped or the answer failed.
type Answered struct {
	Body  json.RawMessage `json:"body,omitempty"`
	Error *Error          `json:"error,omitempty"`

	attached Blob // the file of the answer; see [AttachmentOf]
}

// AttachmentOf is the name of the file for the answer with this index.
func AttachmentOf(index int) string { return AttachmentFile + "/" + strconv.Itoa(index) }

// keep stores the answers that came with a result.
func (r *Result) keep(asked []Asked, answers []Answered, files map[string]Blob) {
	r.answers = map[string]Answered{}
	for i, a := range answers[:min(len(answers), len(asked))] {
		if a.Body == nil && a.Error == nil {
			continue
		}
		a.attached = files[AttachmentOf(i)]
		delete(files, AttachmentOf(i))
		r.answers[asked[i].key()] = a
	}
}

// Came reports whether the answer to a question came with the result, so that [Ask] does not
// block.
func (r *Result) Came(a Asked) bool {
	_, came := r.answers[a.key()]
	return came
}

// answered returns the answer that came with a result; ok is false if the question
// was not among those sent.
func answered[Query, Answer any](ctx context.Context, r *Result, question *scenario.Question[Query, Answer], q Query) (a Answer, ok bool, err error) {
	k, ok := r.answers[Together(question, q).key()]
	switch {
	case !ok:
		return a, false, nil
	case k.Error != nil:
		return a, true, k.Error
	}
	if err := strict(k.Body, &a); err != nil {
		return a, true, fmt.Errorf("bridge: answer to %s: %w", question.Path(), err)
	}
	a, err = unpack(ctx, a, k.attached, nil)
	return a, true, err
}
