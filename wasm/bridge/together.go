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

// Answered is the answer to an Asked. It has neither a file [AnswerOf] nor an error if the
// question must be asked separately, because the run was stopped or the answer failed.
type Answered struct {
	Error *Error `json:"error,omitempty"`

	body, attached Blob // files of the answer; see [AnswerOf] and [AttachmentOf]
}

// AnswerOf is the name of the file with the answer with this index in binary form.
func AnswerOf(index int) string { return "answer/" + strconv.Itoa(index) }

// AttachmentOf is the name of the file for the answer with this index.
func AttachmentOf(index int) string { return AttachmentFile + "/" + strconv.Itoa(index) }

// keep stores the answers that came with a result.
func (r *Result) keep(asked []Asked, answers []Answered, files map[string]Blob) {
	r.answers = map[string]Answered{}
	for i, a := range answers[:min(len(answers), len(asked))] {
		body, came := files[AnswerOf(i)]
		if !came && a.Error == nil {
			continue
		}
		a.body, a.attached = body, files[AttachmentOf(i)]
		delete(files, AnswerOf(i))
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
	body, err := k.body.Bytes(ctx)
	if err == nil {
		err = scenario.FromBinary(body, &a)
	}
	if err != nil {
		return a, true, fmt.Errorf("bridge: answer to %s: %w", question.Path(), err)
	}
	a, err = unpack(ctx, a, k.attached, nil)
	return a, true, err
}
