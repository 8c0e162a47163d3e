package lab

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/bridge"
	"berth/wasm/store"
)

// largestAtOnce is the maximum size, in bytes of text, of inputs that the page itself
// encodes as JSON; a worker encodes larger ones.
const largestAtOnce = 1 << 20

// work identifies a state of the inputs that may be kept as a draft.
type work struct {
	generation int
	unsaved    bool
}

// drafts is the state of the view's draft, which a reload restores.
type drafts struct {
	kept    work // the state in the last draft
	keeping bool // a draft is being written
	again   bool // the inputs changed meanwhile: write another
	lost    bool // the last draft could not be written
	others  []store.Entry
}

func (l *Lab[I]) work() work { return work{l.generation, l.Unsaved} }

// draft is the entry for the current inputs, without their scenario.
func (l *Lab[I]) draft() store.Entry {
	return store.Entry{Name: l.Inputs.Name(), Saved: time.Now().UnixMilli(), Unsaved: l.Unsaved}
}

// scenarioNow encodes the current inputs; false if they exceed largestAtOnce or have
// texts beside the scenario.
func (l *Lab[I]) scenarioNow() ([]byte, bool) {
	in := l.Inputs.Input()
	if l.Size(l.Inputs) > largestAtOnce || len(in.Texts) > 0 {
		return nil, false
	}
	data, err := json.Marshal(in.Scenario)
	return data, err == nil
}

// KeepDraft stores the current inputs for a reload of this tab, and reports an error
// as a notice.
func (l *Lab[I]) KeepDraft() {
	switch {
	case !l.drafts.lost && l.drafts.kept == l.work():
		return
	case l.drafts.keeping:
		l.drafts.again = true
		return
	}
	l.drafts.keeping = true
	now, e := l.work(), l.draft()
	small := false
	e.Scenario, small = l.scenarioNow()
	in, size := l.Inputs.Input(), l.Size(l.Inputs)
	var err, nothingKept error
	l.Later(func() {
		if !small {
			e.Scenario, err = l.largeScenario(in, size)
		}
		if err == nil {
			err = l.Drafts.Keep(l.Page, l.system.Kind.Name, e)
		}
		_, nothingKept = l.Shelf.Store(l.Page)
	}, func() {
		l.drafts.keeping, l.drafts.kept, l.drafts.lost = false, now, err != nil
		if nothingKept == nil { // else the library has reported that nothing can be stored
			l.reportLost(err)
		}
		if l.drafts.again {
			l.drafts.again = false
			l.KeepDraft()
		}
	})
}

// largeScenario has a worker encode inputs with large texts.
func (l *Lab[I]) largeScenario(in bridge.Input, size int) ([]byte, error) {
	if size > store.MaxBody {
		return nil, fmt.Errorf("they have %s, and the browser can keep at most %s", ui.Bytes(int64(size)), ui.Bytes(store.MaxBody))
	}
	d, err := l.Engine.Document(l.Page, in)
	if err != nil {
		return nil, err
	}
	if len(d.Left) > 0 {
		return nil, fmt.Errorf("%s is too large", d.Left[0])
	}
	return d.JSON.Bytes(l.Page)
}

// reportLost warns that a reload would lose the inputs.
func (l *Lab[I]) reportLost(err error) {
	text := ""
	if err != nil && l.Unsaved {
		text = "Reloading the page would lose these inputs: " + err.Error() + "."
	}
	l.notice("draft-lost", text)
}

// listenToLeaving stores a pending draft when the page is left or hidden.
func (l *Lab[I]) listenToLeaving() {
	flush := func(ctx app.Context, _ app.Event) { ui.Settle(ctx, func(app.Context) { l.flush() }) }
	l.listen("pagehide", flush)
	l.listen("visibilitychange", flush)
	l.listen("beforeunload", func(ctx app.Context, e app.Event) {
		ui.Settle(ctx, func(app.Context) { l.leave(e) })
	})
}

// leave stores the draft and has the browser ask before the user loses anything else.
func (l *Lab[I]) leave(e interface{ PreventDefault() }) {
	l.flush()
	if l.Unsaved && (l.drafts.lost || l.drafts.kept != l.work()) || l.atStake(time.Now()) {
		e.PreventDefault()
	}
}

// flush stores the draft before it returns, if the inputs are small; for large inputs
// it only starts KeepDraft.
func (l *Lab[I]) flush() {
	if !l.begun || !l.drafts.lost && l.drafts.kept == l.work() {
		return
	}
	e := l.draft()
	data, small := l.scenarioNow()
	if !small {
		l.KeepDraft()
		return
	}
	e.Scenario = data
	err := l.Drafts.KeepNow(l.system.Kind.Name, e)
	l.drafts.lost = err != nil
	if err == nil {
		l.drafts.kept = l.work()
	}
}

// begin loads the draft of this tab.
func (l *Lab[I]) begin() {
	var s *scenario.Scenario
	var own *store.Entry
	var others []store.Entry
	l.Later(func() {
		own, others = l.Drafts.Begin(l.Page, l.system.Kind.Name)
		if own != nil {
			s = l.readDraft(*own)
		}
	}, func() {
		l.drafts.others = others
		l.start(s, own != nil && own.Unsaved)
		l.offer()
	})
}

// readDraft decodes the scenario of a draft; nil if it is invalid, since a browser's
// storage may hold anything.
func (l *Lab[I]) readDraft(e store.Entry) *scenario.Scenario {
	s, err := l.Engine.OpenScenario(l.Page, bridge.OpenQuery{Draft: true}, e.Scenario)
	if err != nil || s.Kind != l.system.Kind.Name {
		return nil
	}
	return &s
}

// start opens the link in the address or the scenario that another view requested,
// with unsaved work of the draft below it in the undo history. Without either it
// continues the draft, and on a first visit it opens an example.
func (l *Lab[I]) start(draft *scenario.Scenario, unsaved bool) {
	l.begun, l.drafts.kept.generation = true, -1
	edited := l.generation > 0 // the user edited before the draft was read
	if draft != nil && study.Expand(*draft).Kind != draft.Kind {
		l.giveWay("go on with the sweep", *draft, nil)
		draft = nil
	}
	switch {
	case draft == nil || !unsaved:
	case edited:
		l.undo.Push("start over", l.system.Inputs(draft))
	default:
		l.Inputs, l.Unsaved = l.system.Inputs(draft), true
	}
	goOn := func() {
		switch {
		case draft == nil:
			l.Inputs = l.firstExample()
		case !unsaved:
			l.Inputs = l.system.Inputs(draft)
		}
	}
	if request.kind == l.system.Kind && request.files != nil && !edited {
		goOn() // the files replace only a part of the inputs
	}
	if l.takeRequest() || edited {
		return
	}
	if link, place := linkInAddress(); link != "" {
		l.place = l.takeArrangement(place)
		if draft != nil && unsaved && isBroughtBack() {
			l.goOnAt(link)
			return
		}
		l.OpenLink(link, func() { goOn(); l.settle(0) }, goOn)
		return
	}
	goOn()
	l.settle(0)
}

// offer offers the drafts of closed tabs, one at a time.
func (l *Lab[I]) offer() {
	if len(l.drafts.others) == 0 {
		return
	}
	e := l.drafts.others[0]
	l.drafts.others = l.drafts.others[1:]
	text := fmt.Sprintf("A closed tab had unsaved work: %s, from %s.",
		cmp.Or(e.Name, "unnamed"), time.UnixMilli(e.Saved).Format("2 January 2006, 15:04"))
	l.notice("draft-offer", text, noticeButton{"Open it", func() { l.adopt(e) }}, noticeButton{"Discard", func() { l.discard(e) }})
}

// adopt opens the draft of a closed tab.
func (l *Lab[I]) adopt(e store.Entry) {
	Ask(nil, l.Later, func() (*scenario.Scenario, error) {
		e, err := l.Drafts.Adopt(l.Page, l.system.Kind.Name, e)
		if err != nil {
			return nil, err
		}
		return l.readDraft(e), nil
	}, func(s *scenario.Scenario, err error) {
		switch {
		case err != nil:
			l.Complain("The work could not be opened", err)
		case s == nil:
			l.Complain("The work could not be opened", errors.New("it is damaged"))
		default:
			if l.giveWay("open the work of a closed tab", *s, nil) {
				l.Unsaved = true
				l.settle(0)
			}
		}
		l.offer()
	})
}

func (l *Lab[I]) discard(e store.Entry) {
	l.Try(func() error { return l.Drafts.Discard(l.Page, e) }, func(err error) {
		if err != nil {
			l.Complain("The work could not be deleted", err)
		}
		l.offer()
	})
}
