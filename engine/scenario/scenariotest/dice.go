package scenariotest

import (
	"context"
	"fmt"
	"io"

	"berth/engine/figure"
	"berth/engine/parameter"
	"berth/engine/scenario"
)

// Dice is a minimal kind: a number of throws, and a question about each. Tests use it to show that
// the rest of the program works with any kind.
var Dice = &scenario.Kind{
	Name: "dice", Title: "Dice", Path: "/dice", Holds: "throws",
	Document: func() scenario.Document { return &Throws{} },
	Report:   func() scenario.ReportBody { return &Thrown{} },
	Prepare: func(_ context.Context, d scenario.Document, _ scenario.Env) (scenario.Work, error) {
		return &Hand{*d.(*Throws)}, nil
	},
	Parameters: func() []parameter.Parameter { return Fields },
	Figures: []figure.Figure{figure.Of(figure.Figure{Name: "sum", Title: "Sum", Better: figure.More},
		func(t *Thrown) figure.Number { return figure.Number(t.Sum) })},
}

// Fields lists the fields of the document, one of each type. Nothing else in the program mentions
// them.
var Fields = []parameter.Parameter{
	{Name: "throws", Title: "Throws of the die", Help: "`NUMBER` of throws", Low: 1, High: 100, Whole: true, Required: true},
	{Name: "loaded", Title: "the die is loaded", Help: "throw a loaded die", Switch: true},
	{Name: "dieColour", Title: "Colour", Help: "colour of the die", Choices: []parameter.Choice{{Name: "white"}, {Name: "black", Title: "as black as night"}}},
}

// ThrowQuestion asks for the throw with an index, from 0.
var ThrowQuestion = scenario.NewQuestion("dice/throw", scenario.Results, (*Hand).Throw)

// Throws is the document.
type Throws struct {
	Throws int    `json:"throws"`
	Loaded bool   `json:"loaded,omitempty"`
	Colour string `json:"dieColour,omitempty"`
}

// Validate implements [scenario.Document].
func (t *Throws) Validate(path string, p *scenario.Problems) {
	p.Row(path, t, Fields)
}

// Slots implements [scenario.Document].
func (t *Throws) Slots() []scenario.Slot { return nil }

// Clone implements [scenario.Document].
func (t *Throws) Clone() scenario.Document { c := *t; return &c }

// Runs implements [scenario.Document].
func (t *Throws) Runs() []scenario.Subject { return []scenario.Subject{{Name: "hand"}} }

// One implements [scenario.Document].
func (t *Throws) One(int, int) scenario.Document { return t }

// Hand is the work.
type Hand struct{ throws Throws }

// Document implements [scenario.Work].
func (h *Hand) Document() scenario.Document { return &h.throws }

// Throw returns the result of a throw.
func (h *Hand) Throw(_ context.Context, i int) (int, error) {
	if i < 0 || i >= h.throws.Throws {
		return 0, fmt.Errorf("there is no throw %d", i)
	}
	return 1 + 4*i*i%7%6, nil
}

// Run implements [scenario.Work].
func (h *Hand) Run(ctx context.Context, _ scenario.Row, _ func(scenario.Progress), _ *scenario.Timings) (scenario.ReportBody, error) {
	var t Thrown
	for i := range h.throws.Throws {
		shown, err := h.Throw(ctx, i)
		if err != nil {
			return nil, err
		}
		t.Sum += float64(shown)
	}
	return &t, nil
}

// Thrown is the body of the report.
type Thrown struct {
	Sum float64 `json:"sum"`
}

// Subject implements [figure.Body]. The body is the only subject.
func (t *Thrown) Subject(i int) any { return figure.At([]Thrown{*t}, i) }

// Subjects implements [scenario.ReportBody], as do the other methods.
func (t *Thrown) Subjects() []string                  { return []string{"hand"} }
func (t *Thrown) Remarks() (notes, warnings []string) { return nil, nil }
func (t *Thrown) Partial() bool                       { return false }
func (t *Thrown) Complete() bool                      { return true }

// Sentences is the headline of the report.
func (t *Thrown) Sentences() (headline string, details []string) {
	return fmt.Sprintf("the sum is %v", t.Sum), nil
}

// WriteText implements [scenario.ReportBody].
func (t *Thrown) WriteText(w io.Writer, _ *scenario.Timings) { fmt.Fprintf(w, "sum %v\n", t.Sum) }
