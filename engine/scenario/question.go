package scenario

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"berth/engine/input/packed"
)

// Needs is the preparation that a question requires.
type Needs int

// Inputs of questions.
const (
	Nothing Needs = iota // only the query and its files
	Inputs               // a scenario with its inputs
	Results              // a scenario with its result
)

// Question is a question about a scenario or a result of one kind. Queries and answers are
// transferred as JSON. An answer with the methods of [Attached] also has bytes, which are
// transferred separately.
type Question[Query, Answer any] struct {
	path   string
	needs  Needs
	answer func(context.Context, *Prepared, Query, Files) (Answer, error)
}

// Attached is an answer with bytes in addition to its JSON.
type Attached interface {
	Attachment() []byte
	Attach([]byte) error
}

// Files are the files attached to a query, by name.
type Files map[string]packed.File

// Export is an answer that is a file to save.
type Export struct {
	Name string
	Type string // media type
	Data []byte `json:"-"`

	Remarks []string // differences between the file and the inputs
}

// Attachment implements [Attached].
func (e *Export) Attachment() []byte { return e.Data }

// Attach implements [Attached].
func (e *Export) Attach(data []byte) error {
	e.Data = data
	return nil
}

// NewQuestion returns a question with the path "kind/name".
func NewQuestion[W Work, Query, Answer any](path string, needs Needs, answer func(W, context.Context, Query) (Answer, error)) *Question[Query, Answer] {
	return known(path, needs, func(ctx context.Context, e *Prepared, q Query, _ Files) (Answer, error) {
		w, err := WorkOf[W](e)
		if err != nil {
			var none Answer
			return none, err
		}
		return answer(w, ctx, q)
	})
}

// NewTool returns a question that needs no scenario.
func NewTool[Query, Answer any](path string, answer func(context.Context, Query, Files) (Answer, error)) *Question[Query, Answer] {
	return known(path, Nothing, func(ctx context.Context, _ *Prepared, q Query, files Files) (Answer, error) {
		return answer(ctx, q, files)
	})
}

// questions are all questions of the program, by path.
var questions = map[string]AnyQuestion{}

func known[Query, Answer any](path string, needs Needs, answer func(context.Context, *Prepared, Query, Files) (Answer, error)) *Question[Query, Answer] {
	q := &Question[Query, Answer]{path, needs, answer}
	questions[path] = q
	return q
}

// AnyQuestion is a question with any types of query and answer.
type AnyQuestion interface {
	Path() string // "kind/name"
	Needs() Needs
	// Reply answers the query that decode reads. e is nil if the question needs no
	// scenario.
	Reply(ctx context.Context, e *Prepared, decode func(query any) error, files Files) (answer any, err error)
}

// Path implements [AnyQuestion].
func (q *Question[Query, Answer]) Path() string { return q.path }

// Needs implements [AnyQuestion].
func (q *Question[Query, Answer]) Needs() Needs { return q.needs }

// Reply implements [AnyQuestion].
func (q *Question[Query, Answer]) Reply(ctx context.Context, e *Prepared, decode func(any) error, files Files) (any, error) {
	var query Query
	if err := decode(&query); err != nil {
		return nil, err
	}
	answer, err := q.answer(ctx, e, query, files)
	return answer, err
}

// QuestionPaths returns the paths of all questions of the program in alphabetical order.
func QuestionPaths() []string { return slices.Sorted(maps.Keys(questions)) }

// LookupQuestion returns the question with this path, or an error if no package of the program has
// defined it.
func LookupQuestion(path string) (AnyQuestion, error) {
	if q, ok := questions[path]; ok {
		return q, nil
	}
	return nil, fmt.Errorf("there is no question %q", path)
}
