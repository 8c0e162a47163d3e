package first

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"berth/wasm/bridge"
	"berth/wasm/graphviz"
)

// Recording holds answers to calls, and drawings of graphs, by a hash of the question.
type Recording struct {
	Answers map[string]RecordedAnswer `json:"answers"`

	mu   sync.Mutex
	used map[string]bool
	turn sync.Mutex // serialises the answers; see pause
	text func() []byte
	read sync.Once // parses text on first use
}

// RecordedAnswer is an engine's answer to a call, or a drawing.
type RecordedAnswer struct {
	Scenario string          `json:"scenario,omitempty"`
	Body     json.RawMessage `json:"body,omitempty"`
	Files    map[string]File `json:"files,omitempty"`
}

// File is the content of a file: Text if it is text, otherwise Data.
type File struct {
	Text string `json:"text,omitempty"`
	Data []byte `json:"data,omitempty"`
}

func (f File) bytes() []byte {
	if f.Data != nil {
		return f.Data
	}
	return []byte(f.Text)
}

// NewRecording returns an empty recording.
func NewRecording() *Recording {
	return &Recording{Answers: map[string]RecordedAnswer{}, used: map[string]bool{}}
}

// Read decodes a recording that Encode wrote.
func Read(data []byte) (*Recording, error) {
	r := NewRecording()
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("first: %w", err)
	}
	return r, nil
}

// Later returns a recording that the first lookup decodes from text, so that decoding
// does not delay the page. An invalid text gives an empty recording.
func Later(text func() []byte) *Recording {
	r := NewRecording()
	r.text = text
	return r
}

func (r *Recording) load() {
	r.read.Do(func() {
		if r.text == nil {
			return
		}
		r.pause()
		if read, err := Read(r.text()); err == nil {
			r.Answers = read.Answers
		}
	})
}

// Encode encodes the answers that were used since Begin.
func (r *Recording) Encode() ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	used := NewRecording()
	for key := range r.used {
		if answer, ok := r.Answers[key]; ok {
			used.Answers[key] = answer
		}
	}
	return json.Marshal(used)
}

// Begin forgets which answers were used but keeps the answers. The questions of a page may depend
// on the speed of the engine. With all answers recorded, a page asks the fewest questions.
func (r *Recording) Begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.used)
}

// largestFile is the maximum size, in bytes, of the files of a call that is looked up: files of a
// first result are small, and a visitor's file may be too large for memory.
const largestFile = 1 << 20

func (r *Recording) mayHave(call bridge.Message) bool {
	for _, file := range call.Files {
		if file.Size() > largestFile {
			return false
		}
	}
	return r.text != nil || len(r.Answers) > 0
}

func callKey(ctx context.Context, call bridge.Message) (string, error) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n%s\n%s\n", call.Method, call.Scenario, call.Body)
	for _, name := range slices.Sorted(maps.Keys(call.Files)) {
		data, err := call.Files[name].Bytes(ctx)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s %d\n%s\n", name, len(data), data)
	}
	return hex.EncodeToString(hash.Sum(nil)[:12]), nil
}

func drawingKey(dot []byte, o graphviz.Options) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%+v\n%s", o, dot)
	return hex.EncodeToString(hash.Sum(nil)[:12])
}

// lookup returns the recorded answer to a question, and marks it as used.
func (r *Recording) lookup(key string) (RecordedAnswer, bool) {
	r.load()
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := r.Answers[key]
	r.used[key] = ok
	return a, ok
}

func (r *Recording) keep(key string, a RecordedAnswer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Answers[key], r.used[key] = a, true
}

// answer returns the recorded answer to a call, as a message with this id.
func (r *Recording) answer(key string, id uint64) (bridge.Message, bool) {
	a, ok := r.lookup(key)
	if !ok {
		return bridge.Message{}, false
	}
	m := bridge.Message{Head: bridge.Head{ID: id, Kind: bridge.KindResult, Scenario: a.Scenario}, Body: a.Body, Files: map[string]bridge.Blob{}}
	for name, file := range a.Files {
		m.Files[name] = bridge.NewBlob(file.bytes())
	}
	return m, true
}

// Drawing returns a renderer that returns recorded drawings and leaves the others to
// next.
func (r *Recording) Drawing(next graphviz.Renderer) graphviz.Renderer { return drawer{r, next, false} }

// DrawingRecorder is Drawing that also records the drawings of next.
func (r *Recording) DrawingRecorder(next graphviz.Renderer) graphviz.Renderer {
	return drawer{r, next, true}
}

type drawer struct {
	record *Recording
	next   graphviz.Renderer
	keeps  bool
}

func (d drawer) Render(ctx context.Context, dot []byte, o graphviz.Options) ([]byte, error) {
	const file = "svg"
	key := drawingKey(dot, o)
	if a, ok := d.record.lookup(key); ok {
		return a.Files[file].bytes(), nil
	}
	svg, err := d.next.Render(ctx, dot, o)
	if err == nil && d.keeps {
		d.record.keep(key, RecordedAnswer{Files: map[string]File{file: {Text: string(svg)}}})
	}
	return svg, err
}
