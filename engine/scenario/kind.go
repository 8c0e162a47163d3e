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

// Kind is a kind of scenarios. It provides everything that the command line, the workers, the
// links, the library and the pages need to handle the scenarios of the kind.
type Kind struct {
	Name  string // name in documents, and of the field with the body: "qos"
	Title string // title of its page: "QoS"
	Path  string // path of its page: "/qos"
	About string // the question that it answers, for the page and for search engines
	Holds string // main parts of its documents, for messages: "workload, hosts and policies"

	Reads    sniff.Role // roles of the sources in its documents
	Subject  string     // noun for the subjects of its reports: "policy"
	Headline []string   // default metrics of experiments

	Document func() Document   // returns an empty document
	Report   func() ReportBody // returns an empty body
	// Prepare reads or generates the inputs of a valid document.
	Prepare func(ctx context.Context, d Document, env Env) (Work, error)
	// Gather combines the bodies of a document's rows, given in order; see [Bodies]. A body is nil
	// if its row has not run. Gather may be nil if documents of the kind have a single row.
	Gather func([]Row, []ReportBody) ReportBody
	// Leads means that a page first runs the first row alone, and then all rows in one call,
	// because reading the inputs takes longer than running a row.
	Leads bool

	Figures []figure.Figure

	// Parameters returns the parameters of a document. Elements returns, by list, the parameters of
	// the list's element with the given name.
	Parameters func() []parameter.Parameter
	Elements   map[string]func(name string) []parameter.Parameter
	// Recipe returns the parameters of a recipe, and their values by name.
	Recipe func(workload.Recipe) ([]parameter.Parameter, map[string]float64, error)
}

// ParameterAt returns the parameter at a JSON path of the document, or of the named element of a
// list if list is not "". It returns nil if no parameter has this path.
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
	Slots() []Slot   // all its sources
	Clone() Document // deep copy, including the sources
	Runs() []Subject // its subjects, with their numbers of seeds
	// One returns the document with a single subject and seed, by their positions.
	One(subject, seed int) Document
}

// Seeded is implemented by documents with a seed. FirstSeed returns a pointer to it.
type Seeded interface{ FirstSeed() *uint64 }

// Work is a document with its inputs. An implementation may have three more methods:
//
//	Diagnostics() diag.List     // notes and warnings about the inputs
//	Gathered(ReportBody)        // receives the combined body of all rows
//	Arrays() map[string][]byte  // after a run: arrays too long for the report, by name
type Work interface {
	Document() Document // including the digests of the files
	// Run runs a row, reports progress and records times in t. If ctx ends, it returns an
	// error, or a body that is marked as partial.
	Run(ctx context.Context, row Row, tell func(Progress), t *Timings) (ReportBody, error)
}

// ReportBody is the body of a report: a pointer to a struct with JSON tags. An implementation may
// have three more methods:
//
//	Sentences() (headline string, details []string) // the result, its reasons, and what would help
//	Left() []string                                 // the incomplete parts, instead of its warnings
//	Identify(Document)                              // sets the digests of files in a document
type ReportBody interface {
	Subjects() []string // names of the compared strategies, policies or schedulers
	figure.Body         // the values of the figures
	Remarks() (notes, warnings []string)
	Partial() bool                     // the run was stopped early
	Complete() bool                    // everything was placed, could run, or ended
	WriteText(w io.Writer, t *Timings) // text for people; t may be nil
}

// kinds are the registered kinds, in display order.
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

// Lookup returns the registered kind with this name; false if there is none.
func Lookup(name string) (*Kind, bool) {
	i := slices.IndexFunc(kinds, func(k *Kind) bool { return k.Name == name })
	if i < 0 {
		return nil, false
	}
	return kinds[i], true
}

// Recognise returns the kind that can read a text, or nil, and a description of the text. If
// several kinds can read it, own takes precedence.
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

// Kinds returns a copy of the list of registered kinds, in the order in which they are displayed.
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
