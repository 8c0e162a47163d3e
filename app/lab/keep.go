package lab

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/study"
)

// keep records inputs without a result in the history. An error of the storage is
// announced and has no other effect.
func (l *Lab[I]) keep(in I) {
	l.Try(func() error {
		d, document, err := l.document(in)
		if err != nil {
			return err
		}
		return l.Shelf.Record(l.Page, in.Name(), d.Hash, document, nil)
	}, l.reportNotKept)
}

// note records a batch in the history, with its report unless report is nil.
func (l *Lab[I]) note(b *Batch[I], report []byte) {
	d, err := b.Document, b.noDocument
	l.Try(func() error {
		if err != nil {
			return err
		}
		document, err := d.JSON.Bytes(l.Page)
		if err != nil {
			return err
		}
		return l.Shelf.Record(l.Page, b.Inputs.Name(), d.Hash, document, report)
	}, l.reportNotKept)
}

// record keeps a whole result in the history, and its place in the address.
func (l *Lab[I]) record(b *Batch[I]) {
	l.note(b, b.JSON())
	l.Located()
}

func (l *Lab[I]) reportNotKept(err error) {
	if err != nil {
		shell.Announce(l.Page, "This run could not be saved to the history: "+err.Error())
	}
}

// asked is a request to a view: to open a scenario, or to read texts.
type asked struct {
	kind     *scenario.Kind
	name     string
	scenario *scenario.Scenario
	before   *scenario.Scenario // the first of a pair: it runs first, and its result is pinned
	files    []*Source
	bundle   *Bundle // that contains the scenario; nil for none
}

// request is the request that no view has handled yet.
var request asked

// Open shows a scenario in the view of its kind; name labels the step in the undo
// history. ctx is the context of the calling view: go-app drops the dispatch of an
// element that is removed before its turn.
func Open(ctx app.Context, name string, s scenario.Scenario) { openAt(ctx, "", name, s, nil) }

// OpenPair shows scenario after, compared with the pinned result of scenario before,
// which has the same kind.
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
func (l *Lab[I]) takeRequest() bool {
	if request.kind != l.system.Kind {
		return false
	}
	r := request
	request = asked{}
	l.asleep = false
	if r.scenario != nil {
		l.giveWay(r.name, *r.scenario, r.before)
		if r.bundle != nil {
			l.expect(r.bundle)
		}
		return true
	}
	l.AwaitFiles()
	l.system.Files.Arrived(r.files)
	return true
}

// Requested returns and clears the pending request for a scenario of a kind, with the
// bundle that contains it. Both are nil without such a request; the bundle also if
// the scenario comes from none. It is for views without a Lab.
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

// giveWay opens a scenario as [Lab.GiveWay] does. If before is given, that one runs
// first and its result is pinned. A scenario that is shown as an experiment opens in
// the view of experiments.
func (l *Lab[I]) giveWay(name string, s scenario.Scenario, before *scenario.Scenario) bool {
	if study.Shown(s).Kind != s.Kind {
		Open(l.Page, name, s)
		return false
	}
	if before == nil || before.Kind != s.Kind {
		return l.GiveWay(name, l.system.Inputs(&s))
	}
	given := l.GiveWay(name, l.system.Inputs(before))
	if given {
		l.pair = &pair[I]{name, l.system.Inputs(&s), l.generation}
	}
	return given
}

// goOnWithPair pins the result of the first scenario of a pair and opens the second.
func (l *Lab[I]) goOnWithPair() {
	p := l.pair
	l.pair = nil
	if p != nil && p.generation == l.generation && l.Phase == Done {
		l.pinShown()
		l.makeWay(p.name, p.after)
	}
}

// GiveWay replaces the inputs, unless the user declines to lose a long run. It
// reports whether it did.
func (l *Lab[I]) GiveWay(name string, in I) bool {
	if !l.Inputs.SameWork(in) && !l.mayGiveWay() {
		return false
	}
	l.makeWay(name, in)
	return true
}

// makeWay replaces the inputs without asking. Unsaved work goes to the history, which
// is announced.
func (l *Lab[I]) makeWay(name string, in I) {
	kept := l.Unsaved && l.Ready() && !l.Inputs.SameWork(in)
	if kept {
		l.keep(l.Inputs)
	}
	before := l.Inputs
	l.open(name, in)
	l.replaced(before)
	l.Tab = ui.PaneResult
	if kept {
		shell.Announce(l.Page, "Your earlier work is in the history of the library. Undo brings it back.")
	}
}
