package lab

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/study"
)

// keep notes inputs in the history that have no result. Whatever goes wrong with the
// storage is told, and nothing else depends on it.
func (l *Lab[I]) keep(in I) {
	l.Try(func() error {
		d, document, err := l.document(in)
		if err != nil {
			return err
		}
		return l.Shelf.Record(l.Page, in.Name(), d.Hash, document, nil)
	}, l.tellNotKept)
}

// note notes what has run in the history, with its report unless that is nil.
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
	}, l.tellNotKept)
}

func (l *Lab[I]) tellNotKept(err error) {
	if err != nil {
		shell.Announce(l.Page, "This run could not be saved to the history: "+err.Error())
	}
}

// asked is what a view is asked to show: a scenario, or texts that it reads.
type asked struct {
	kind     *scenario.Kind
	name     string
	scenario *scenario.Scenario
	before   *scenario.Scenario // of a pair: it runs first, and its result is pinned
	files    []*Source
	bundle   *Bundle // that the scenario is of; nil for one by itself
}

// request is the one that no view has taken yet.
var request asked

// Open shows a scenario in the view of its kind; name says in the undo history
// where it is from. The context is the view's own: what an element asks for that
// goes before its turn has come is dropped.
func Open(ctx app.Context, name string, s scenario.Scenario) { openAt(ctx, "", name, s, nil) }

// OpenPair shows two scenarios of one kind: the second one, compared with the
// pinned result of the first.
func OpenPair(ctx app.Context, name string, before, after scenario.Scenario) {
	openAt(ctx, "", name, after, &before)
}

// openAt is Open with what comes behind the path in the address.
func openAt(ctx app.Context, fragment, name string, s scenario.Scenario, before *scenario.Scenario) {
	s = study.Shown(s)
	kind, ok := scenario.Lookup(s.Kind)
	if !ok {
		return // no scenario of such a kind is ever read
	}
	request = asked{kind: kind, name: name, scenario: &s, before: before}
	ctx.Dispatch(func(ctx app.Context) { ctx.Navigate(shell.Address(kind.Path + fragment)) })
}

// takeRequest opens what this view is asked to show, if there is something.
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

// Requested returns the scenario of a kind that another view asked to show, nil if
// there is none, and the bundle that it is of, if any. It is for views that are no
// laboratory.
func Requested(kind *scenario.Kind) (*scenario.Scenario, *Bundle) {
	if request.kind != kind {
		return nil, nil
	}
	r := request
	request = asked{}
	return r.scenario, r.bundle
}

// pair is the second one of two scenarios, while the first one runs.
type pair[I any] struct {
	name       string
	after      I
	generation int
}

// giveWay opens a scenario in place of these inputs, as [Lab.GiveWay], and after another
// one where there is one before it. One that stands for an experiment opens where these
// are shown.
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

// goOnWithPair pins the result of the first scenario of a pair, and opens the
// second.
func (l *Lab[I]) goOnWithPair() {
	p := l.pair
	l.pair = nil
	if p != nil && p.generation == l.generation && l.Phase == Done {
		l.pinShown()
		l.makeWay(p.name, p.after)
	}
}

// GiveWay puts other inputs in place of these, unless the user keeps the long run
// that would be lost.
func (l *Lab[I]) GiveWay(name string, in I) bool {
	if !l.Inputs.SameWork(in) && !l.mayGiveWay() {
		return false
	}
	l.makeWay(name, in)
	return true
}

// makeWay does so without asking. Work that is not saved goes to the history, and the
// user is told.
func (l *Lab[I]) makeWay(name string, in I) {
	kept := l.Unsaved && l.Ready() && !l.Inputs.SameWork(in)
	if kept {
		l.keep(l.Inputs)
	}
	before := l.Inputs
	shell.SetNotice(l.Page, l.path(), shell.Notice{ID: noticeRefused})
	l.open(name, in)
	l.replaced(before)
	l.Tab = ui.PaneResult
	if kept {
		shell.Announce(l.Page, "Your earlier work is in the history of the library. Undo brings it back.")
	}
}
