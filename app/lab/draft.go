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

// largestAtOnce is the maximum size, in bytes of text, of inputs that the page itself
// encodes as JSON; a worker encodes larger ones.
const largestAtOnce = 1 << 20

// work identifies a state of the inputs that may be kept as a draft.
type work struct {
	generation int
	unsaved    bool
}

// drafts stores the inputs as a draft, which a reload restores, and in the library.
type drafts[I Inputs[I]] struct {
	lab      *Lab[I]
	begun    bool   // the draft of the last visit was loaded
	saveName string // name in the dialog that saves

	kept    work // the state in the last draft
	keeping bool // a draft is being written
	again   bool // the inputs changed meanwhile: write another draft
	lost    bool // the last draft could not be written
	others  []store.Entry
}

func (k *drafts[I]) work() work { return work{k.lab.generation, k.lab.Unsaved} }

// draft is the entry for the current inputs, without their scenario.
func (k *drafts[I]) draft() store.Entry {
	return store.Entry{Name: k.lab.Inputs.Name(), Saved: time.Now().UnixMilli(), Unsaved: k.lab.Unsaved}
}

// scenarioNow encodes the current inputs. It returns false if they exceed largestAtOnce
// or have texts outside the scenario.
func (k *drafts[I]) scenarioNow() ([]byte, bool) {
	in := k.lab.Inputs.Input()
	if k.lab.Files.Size(k.lab.Inputs) > largestAtOnce || len(in.Texts) > 0 {
		return nil, false
	}
	data, err := json.Marshal(in.Scenario)
	return data, err == nil
}

// KeepDraft stores the current inputs for a reload of this tab, and shows a notice if that fails.
func (k *drafts[I]) KeepDraft() {
	switch {
	case !k.lost && k.kept == k.work():
		return
	case k.keeping:
		k.again = true
		return
	}
	k.keeping = true
	now, e := k.work(), k.draft()
	small := false
	e.Scenario, small = k.scenarioNow()
	in, size := k.lab.Inputs.Input(), k.lab.Files.Size(k.lab.Inputs)
	var err, nothingKept error
	k.lab.Later(func() {
		if !small {
			e.Scenario, err = k.largeScenario(in, size)
		}
		if err == nil {
			err = k.lab.Drafts.Keep(k.lab.Page, k.lab.system.Kind.Name, e)
		}
		_, nothingKept = k.lab.Shelf.Store(k.lab.Page)
	}, func() {
		k.keeping, k.kept, k.lost = false, now, err != nil
		if nothingKept == nil { // else the library has reported that nothing can be stored
			k.reportLost(err)
		}
		if k.again {
			k.again = false
			k.KeepDraft()
		}
	})
}

// largeScenario has a worker encode inputs with large texts.
func (k *drafts[I]) largeScenario(in bridge.Input, size int) ([]byte, error) {
	if size > store.MaxBody {
		return nil, fmt.Errorf("they have %s, and the browser can keep at most %s", ui.Bytes(int64(size)), ui.Bytes(store.MaxBody))
	}
	d, err := k.lab.Engine.Document(k.lab.Page, in)
	if err != nil {
		return nil, err
	}
	if len(d.Left) > 0 {
		return nil, fmt.Errorf("%s is too large", d.Left[0])
	}
	return d.JSON.Bytes(k.lab.Page)
}

// reportLost warns that a reload would lose the inputs.
func (k *drafts[I]) reportLost(err error) {
	text := ""
	if err != nil && k.lab.Unsaved {
		text = "Reloading the page would lose these inputs: " + err.Error() + "."
	}
	k.lab.notice("draft-lost", text)
}

// listenToLeaving stores a pending draft when the page is left or hidden.
func (k *drafts[I]) listenToLeaving() {
	flush := func(ctx app.Context, _ app.Event) { ui.Settle(ctx, func(app.Context) { k.flush() }) }
	k.lab.Listen("pagehide", flush)
	k.lab.Listen("visibilitychange", flush)
	k.lab.Listen("beforeunload", func(ctx app.Context, e app.Event) {
		ui.Settle(ctx, func(app.Context) { k.leave(e) })
	})
}

// leave stores the draft, and has the browser ask if leaving would lose anything else.
func (k *drafts[I]) leave(e interface{ PreventDefault() }) {
	k.flush()
	if k.lab.Unsaved && (k.lost || k.kept != k.work()) || k.lab.Runs.atStake(time.Now()) {
		e.PreventDefault()
	}
}

// flush stores the draft before it returns, if the inputs are small; for large inputs
// it only starts KeepDraft.
func (k *drafts[I]) flush() {
	if !k.begun || !k.lost && k.kept == k.work() {
		return
	}
	e := k.draft()
	data, small := k.scenarioNow()
	if !small {
		k.KeepDraft()
		return
	}
	e.Scenario = data
	err := k.lab.Drafts.KeepNow(k.lab.system.Kind.Name, e)
	k.lost = err != nil
	if err == nil {
		k.kept = k.work()
	}
}

// begin loads the draft of this tab.
func (k *drafts[I]) begin() {
	var s *scenario.Scenario
	var own *store.Entry
	var others []store.Entry
	k.lab.Later(func() {
		own, others = k.lab.Drafts.Begin(k.lab.Page, k.lab.system.Kind.Name)
		if own != nil {
			s = k.readDraft(*own)
		}
	}, func() {
		k.others = others
		k.start(s, own != nil && own.Unsaved)
		k.offer()
	})
}

// readDraft decodes the scenario of a draft; nil if it is invalid, because a browser's storage may
// hold anything.
func (k *drafts[I]) readDraft(e store.Entry) *scenario.Scenario {
	s, err := k.lab.Engine.OpenScenario(k.lab.Page, bridge.OpenQuery{Draft: true}, e.Scenario)
	if err != nil || s.Kind != k.lab.system.Kind.Name {
		return nil
	}
	return &s
}

// start opens the link in the address, or the scenario that another view requested. Unsaved work of
// the draft becomes the previous step of the undo history. Without link and request, start restores
// the draft or, on a first visit, opens an example.
func (k *drafts[I]) start(draft *scenario.Scenario, unsaved bool) {
	k.begun, k.kept.generation = true, -1
	edited := k.lab.generation > 0 // the user edited before the draft was read
	if draft != nil && study.Expand(*draft).Kind != draft.Kind {
		k.lab.Opening.giveWay("go on with the sweep", *draft, nil)
		draft = nil
	}
	switch {
	case draft == nil || !unsaved:
	case edited:
		k.lab.undo.Push("start over", k.lab.system.Inputs(draft))
	default:
		k.lab.Inputs, k.lab.Unsaved = k.lab.system.Inputs(draft), true
	}
	goOn := func() {
		switch {
		case draft == nil:
			k.lab.Inputs = k.lab.Opening.firstExample()
		case !unsaved:
			k.lab.Inputs = k.lab.system.Inputs(draft)
		}
	}
	if request.kind == k.lab.system.Kind && request.files != nil && !edited {
		goOn() // the files replace only a part of the inputs
	}
	if k.lab.Opening.takeRequest() || edited {
		return
	}
	if link, place := linkInAddress(); link != "" {
		k.lab.Address.place = k.lab.Stage.takeArrangement(place)
		if draft != nil && unsaved && isBroughtBack() {
			k.lab.Address.goOnAt(link)
			return
		}
		k.lab.Address.OpenLink(link, func() { goOn(); k.lab.settle(0) }, goOn)
		return
	}
	goOn()
	k.lab.settle(0)
}

// offer offers the drafts of closed tabs, one at a time.
func (k *drafts[I]) offer() {
	if len(k.others) == 0 {
		return
	}
	e := k.others[0]
	k.others = k.others[1:]
	text := fmt.Sprintf("A closed tab had unsaved work: %s, from %s.",
		cmp.Or(e.Name, "unnamed"), time.UnixMilli(e.Saved).Format("2 January 2006, 15:04"))
	k.lab.notice("draft-offer", text,
		shell.Command{Name: "Open it", Do: func(app.Context) { k.adopt(e) }}, shell.Command{Name: "Discard", Do: func(app.Context) { k.discard(e) }})
}

// adopt opens the draft of a closed tab.
func (k *drafts[I]) adopt(e store.Entry) {
	Ask(nil, k.lab.Later, func() (*scenario.Scenario, error) {
		e, err := k.lab.Drafts.Adopt(k.lab.Page, k.lab.system.Kind.Name, e)
		if err != nil {
			return nil, err
		}
		return k.readDraft(e), nil
	}, func(s *scenario.Scenario, err error) {
		switch {
		case err != nil:
			k.lab.Complain("The work could not be opened", err)
		case s == nil:
			k.lab.Complain("The work could not be opened", errors.New("it is damaged"))
		default:
			if k.lab.Opening.giveWay("open the work of a closed tab", *s, nil) {
				k.lab.Unsaved = true
				k.lab.settle(0)
			}
		}
		k.offer()
	})
}

func (k *drafts[I]) discard(e store.Entry) {
	k.lab.Try(func() error { return k.lab.Drafts.Discard(k.lab.Page, e) }, func(err error) {
		if err != nil {
			k.lab.Complain("The work could not be deleted", err)
		}
		k.offer()
	})
}
