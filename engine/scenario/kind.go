package scenario

import (
	"context"
	"fmt"
	"io"
	"slices"

	"berth/engine/figure"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// Kind is a kind of scenarios: everything that the command line, the workers, the links,
// the library and the pages need of it.
type Kind struct {
	Name  string // of the kind in documents, and of the field with the body: "qos"
	Title string // of its page: "QoS"
	Path  string // of its page: "/qos"
	About string // its question, for the page and for search engines
	Holds string // parts of its documents, for messages: "workload, hosts and policies"

	Reads    sniff.Role // roles of the sources of its documents
	Subject  string     // name for a subject of its reports: "policy"
	Headline []string   // default metrics of experiments

	Document func() Document   // returns an empty one
	Report   func() ReportBody // returns an empty one
	// Prepare reads or generates the inputs of a valid document.
	Prepare func(ctx context.Context, d Document, env Env) (Work, error)
	// Gather combines the bodies of the rows of a document, in their order; see [Bodies].
	// Rows that did not run are nil. It may be nil if documents of the kind have a single
	// row.
	Gather func([]Row, []ReportBody) ReportBody
	// Leads means that a page runs the first row alone, and then all rows in one call,
	// because reading the inputs takes longer than running a row.
	Leads bool

	Figures []figure.Figure

	// Parameters lists the parameters of a document, and Elements the parameters of an element of
	// its lists, by the name of the element.
	Parameters func() []parameter.Parameter
	Elements   map[string]func(name string) []parameter.Parameter
	// Recipe returns the parameters of a recipe, and their values by name.
	Recipe func(workload.Recipe) ([]parameter.Parameter, map[string]float64, error)
}

// ParameterAt returns the parameter at a JSON path of a document, or of the element with this name
// in a list of it; nil if the path is no parameter.
func (k *Kind) ParameterAt(list, element, path string) *parameter.Parameter {
	if of := k.Elements[list]; of != nil {
		return parameter.At(of(element), path)
	}
	if list != "" || k.Parameters == nil {
		return nil
	}
	return parameter.At(k.Parameters(), path)
}

// Document is the body of a scenario: a pointer to a struct whose fields have JSON tags.
type Document interface {
	// Validate adds the errors of the document, which is at path, except for the content
	// of its sources.
	Validate(path string, p *Problems)
	Slots() []Slot   // of all its sources
	Clone() Document // a copy whose sources are its own
	Runs() []Subject // with their seeds
	// One returns the document with a single subject and seed, by their positions.
	One(subject, seed int) Document
}

// Seeded is a document with a seed of its own, which FirstSeed points to.
type Seeded interface{ FirstSeed() *uint64 }

// Work is a document with its inputs. It may have three more methods:
//
//	Diagnostics() diag.List // notes and warnings of the inputs
//	Gathered(ReportBody)    // receives the combined body of all rows
//	Arrays() map[string][]byte    // after a run: arrays too long for the report, by name
type Work interface {
	Document() Document // including the digests of the files next to it
	// Run runs a row, reports progress and records times in t. If ctx ends, it returns an
	// error, or a body that is marked as partial.
	Run(ctx context.Context, row Row, tell func(Progress), t *Timings) (ReportBody, error)
}

// ReportBody is the body of a report: a pointer to a struct with JSON tags. It may have
// five more methods:
//
//	Sentences() (headline string, details []string) // the result, its reasons, and what would help
//	Left() []string                        // the incomplete parts, instead of its warnings
//	Detach() (slim ReportBody, lists []byte) // see Report.Detach
//	Restore(lists []byte) error              // see Report.Restore
//	Identify(Document)                       // sets the digests of files in a document
type ReportBody interface {
	Subjects() []string // that are compared: strategies, policies, schedulers
	figure.Body         // values for the figures
	Remarks() (notes, warnings []string)
	Partial() bool                     // it was stopped early
	Complete() bool                    // everything was placed, could run, ended
	WriteText(w io.Writer, t *Timings) // for people; t may be nil
}

// kinds are the registered kinds, in the order of lists.
var kinds []*Kind

// Register adds kinds. It panics if another kind has the same name.
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

// Lookup returns the kind with this name.
func Lookup(name string) (*Kind, bool) {
	i := slices.IndexFunc(kinds, func(k *Kind) bool { return k.Name == name })
	if i < 0 {
		return nil, false
	}
	return kinds[i], true
}

// Recognise returns the kind that reads a text, and a description of the text. It prefers
// own. k is nil if no kind reads it.
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

// Subjects returns the names of the subjects of a report or a document.
func Subjects[S any](all []S, name func(*S) string) []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = name(&all[i])
	}
	return names
}

// As returns a body as the type of its kind; nil for another type.
func As[B any](body any) B {
	b, _ := body.(B)
	return b
}

// PrepareBy converts a function with the types of a kind to [Kind.Prepare].
func PrepareBy[D Document, W Work](prepare func(context.Context, D, Env) (W, error)) func(context.Context, Document, Env) (Work, error) {
	return func(ctx context.Context, d Document, env Env) (Work, error) { return prepare(ctx, d.(D), env) }
}
