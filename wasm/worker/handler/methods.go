package handler

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"

	"berth/engine/scenario"
	"berth/wasm/bridge"
)

func (h *Handler) run(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	var q bridge.CallBody[bridge.RunQuery]
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	var document []byte
	if open := q.Query.Open; open != nil {
		s, text, err := toRun(ctx, *open, call)
		if err != nil {
			return answer{}, err
		}
		q.Scenario, document = &s, text
	}
	e, err := h.prepare(ctx, q.Scenario, q.Careful, call.Files, p)
	if err == nil {
		err = h.carryOut(ctx, e)
	}
	if document != nil {
		scenario.Locate(document, err)
	}
	if err != nil {
		return answer{}, err
	}
	files, err := filesOf(e, q.Query.Joined)
	if err != nil {
		return answer{}, err
	}
	body := bridge.RunAnswer{Timings: e.report.Timings, Memory: memory(), Answers: h.together(ctx, e, q.Query.Asked, files)}
	if whole := q.Query.Document; whole != nil {
		d, err := documentOf(context.WithoutCancel(ctx), whole, call.Files, files) // the document is also needed after a stop
		if err != nil {
			d.Error = asError(err)
		}
		body.Document = &d
	}
	return answer{body: body, files: files, scenario: e.hash}, nil
}

// filesOf returns the report of a run and the arrays that are too long for it. If
// joined, it omits the bytes of the report.
func filesOf(e *prepared, joined bool) (map[string]bridge.Blob, error) {
	report := e.report.Untimed()
	head, body := report.Detach()
	line, err := head.MarshalJSON()
	if err != nil {
		return nil, err
	}
	files := map[string]bridge.Blob{
		bridge.ReportHead: bridge.Moved(line),
		bridge.ReportBody: bridge.Moved(body),
	}
	if !joined {
		files[bridge.PrintedReport] = bridge.Moved(scenario.EncodeReport(report))
	}
	for name, array := range e.Arrays() {
		files[name] = bridge.Moved(array)
	}
	return files, nil
}

// read answers the method read: it prepares a scenario without running it, and answers the call's
// questions about the inputs.
func (h *Handler) read(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	var q bridge.CallBody[[]bridge.Asked]
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	e, err := h.about(ctx, q.Scenario, q.Careful, call, scenario.Inputs, p)
	if err != nil {
		return answer{}, err
	}
	files := map[string]bridge.Blob{}
	return answer{body: h.together(ctx, e, q.Query, files), files: files, scenario: e.hash}, nil
}

// memory returns the bytes that this process has allocated from the system.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// document answers with the whole scenario, which need not be complete.
func (h *Handler) document(ctx context.Context, call bridge.Message, _ progress) (answer, error) {
	var q bridge.CallBody[json.RawMessage]
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	if q.Scenario == nil {
		return answer{}, errNoScenario
	}
	files := map[string]bridge.Blob{}
	d, err := documentOf(ctx, q.Scenario, call.Files, files)
	return answer{body: d, files: files, scenario: d.Hash}, err
}

// documentOf puts all texts into a scenario, and its canonical bytes into files.
func documentOf(ctx context.Context, s *scenario.Scenario, texts, files map[string]bridge.Blob) (d bridge.Document, err error) {
	d.Left, err = bridge.AttachAll(ctx, s, texts)
	if err != nil {
		return d, err
	}
	d.Hash = s.Hash()
	d.Link, err = scenario.ShortLink(*s)
	if err != nil {
		d.NoLink = err.Error()
	}
	files[bridge.DocumentFile] = bridge.Moved(scenario.Encode(*s))
	return d, nil
}

var errNoScenario = errors.New("the body has no scenario")

// question answers a call whose method is the path of a [scenario.Question].
func (h *Handler) question(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	question, err := scenario.LookupQuestion(string(call.Method))
	if err != nil {
		return answer{}, err
	}
	var q bridge.CallBody[json.RawMessage]
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	e := &prepared{}
	if question.Needs() != scenario.Nothing {
		e, err = h.about(ctx, q.Scenario, q.Careful, call, question.Needs(), p)
		if err != nil {
			return answer{}, err
		}
	}
	body, attachment, err := reply(ctx, question, e, q.Query, call.Files)
	if err != nil {
		return answer{}, err
	}
	a := answer{body: body, scenario: e.hash}
	if attachment != nil {
		a.files = map[string]bridge.Blob{bridge.AttachmentFile: *attachment}
	}
	return a, nil
}

// reply answers a query about a prepared scenario; attachment may be nil.
func reply(ctx context.Context, question scenario.AnyQuestion, e *prepared, query json.RawMessage, beside map[string]bridge.Blob) (body any, attachment *bridge.Blob, err error) {
	files := scenario.Files{}
	for name, file := range beside {
		files[name] = file
	}
	decode := func(to any) error { return bridge.Message{Body: query}.DecodeBody(to) }
	body, err = question.Reply(ctx, e.Prepared, decode, files)
	if err != nil {
		return nil, nil, err
	}
	if p, ok := body.(scenario.Attached); ok {
		attachment = new(bridge.Moved(p.Attachment()))
	}
	return body, attachment, nil
}

// together answers the questions that were sent with a run or a reading, and adds their files. It
// gives no answer to questions that failed or that a stop left open; the page asks them separately.
func (h *Handler) together(ctx context.Context, e *prepared, asked []bridge.Asked, files map[string]bridge.Blob) []bridge.Answered {
	answers := make([]bridge.Answered, len(asked))
	for i, a := range asked {
		if ctx.Err() != nil {
			break
		}
		body, attachment, err := h.oneOf(ctx, e, a)
		if err == nil {
			files[bridge.AnswerOf(i)] = bridge.Moved(body)
		}
		if attachment != nil {
			files[bridge.AttachmentOf(i)] = *attachment
		}
		if err != nil && ctx.Err() == nil && asError(err).Kind == bridge.BadInput {
			answers[i].Error = asError(err)
		}
	}
	return answers
}

// oneOf answers one of several questions. A panic affects only this answer.
func (h *Handler) oneOf(ctx context.Context, e *prepared, a bridge.Asked) (body []byte, attachment *bridge.Blob, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			body, attachment, err = nil, nil, h.fault(a.Path, fault)
		}
	}()
	question, err := scenario.LookupQuestion(a.Path)
	if err != nil {
		return nil, nil, err
	}
	answer, attachment, err := reply(ctx, question, e, a.Query, nil)
	if err != nil {
		return nil, nil, err
	}
	return scenario.Binary(answer), attachment, nil
}
