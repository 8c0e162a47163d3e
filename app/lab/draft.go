package lab

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/bridge"
	"berth/wasm/store"
)

// largestAtOnce is the size in bytes of the texts of inputs that are written as
// JSON by the page itself; a worker does that for larger ones.
const largestAtOnce = 1 << 20

// work tells inputs apart that are kept as a draft.
type work struct {
	generation int
	unsaved    bool
}

// drafts is what a view knows of its draft, which a reload brings back.
type drafts struct {
	kept    work // the draft that is kept
	keeping bool // another is on its way
	again   bool // and is old already
	lost    bool // the last one could not be kept
	others  []store.Entry
}

func (l *Lab[I]) work() work { return work{l.generation, l.Unsaved} }

// draft is the draft of the present inputs without its scenario.
func (l *Lab[I]) draft() store.Entry {
	return store.Entry{Name: l.Inputs.Name(), Saved: time.Now().UnixMilli(), Unsaved: l.Unsaved}
}

// scenarioNow returns the scenario of inputs of largestAtOnce or less.
func (l *Lab[I]) scenarioNow() ([]byte, bool) {
	in := l.Inputs.Input()
	if l.Size(l.Inputs) > largestAtOnce || len(in.Texts) > 0 {
		return nil, false
	}
	data, err := json.Marshal(in.Scenario)
	return data, err == nil
}

// KeepDraft keeps the inputs on screen for a reload of this tab, and says so if
// that cannot be.
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
		if nothingKept == nil { // else that was said for everything
			l.tellLost(err)
		}
		if l.drafts.again {
			l.drafts.again = false
			l.KeepDraft()
		}
	})
}

// largeScenario has a worker write a scenario with the texts beside it.
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

// tellLost says that a reload would lose the work.
func (l *Lab[I]) tellLost(err error) {
	text := ""
	if err != nil && l.Unsaved {
		text = "Reloading the page would lose these inputs: " + err.Error() + "."
	}
	shell.SetNotice(l.Page, l.path(), shell.Notice{ID: "draft-lost", Text: text})
}

// listenToLeaving keeps what is not kept yet when the page is left or hidden.
func (l *Lab[I]) listenToLeaving() {
	flush := func(ctx app.Context, _ app.Event) { ui.Settle(ctx, func(app.Context) { l.flush() }) }
	l.listen("pagehide", flush)
	l.listen("visibilitychange", flush)
	l.listen("beforeunload", func(ctx app.Context, e app.Event) {
		ui.Settle(ctx, func(app.Context) { l.leave(e) })
	})
}

// leave keeps what it can, and has the browser ask before anything else is lost.
func (l *Lab[I]) leave(e interface{ PreventDefault() }) {
	l.flush()
	if l.Unsaved && (l.drafts.lost || l.drafts.kept != l.work()) || l.atStake(time.Now()) {
		e.PreventDefault()
	}
}

// flush keeps the inputs on screen before it returns, if they are small, or
// begins to keep them.
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

// begin takes up the draft of this tab.
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

// readDraft reads the scenario of a draft, or nothing if anything is wrong with
// it: a browser's storage may hold anything.
func (l *Lab[I]) readDraft(e store.Entry) *scenario.Scenario {
	s, err := l.Engine.OpenScenario(l.Page, bridge.OpenQuery{Draft: true}, e.Scenario)
	if err != nil || s.Kind != l.system.Kind.Name {
		return nil
	}
	return &s
}

// start opens the link in the address or what another view asked for. Only work
// that is not saved is under it to go back to. Without either, the draft goes on,
// and a first visit has an example.
func (l *Lab[I]) start(draft *scenario.Scenario, unsaved bool) {
	l.begun, l.drafts.kept.generation = true, -1
	edited := l.generation > 0 // somebody was quicker
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
		goOn() // files take the place of a part of what is there
	}
	if l.takeRequest() || edited {
		return
	}
	if link, place := linkInAddress(); link != "" {
		l.place = l.stand(place)
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

// offer offers the drafts of closed tabs, one after the other.
func (l *Lab[I]) offer() {
	if len(l.drafts.others) == 0 {
		return
	}
	e := l.drafts.others[0]
	l.drafts.others = l.drafts.others[1:]
	text := fmt.Sprintf("A closed tab had unsaved work: %s, from %s.",
		cmp.Or(e.Name, "unnamed"), time.UnixMilli(e.Saved).Format("2 January 2006, 15:04"))
	shell.SetNotice(l.Page, l.path(), shell.Notice{ID: "draft-offer", Text: text, Actions: []shell.Command{
		{Name: "Open it", Do: func(app.Context) { l.adopt(e) }},
		{Name: "Discard", Do: func(app.Context) { l.discard(e) }},
	}})
}

// adopt goes on with the draft of a closed tab.
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
