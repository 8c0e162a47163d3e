package scenario

import (
	"context"
	"fmt"
	"io"
	"slices"

	"berth/engine/figure"
	"berth/engine/format/sniff"
)

// Kind is one kind of scenario: all that the command line, the workers, the links,
// the library and the pages have to know of it.
type Kind struct {
	Name  string // in documents, where the body stands in the field of this name: "qos"
	Title string // of its page: "QoS"
	Path  string // of its page: "/qos"
	About string // its question, for the page and what search engines show
	Holds string // what its documents have, for messages: "workload, hosts and policies"

	Reads    sniff.Role // what sources of such documents are for
	Subject  string     // what a subject of its reports is: "policy"
	Headline []string   // the figures that experiments show where they name none

	Document func() Document   // an empty one
	Report   func() ReportBody // as above
	// Prepare reads or generates the inputs of a document, which is valid.
	Prepare func(ctx context.Context, d Document, env Env) (Work, error)
	// Gather makes the body of a report of those of the rows of a document, in their
	// order; see [Bodies]. Rows that did not run are nil. A kind whose documents have one
	// row needs none.
	Gather func([]Row, []ReportBody) ReportBody
	// Leads says that a program that shows results runs the first row by itself, and then
	// the whole: it takes longer to read the inputs than to run a row.
	Leads bool

	Questions []AnyQuestion
	Figures   []figure.Figure
}

// Document is the body of a scenario: a pointer to a struct whose fields have
// JSON tags.
type Document interface {
	// Validate adds what is wrong with the document apart from the content of its
	// sources; path is its own.
	Validate(path string, p *Problems)
	Slots() []Slot   // of all its sources
	Clone() Document // a copy whose sources are its own
	Runs() []Subject // of one run each, and its seeds
	// One is the document of a subject with a seed alone, by their places.
	One(subject, seed int) Document
}

// Seeded is a document with a seed of its own, beside those of recipes.
type Seeded interface {
	FirstSeed() uint64
	Reseed(by uint64)
}

// Work is a document whose inputs were read. It may have three more methods:
//
//	Diagnostics() diag.List // notes and warnings of the inputs
//	Gathered(ReportBody)    // hears of the body of all rows that this work has run
//	Arrays() map[string][]byte    // after a run: what is too long for the report, by name
type Work interface {
	Document() Document // with the digests of texts that were files next to it
	// Run carries a row out, tells how far it is and notes its times. What ctx stops is an
	// error, or a body that is marked as partial.
	Run(ctx context.Context, row Row, tell func(Progress), t *Timings) (ReportBody, error)
}

// ReportBody is the body of a report: a pointer to a struct as JSON has it. It may
// have five more methods:
//
//	Sentences() (headline string, details []string) // the result, why it is so and what would help
//	Left() []string                        // what makes it incomplete, instead of its warnings
//	Detach() (slim ReportBody, lists []byte) // see Report.Detach
//	Restore(lists []byte) error              // the way back
//	Identify(Document)                       // puts digests of texts into a document whose files they are
type ReportBody interface {
	Subjects() []string // what is compared: strategies, policies, schedulers
	figure.Body         // what their figures are of
	Remarks() (notes, warnings []string)
	Partial() bool                     // it was stopped before its end
	Complete() bool                    // everything was placed, could run, ended
	WriteText(w io.Writer, t *Timings) // for people; t may be nil
}

// kinds are those that are known, in the order in which they are listed.
var kinds []*Kind

// Register makes kinds known. Another kind of the same name is a mistake of the
// program, upon which it panics.
func Register(all ...*Kind) {
	for _, k := range all {
		switch known, ok := Lookup(k.Name); {
		case !ok:
			kinds = append(kinds, k)
		case known != k:
			panic(fmt.Sprintf("scenario: there are two kinds %q", k.Name))
		}
	}
}

// Lookup returns the kind of that name.
func Lookup(name string) (*Kind, bool) {
	i := slices.IndexFunc(kinds, func(k *Kind) bool { return k.Name == name })
	if i < 0 {
		return nil, false
	}
	return kinds[i], true
}

// Recognise returns the kind that a text is a source of, and what it is there; of
// several it is the one that is given. It is nil if no kind knows the text.
func Recognise(text string, own *Kind) (k *Kind, what string) {
	var roles sniff.Role
	if own != nil {
		roles = own.Reads
	}
	found := sniff.Look(text, roles)
	for _, k := range append([]*Kind{own}, kinds...) {
		if k != nil && found.Format != nil && found.For&k.Reads != 0 && !found.Doubtful {
			return k, found.What
		}
	}
	return nil, ""
}

// Kinds returns all kinds.
func Kinds() []*Kind { return slices.Clone(kinds) }

// Subjects names the subjects of a report or a document.
func Subjects[S any](all []S, name func(*S) string) []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = name(&all[i])
	}
	return names
}

// As returns a body as that of its kind, nil of another.
func As[B any](body any) B {
	b, _ := body.(B)
	return b
}

// PrepareBy makes the Prepare of a [Kind] of a function of its own types.
func PrepareBy[D Document, W Work](prepare func(context.Context, D, Env) (W, error)) func(context.Context, Document, Env) (Work, error) {
	return func(ctx context.Context, d Document, env Env) (Work, error) { return prepare(ctx, d.(D), env) }
}
