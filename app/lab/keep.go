package lab

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/study"
)

// opener opens scenarios: from the library and other views, examples and bundles.
type opener[I Inputs[I]] struct {
	lab *Lab[I]

	pair          *pair[I]          // set while the first of a pair runs
	bundle        *Bundle           // bundle to compare the next run with; nil for none
	exampleHashes map[string]string // by example name; only examples compared so far
}

// keep records inputs without a result in the history. It announces a storage error, which has no
// other effect.
func (o *opener[I]) keep(in I) {
	o.lab.Try(func() error {
		d, document, err := o.lab.Exports.document(in)
		if err != nil {
			return err
		}
		return o.lab.Shelf.Record(o.lab.Page, in.Name(), d.Hash, document, nil)
	}, o.reportNotKept)
}

// note records a batch in the history, with its report unless report is nil.
func (o *opener[I]) note(b *Batch[I], report []byte) {
	d, err := b.Document, b.noDocument
	o.lab.Try(func() error {
		if err != nil {
			return err
		}
		document, err := d.JSON.Bytes(o.lab.Page)
		if err != nil {
			return err
		}
		return o.lab.Shelf.Record(o.lab.Page, b.Inputs.Name(), d.Hash, document, report)
	}, o.reportNotKept)
}

func (o *opener[I]) reportNotKept(err error) {
	if err != nil {
		shell.Announce(o.lab.Page, "This run could not be saved to the history: "+err.Error())
	}
}

// asked is a request to a view: to open a scenario, or to read texts.
type asked struct {
	kind     *scenario.Kind
	name     string
	scenario *scenario.Scenario
	before   *scenario.Scenario // the first of a pair: it runs first, and its result is pinned
	files    []*Source
	bundle   *Bundle                // bundle that contains the scenario; nil for none
	note     string                 // about the link of the scenario
	lecture  []scenario.LectureStep // steps that begin with the scenario; nil for none
}

// request is the request that no view has handled yet.
var request asked

// Open shows a scenario in the view for its kind; name labels the step in the undo history. ctx is
// the context of the calling view, because go-app drops the dispatch of an element that is removed
// first.
func Open(ctx app.Context, name string, s scenario.Scenario) { openAt(ctx, "", name, s, nil) }

// OpenPair shows scenario after, compared with the pinned result of scenario before. Both have the
// same kind.
func OpenPair(ctx app.Context, name string, before, after scenario.Scenario) {
	openAt(ctx, "", name, after, &before)
}

// openAt is Open with a fragment to append to the path, and optionally a scenario to
// compare with.
func openAt(ctx app.Context, fragment, name string, s scenario.Scenario, before *scenario.Scenario) {
	s = study.Shown(s)
	kind, ok := scenario.Lookup(s.Kind)
	if !ok {
		return // the decoder rejects unknown kinds
	}
	request = asked{kind: kind, name: name, scenario: &s, before: before}
	ctx.Dispatch(func(ctx app.Context) { ctx.Navigate(shell.Address(kind.Path + fragment)) })
}

// takeRequest handles a pending request to this view; false if no request is pending.
func (o *opener[I]) takeRequest() bool {
	if request.kind != o.lab.system.Kind {
		return false
	}
	r := request
	request = asked{}
	o.lab.Address.asleep = false
	if r.scenario != nil {
		o.lab.Lecture.open(r.lecture)
		o.giveWay(r.name, *r.scenario, r.before)
		if r.bundle != nil {
			o.expect(r.bundle)
		}
		return true
	}
	o.lab.Files.AwaitFiles()
	o.lab.system.Files.Arrived(r.files)
	return true
}

// Requested returns and clears the pending request for a scenario of a kind, with the bundle that
// contains the scenario. Both are nil if no request is pending; the bundle is nil if the scenario
// has none. Views without a Lab call it.
func Requested(kind *scenario.Kind) (*scenario.Scenario, *Bundle) {
	if request.kind != kind {
		return nil, nil
	}
	r := request
	request = asked{}
	return r.scenario, r.bundle
}

// pair holds the second of two scenarios while the first one runs.
type pair[I any] struct {
	name       string
	after      I
	generation int
}

// giveWay opens a scenario as [opener.GiveWay] does. If before is not nil, it runs before first and
// pins the result. The view of experiments opens a scenario that is shown as an experiment.
func (o *opener[I]) giveWay(name string, s scenario.Scenario, before *scenario.Scenario) bool {
	if study.Shown(s).Kind != s.Kind {
		Open(o.lab.Page, name, s)
		return false
	}
	if before == nil || before.Kind != s.Kind {
		return o.GiveWay(name, o.lab.system.Inputs(&s))
	}
	given := o.GiveWay(name, o.lab.system.Inputs(before))
	if given {
		o.pair = &pair[I]{name, o.lab.system.Inputs(&s), o.lab.generation}
	}
	return given
}

// goOnWithPair pins the result of the first scenario of a pair and opens the second.
func (o *opener[I]) goOnWithPair() {
	p := o.pair
	o.pair = nil
	if p != nil && p.generation == o.lab.generation && o.lab.Phase == Done {
		o.lab.Pins.pinShown()
		o.makeWay(p.name, p.after)
	}
}

// GiveWay replaces the inputs, unless the user refuses to lose a long run. It reports whether it
// replaced them.
func (o *opener[I]) GiveWay(name string, in I) bool {
	if !o.lab.Inputs.SameWork(in) && !o.lab.Runs.mayGiveWay() {
		return false
	}
	o.makeWay(name, in)
	return true
}

// makeWay replaces the inputs without asking. It records unsaved work in the history and announces
// that.
func (o *opener[I]) makeWay(name string, in I) {
	kept := o.lab.Unsaved && o.lab.Ready() && !o.lab.Inputs.SameWork(in)
	if kept {
		o.keep(o.lab.Inputs)
	}
	before := o.lab.Inputs
	o.lab.open(name, in)
	o.lab.replaced(before)
	o.lab.Tab = ui.PaneResult
	if kept {
		shell.Announce(o.lab.Page, "Your earlier work is in the history of the library. Undo brings it back.")
	}
}
