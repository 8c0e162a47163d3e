package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"berth/engine/scenario"
	"berth/wasm/store"
)

// Names of the files that answers carry.
const (
	PrintedReport  = "report"   // answer to run: the bytes of the report; absent if the caller joins several reports
	ReportHead     = "head"     // answer to run: the report without its body; see scenario.Report.Detach
	ReportBody     = "body"     // answer to run: the body in binary form
	AttachmentFile = "packed"   // answer to a question: see scenario.Attached
	DocumentFile   = "document" // answer to document: the canonical bytes of the scenario; call of open: the document
	BodiesFile     = "bodies"   // answer to open: the scenarios and reports of an archive, detached by Archive.Detach
)

// Result is the result of a run or of reading inputs; questions about it go through
// [Ask]. A saved result needs only its Input and Hash for that.
type Result struct {
	Input  Input
	Hash   string // hash of the scenario
	Report *scenario.Report
	JSON   []byte // bytes of the report without timings, as every program writes it; nil for a Joined input
	Memory uint64 // memory that the worker has allocated from the system so far, in bytes
	// Arrays has the arrays that are too long for a report, by the names that the
	// kind gives: see scenario.Prepared.Arrays.
	Arrays   map[string]Blob
	Document *Document // document of Input.Whole; nil if Whole is nil

	answers map[string]Answered // answers to the questions that were sent with the run
}

// PutArrays adds arrays of the result to the files of a query. arrays maps names of
// files to names of arrays.
func (r *Result) PutArrays(files map[string]Blob, arrays map[string]string) error {
	for name, array := range arrays {
		data, ok := r.Arrays[array]
		if !ok {
			return errors.New("this result has no figures of single requests: there are too many, or it was saved; run it again")
		}
		files[name] = data
	}
	return nil
}

// RunQuery is the method-specific part of the body of a call to run.
type RunQuery struct {
	Joined   bool               `json:"joined,omitempty"`   // leave out the bytes of the report
	Document *scenario.Scenario `json:"document,omitempty"` // whose texts are empty: they equal the texts of the scenario that runs
	Asked    []Asked            `json:"asked,omitempty"`
	// Open makes the call run a document or a link instead of its scenario, like the command line:
	// a sweep is an experiment.
	Open *OpenQuery `json:"open,omitempty"`
}

// RunAnswer is the body of the answer to run.
type RunAnswer struct {
	Timings  *scenario.Timings `json:"timings,omitempty"`
	Memory   uint64            `json:"memory"`
	Document *Document         `json:"document,omitempty"` // its bytes are DocumentFile
	Answers  []Answered        `json:"answers,omitempty"`  // in the order of the questions
}

// Run runs a scenario, and answers the questions that are sent with it.
func (p *WorkerPool) Run(ctx context.Context, in Input, progress func(scenario.Progress)) (*Result, error) {
	var body RunAnswer
	s, beside := in.Detach()
	head := Head{Method: MethodRun, Scenario: in.After, Waits: !in.Prefers, Apart: in.Apart}
	query := RunQuery{Joined: in.Joined, Document: bare(in.Whole, beside), Asked: in.Asked}
	answer, err := p.ask(ctx, head, CallBody[RunQuery]{Scenario: s, Query: query, Careful: in.Careful}, beside, progress, &body)
	if err != nil {
		return nil, err
	}
	r := &Result{Input: in, Hash: answer.Scenario, Report: &scenario.Report{}, Memory: body.Memory, Arrays: answer.Files}
	r.keep(in.Asked, body.Answers, answer.Files)
	if r.Document = body.Document; r.Document != nil {
		r.Document.JSON = answer.Files[DocumentFile]
		delete(answer.Files, DocumentFile)
	}
	files := map[string][]byte{}
	for _, name := range []string{PrintedReport, ReportHead, ReportBody} {
		file, ok := answer.Files[name]
		if !ok {
			continue
		}
		files[name], err = file.Bytes(ctx)
		if err != nil {
			return nil, err
		}
		delete(r.Arrays, name)
	}
	if err := r.Report.UnmarshalJSON(files[ReportHead]); err != nil {
		return nil, fmt.Errorf("bridge: report: %w", err)
	}
	r.JSON, r.Report.Timings = files[PrintedReport], body.Timings
	return r, r.Report.Restore(files[ReportBody])
}

// Document is a scenario to save or share. Without JSON it is the body of the answer to document.
type Document struct {
	Link   string `json:"link"` // fragment after "s="; "" if the scenario cannot be a link, for the reason NoLink
	NoLink string `json:"noLink,omitempty"`
	// Left names the files that are too large for the document.
	Left  []string `json:"left,omitempty"`
	Hash  string   `json:"hash"`
	Error *Error   `json:"error,omitempty"` // only in the answer to run: why the document could not be made
	JSON  Blob     `json:"-"`
}

// Read reads the inputs of a scenario without a run, and answers the questions that
// are sent with it. Its error has the diagnostics of the inputs.
func (p *WorkerPool) Read(ctx context.Context, in Input) (*Result, error) {
	var answers []Answered
	answer, err := p.about(ctx, MethodRead, in, in.Asked, nil, &answers)
	if err != nil {
		return nil, err
	}
	r := &Result{Input: in, Hash: answer.Scenario}
	r.keep(in.Asked, answers, answer.Files)
	return r, nil
}

// Document returns the whole scenario with the texts of the files that it refers to.
func (p *WorkerPool) Document(ctx context.Context, in Input) (Document, error) {
	var d Document
	answer, err := p.about(ctx, MethodDocument, in, nil, nil, &d)
	d.JSON = answer.Files[DocumentFile]
	return d, err
}

// OpenQuery is the body of a call of the method open, and a part of a [RunQuery].
type OpenQuery struct {
	Link  string `json:"link,omitempty"`  // fragment of a link; "" if the call carries a document
	Draft bool   `json:"draft,omitempty"` // the scenario need not be complete
}

// Opened is the body of the answer to open. It describes the content of a link or a
// document: a scenario, whose texts are files by slot, or an archive, whose scenarios
// and reports are in BodiesFile.
type Opened struct {
	Scenario *scenario.Scenario `json:"scenario,omitempty"`
	Note     string             `json:"note,omitempty"` // about the link, for the user
	Archive  *store.Archive     `json:"archive,omitempty"`
	Sizes    []int              `json:"sizes,omitempty"` // of the parts of BodiesFile
}

// Open reads a link or a document, which is a scenario or an archive. A worker decodes them,
// because the page itself never decodes foreign input.
func (p *WorkerPool) Open(ctx context.Context, q OpenQuery, document Blob) (Opened, error) {
	if size := document.Size(); size > store.MaxArchive {
		return Opened{}, fmt.Errorf("the file has %d bytes: at most %d can be read", size, store.MaxArchive)
	}
	var files map[string]Blob
	if q.Link == "" {
		files = map[string]Blob{DocumentFile: document}
	}
	var o Opened
	answer, err := p.ask(ctx, Head{Method: MethodOpen}, q, files, nil, &o)
	if err != nil {
		return Opened{}, err
	}
	if o.Archive != nil {
		bodies, err := answer.Files[BodiesFile].Bytes(ctx)
		if err != nil {
			return Opened{}, err
		}
		return o, o.Archive.Attach(bodies, o.Sizes)
	}
	if o.Scenario == nil {
		return Opened{}, errors.New("bridge: the answer to open has neither a scenario nor an archive")
	}
	return o, putBack(ctx, o.Scenario, answer.Files)
}

// OpenScenario is Open, but an archive is an error.
func (p *WorkerPool) OpenScenario(ctx context.Context, q OpenQuery, document []byte) (scenario.Scenario, error) {
	o, err := p.Open(ctx, q, Moved(document))
	if err != nil {
		return scenario.Scenario{}, err
	}
	if o.Scenario == nil {
		return scenario.Scenario{}, errors.New("it is a library, not a scenario; open it in the Library")
	}
	return *o.Scenario, nil
}

// Ask asks a question about a result, unless the answer came with the result. If the
// worker has forgotten the scenario, Ask sends the scenario and asks again.
func Ask[Query, Answer any](ctx context.Context, p *WorkerPool, r *Result, question *scenario.Question[Query, Answer], q Query) (a Answer, err error) {
	if a, ok, err := answered(ctx, r, question, q); ok {
		return a, err
	}
	head := Head{Method: Method(question.Path()), Scenario: r.Hash}
	answer, err := p.ask(ctx, head, CallBody[any]{Query: q, Careful: r.Input.Careful}, nil, nil, &a)
	if e, ok := errors.AsType[*Error](err); ok && e.Kind == UnknownScenario {
		s, files := r.Input.Detach()
		answer, err = p.ask(ctx, head, CallBody[any]{Scenario: s, Query: q, Careful: r.Input.Careful}, files, nil, &a)
	}
	return unpack(ctx, a, answer.Files[AttachmentFile], err)
}

// Look reads inputs and asks a question about them, in one call.
func Look[Answer any](ctx context.Context, p *WorkerPool, in Input, question *scenario.Question[struct{}, Answer]) (read *Result, a Answer, err error) {
	in.Asked = []Asked{Together(question, struct{}{})}
	read, err = p.Read(ctx, in)
	if err != nil {
		return nil, a, err
	}
	a, err = Ask(ctx, p, read, question, struct{}{})
	return read, a, err
}

// AskTool asks a question that needs no scenario. The query may have files.
func AskTool[Query, Answer any](ctx context.Context, p *WorkerPool, question *scenario.Question[Query, Answer], q Query, files map[string]Blob) (a Answer, err error) {
	answer, err := p.ask(ctx, Head{Method: Method(question.Path())}, CallBody[any]{Query: q}, files, nil, &a)
	return unpack(ctx, a, answer.Files[AttachmentFile], err)
}

// unpack decodes the attachment of an answer into the answer.
func unpack[Answer any](ctx context.Context, a Answer, attachment Blob, err error) (Answer, error) {
	if err != nil {
		return a, err
	}
	if attached, ok := any(a).(scenario.Attached); ok {
		data, err := attachment.Bytes(ctx)
		if err != nil {
			return a, err
		}
		return a, attached.Attach(data)
	}
	return a, nil
}

// about makes a call that includes the scenario, in case the worker has forgotten it.
func (p *WorkerPool) about(ctx context.Context, m Method, in Input, query any, progress func(scenario.Progress), out any) (Message, error) {
	s, files := in.Detach()
	return p.ask(ctx, Head{Method: m}, CallBody[any]{Scenario: s, Query: query, Careful: in.Careful}, files, progress, out)
}

// ask makes a call with a JSON body and decodes the JSON body of the answer.
func (p *WorkerPool) ask(ctx context.Context, h Head, body any, files map[string]Blob, progress func(scenario.Progress), out any) (Message, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return Message{}, fmt.Errorf("bridge: %s: %w", h.Method, err)
	}
	answer, err := p.Call(ctx, Message{Head: h, Body: data, Files: files}, progress)
	if err != nil {
		return Message{}, err
	}
	return answer, answer.DecodeBody(out)
}
