package bridge

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"berth/engine/dot"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/scenario"
	"berth/engine/workload"
	"berth/wasm/store"
)

// The names of the files that answers carry.
const (
	ReportFile   = "report"   // of run: the bytes of the report
	ListsFile    = "lists"    // of run: what Detach took out of the report of the body
	ValuesFile   = "values"   // of matrix: float64, little-endian, row by row
	DataFile     = "data"     // of export
	TextFile     = "text"     // of check (in the call) and generate
	DocumentFile = "document" // of document: the canonical bytes of the scenario; of open, in the call
	BodiesFile   = "bodies"   // of open: what Detach took out of an archive
)

// Result is a run that questions can be asked about. One that was saved needs
// only its Input and Hash for that.
type Result struct {
	Input   Input
	Hash    string // of the scenario
	Report  *scenario.Report
	JSON    []byte // the report as it is written everywhere, without timings
	Timings *scenario.Timings
	Memory  uint64 // bytes that the worker has taken from the system so far
	// Arrays has what is too long for a report, by the names that the body of
	// the kind gives: see scenario.Experiment.Arrays.
	Arrays map[string]Blob
}

// RunAnswer is the body of the answer to run.
type RunAnswer struct {
	Report  *scenario.Report  `json:"report"`
	Timings *scenario.Timings `json:"timings,omitempty"`
	Memory  uint64            `json:"memory"`
}

// Run runs a scenario.
func (p *Pool) Run(ctx context.Context, in Input, progress func(scenario.Progress)) (*Result, error) {
	var body RunAnswer
	answer, err := p.about(ctx, MethodRun, in, progress, &body)
	if err != nil {
		return nil, err
	}
	if body.Report == nil {
		return nil, errors.New("bridge: an answer to run without a report")
	}
	r := &Result{Input: in, Hash: answer.Scenario, Report: body.Report, Timings: body.Timings, Memory: body.Memory}
	if r.JSON, err = answer.Files[ReportFile].Bytes(ctx); err != nil {
		return nil, err
	}
	lists, err := answer.Files[ListsFile].Bytes(ctx)
	if err != nil {
		return nil, err
	}
	r.Arrays = answer.Files
	delete(r.Arrays, ReportFile)
	delete(r.Arrays, ListsFile)
	return r, restore(r.Report, lists)
}

// Explain answers why a job went where it went.
func (p *Pool) Explain(ctx context.Context, r *Result, q scenario.ExplainQuery) (placement.Explanation, error) {
	var e placement.Explanation
	_, err := question(ctx, p, r, MethodExplain, q, &e)
	return e, err
}

// Draw returns the DOT text of a drawing and the figures of its elements.
func (p *Pool) Draw(ctx context.Context, r *Result, q scenario.DrawQuery) (drawing.Drawing, error) {
	var d drawing.Drawing
	_, err := question(ctx, p, r, MethodDraw, q, &d)
	return d, err
}

// MatrixAnswer is the body of the answer to matrix.
type MatrixAnswer struct {
	Rows    []string `json:"rows"`
	Columns []string `json:"columns"`
}

// Matrix returns CM or NAM at one step.
func (p *Pool) Matrix(ctx context.Context, r *Result, q scenario.MatrixQuery) (scenario.MatrixData, error) {
	var body MatrixAnswer
	files, err := question(ctx, p, r, MethodMatrix, q, &body)
	if err != nil {
		return scenario.MatrixData{}, err
	}
	data, err := files[ValuesFile].Bytes(ctx)
	if err != nil {
		return scenario.MatrixData{}, err
	}
	return scenario.MatrixData{Which: q.Which, Rows: body.Rows, Columns: body.Columns, Values: floats(data)}, nil
}

// File is something to save.
type File struct {
	Name string
	Type string // media type
	Data Blob
}

// ExportAnswer is the body of the answer to export.
type ExportAnswer struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Export returns a result as a file.
func (p *Pool) Export(ctx context.Context, r *Result, q scenario.ExportQuery) (File, error) {
	var body ExportAnswer
	files, err := question(ctx, p, r, MethodExport, q, &body)
	return File{Name: body.Name, Type: body.Type, Data: files[DataFile]}, err
}

// CheckQuery is the body of check.
type CheckQuery struct {
	Source scenario.Source `json:"source"`
	Role   dot.Role        `json:"role"` // Unknown: the labels decide
	Strict bool            `json:"strict,omitempty"`
	Text   Blob            `json:"-"` // where Source has neither text nor recipe
}

// Check reads a single graph and tells what it is and what is wrong with it.
func (p *Pool) Check(ctx context.Context, q CheckQuery) (scenario.Checked, error) {
	if q.Source.DOT != "" {
		q.Text, q.Source.DOT = Moved([]byte(q.Source.DOT)), ""
	}
	var files map[string]Blob
	if q.Source.Recipe == nil {
		files = map[string]Blob{TextFile: q.Text}
	}
	var c scenario.Checked
	_, err := p.ask(ctx, Head{Method: MethodCheck}, q, files, nil, &c)
	return c, err
}

// GenerateQuery is the body of generate.
type GenerateQuery struct {
	Recipe  workload.Recipe `json:"recipe"`
	Dialect dot.Dialect     `json:"dialect"`
}

// Generated is a graph that a generator made.
type Generated struct {
	Nodes int  `json:"nodes"`
	Edges int  `json:"edges"`
	Text  Blob `json:"-"`
}

// Generate makes the graph of a recipe and writes it as DOT.
func (p *Pool) Generate(ctx context.Context, q GenerateQuery) (Generated, error) {
	var g Generated
	answer, err := p.ask(ctx, Head{Method: MethodGenerate}, q, nil, nil, &g)
	g.Text = answer.Files[TextFile]
	return g, err
}

// DocumentAnswer is the body of the answer to document.
type DocumentAnswer struct {
	Link   string `json:"link"` // the text of the fragment after "s="; "" where NoLink says why there is none
	NoLink string `json:"noLink,omitempty"`
	// Left has the names of files that are too large to be in the document.
	Left []string `json:"left,omitempty"`
}

// Document is a scenario to save or share.
type Document struct {
	DocumentAnswer
	Hash string
	JSON Blob
}

// Document returns the whole scenario, with the texts that stand beside it.
func (p *Pool) Document(ctx context.Context, in Input) (Document, error) {
	var d Document
	answer, err := p.about(ctx, MethodDocument, in, nil, &d.DocumentAnswer)
	d.Hash, d.JSON = answer.Scenario, answer.Files[DocumentFile]
	return d, err
}

// OpenQuery is the body of open.
type OpenQuery struct {
	Link  string `json:"link,omitempty"`  // fragment of a link; "" for the document that goes along
	Draft bool   `json:"draft,omitempty"` // the scenario need not be complete
}

// Opened is the body of the answer to open: what a link or a document holds,
// either a scenario, whose texts go along by slot, or an archive, whose scenarios
// and reports do.
type Opened struct {
	Scenario *scenario.Scenario `json:"scenario,omitempty"`
	Archive  *store.Archive     `json:"archive,omitempty"`
	Sizes    []int              `json:"sizes,omitempty"` // of the parts of BodiesFile
}

// Open reads a link or a document, a scenario or an archive. The page itself
// never decodes what came from elsewhere.
func (p *Pool) Open(ctx context.Context, q OpenQuery, document Blob) (Opened, error) {
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
		return Opened{}, errors.New("bridge: an answer to open that holds nothing")
	}
	return o, putBack(ctx, o.Scenario, answer.Files)
}

// OpenScenario is Open for what has to be a scenario.
func (p *Pool) OpenScenario(ctx context.Context, q OpenQuery, document []byte) (scenario.Scenario, error) {
	o, err := p.Open(ctx, q, Moved(document))
	if err != nil {
		return scenario.Scenario{}, err
	}
	if o.Scenario == nil {
		return scenario.Scenario{}, errors.New("it is a library, not a scenario")
	}
	return *o.Scenario, nil
}

// question asks about a result, and again with its scenario if the worker does
// not remember that one.
func question(ctx context.Context, p *Pool, r *Result, m Method, query, out any) (map[string]Blob, error) {
	head := Head{Method: m, Scenario: r.Hash}
	answer, err := p.ask(ctx, head, Question[any]{Query: query}, nil, nil, out)
	var e *Error
	if errors.As(err, &e) && e.Kind == UnknownScenario {
		s, files := r.Input.Detach()
		answer, err = p.ask(ctx, head, Question[any]{Scenario: s, Query: query}, files, nil, out)
	}
	return answer.Files, err
}

// about calls with a scenario, whatever the worker remembers.
func (p *Pool) about(ctx context.Context, m Method, in Input, progress func(scenario.Progress), out any) (Message, error) {
	s, files := in.Detach()
	return p.ask(ctx, Head{Method: m}, Question[struct{}]{Scenario: s}, files, progress, out)
}

// ask calls with a body that is written as JSON, and reads that of the answer.
func (p *Pool) ask(ctx context.Context, h Head, body any, files map[string]Blob, progress func(scenario.Progress), out any) (Message, error) {
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

// FloatBytes returns figures as matrix sends them.
func FloatBytes(values []float64) []byte {
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return data
}

func floats(data []byte) []float64 {
	values := make([]float64, len(data)/8)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return values
}
