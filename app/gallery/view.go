package gallery

import (
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/bundle"
	"berth/engine/gallery"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/bridge"
	"berth/wasm/store"
)

// View is the go-app component of the gallery: the entries and the visitor's
// experiment.
type View struct {
	app.Compo
	lab.Services

	page    app.Context
	entries []gallery.Entry     // nil until they are loaded
	shown   map[string]*exhibit // by entry id; ownID for the visitor's experiment
	results *results
	full    map[string]*gallery.Record // recorded results at full size, by entry id
	missing bool                       // the entries could not be loaded
	ready   bool                       // loading has ended, with or without success
	paper   string                     // filter of the entries, or all
	verdict study.Verdict              // filter of the entries, or all
	workers int                        // for each sweep

	files     gallery.AuthorFiles // recognised files of the authors, by hash
	strangers []string            // names of the unrecognised files

	link string // link in the open share dialog; "" while the dialog is closed

	endListening func()
}

// ownID is the id of the visitor's experiment, which is no entry of the gallery.
const ownID = "own"

// exhibit is an experiment on screen.
type exhibit struct {
	*sweep
	id    string
	entry *gallery.Entry             // nil for the visitor's experiment
	files map[string]scenario.Source // of the authors, by slot; entry uses them
	// changed maps the names of the numbers that the visitor changed to the new texts.
	changed map[string]string
	result  *study.Report    // of the runs so far; nil before the first
	chart   *gallery.Chart   // on the card; nil for the visitor's experiment
	fields  []gallery.Number // numbers that can be changed; nil until the entry is opened
	of      int              // number of runs in result
	next    time.Time        // earliest time of the next result while runs continue
	at      sweepState
	open    bool

	resumed    bool        // the visitor opened the entry, so its runs continue
	unverified *lab.Bundle // bundle of the experiment, until its run is compared
}

// New returns the gallery. Its sweeps leave one worker free for questions.
func New(s lab.Services) *View {
	return &View{Services: s, workers: max(1, s.Workers-1), paper: all, verdict: all, shown: map[string]*exhibit{}, results: &results{shelf: s.Shelf}, full: map[string]*gallery.Record{}, files: gallery.AuthorFiles{}}
}

// OnMount loads the entries and then opens the experiment that the address or another
// view requests.
func (v *View) OnMount(ctx app.Context) {
	v.page = ctx
	shell.SetCommands(ctx, study.Kind.Path, []shell.Command{{ID: shell.CommandShare, Name: "Share as a link", Keys: []string{"s"}, Do: func(app.Context) { v.share() }}})
	v.readRecords()
	v.endListening = ui.Listen(ctx, "beforeunload", func(_ app.Context, e app.Event) {
		if v.atStake(time.Now()) {
			e.PreventDefault() // the browser asks
		}
	})
	v.updateStatus()
}

// OnDismount removes the listener from the window.
func (v *View) OnDismount() {
	if v.endListening != nil {
		v.endListening()
	}
}

// atStake reports whether leaving the page would lose a long run.
func (v *View) atStake(now time.Time) bool {
	for _, x := range v.shown {
		if x.atStake(x.id == ownID, now) {
			return true
		}
	}
	return false
}

// record lists the entries with their records at full size, and opens the experiment
// that the address requests.
func (v *View) record() {
	v.entries = gallery.List()
	for i := range v.entries {
		v.full[v.entries[i].ID] = v.entries[i].Recorded()
	}
	v.restore()
	if v.page.Context != nil && !v.ready {
		v.ready = true
		v.arrive()
	}
}

// restore shows the entries whose runs are in the browser's storage. Other entries run when the
// visitor opens them.
func (v *View) restore() {
	if v.Shelf == nil || v.page.Context == nil || v.entries == nil {
		return
	}
	var begun []*gallery.Entry
	v.later(func() {
		if v.Shelf.ReadRows(v.page) == 0 {
			return
		}
		for i := range v.entries {
			plan, err := study.NewPlan(study.Of(v.entries[i].Scenario(false)))
			if err == nil && v.results.has(v.page, plan, 0) {
				begun = append(begun, &v.entries[i])
			}
		}
	}, func() {
		for _, e := range begun {
			if v.shown[e.ID] == nil {
				x := v.planned(e)
				v.later(func() { _ = x.sheet.Find(v.page, v.results) }, func() { v.look(x) })
			}
		}
	})
}

// OnPreRender is OnMount for the static build, which has no browser.
func (v *View) OnPreRender(ctx app.Context) { v.OnMount(ctx) }

// OnNav handles the request of another view.
func (v *View) OnNav(ctx app.Context) {
	if shell.Active(ctx, study.Kind.Path) {
		v.page = ctx
		v.arrive()
	}
}

func (v *View) arrive() {
	if !v.ready { // record handles the request later
		return
	}
	if s, packed := lab.Requested(study.Kind); s != nil {
		v.own(*s, packed)
		return
	}
	if v.follow(v.page.Page().URL().EscapedFragment()) {
		return
	}
	if v.shown[ownID] != nil {
		return
	}
	fragment := v.page.Page().URL().Fragment
	if !strings.HasPrefix(fragment, "s=") {
		v.reopen()
		return
	}
	lab.Ask(nil, v.later, func() (scenario.Scenario, error) {
		return v.Engine.OpenScenario(v.page, bridge.OpenQuery{Link: "#" + fragment}, nil)
	}, func(s scenario.Scenario, err error) {
		switch {
		case err != nil:
			v.complain("The link could not be opened", err)
		case s.Kind != study.Name:
			lab.Open(v.page, "open link", s)
		default:
			v.take(s, nil, false)
		}
	})
}

// reopen shows the experiment that the tab had before a reload.
func (v *View) reopen() {
	if v.Drafts == nil {
		return
	}
	lab.Ask(nil, v.later, func() (s scenario.Scenario, err error) {
		if draft, _ := v.Drafts.Begin(v.page, study.Name); draft != nil {
			s, err = v.Engine.OpenScenario(v.page, bridge.OpenQuery{}, draft.Scenario)
		}
		return s, err
	}, func(s scenario.Scenario, err error) {
		if err == nil && s.Kind == study.Name && v.shown[ownID] == nil && v.replace(s, nil) {
			x := v.shown[ownID]
			v.resume(x, !x.written()) // even if the reload came before the first run
		}
	})
}

// own shows an experiment of the visitor, from a bundle unless packed is nil.
func (v *View) own(s scenario.Scenario, packed *lab.Bundle) { v.take(s, packed, true) }

// take shows an experiment. It runs the experiment if the visitor asked for it or if
// no policy in it is written as text.
func (v *View) take(s scenario.Scenario, packed *lab.Bundle, asked bool) {
	if !v.replace(s, packed) {
		return
	}
	ui.FocusFirst(v.page, "#"+ownTitleID) // the experiment is above the entries, and the visitor may have been at one of them
	x := v.shown[ownID]
	v.later(func() { // before the runs, so that a reload finds the experiment of every result
		v.Drafts.Begin(v.page, study.Name) // names the tab, which Keep requires
		_ = v.Drafts.Keep(v.page, study.Name, store.Entry{Name: s.Name, Hash: s.Hash(), Saved: time.Now().UnixMilli(), Scenario: scenario.Encode(s)})
	}, func() {
		if v.shown[ownID] == x {
			v.resume(x, asked || !x.written())
		}
	})
}

// replace replaces the visitor's experiment on screen, unless the visitor refuses to lose it.
func (v *View) replace(s scenario.Scenario, packed *lab.Bundle) bool {
	x, err := v.plan(ownID, s, nil)
	if err != nil {
		v.complain("The experiment cannot be run", err)
		return false
	}
	if old := v.shown[ownID]; old != nil {
		if old.atStake(true, time.Now()) && !ui.Confirm("The experiment on screen took more than ten seconds and would be lost. Replace it?") {
			return false
		}
		old.stop()
	}
	x.open, x.unverified = true, packed
	v.shown[ownID] = x
	v.locate("") // a reload restores the experiment
	return true
}

// plan returns the exhibit of an experiment, without running it.
func (v *View) plan(id string, s scenario.Scenario, e *gallery.Entry) (*exhibit, error) {
	sweep, err := newSweep(s, v.results)
	return &exhibit{sweep: sweep, id: id, entry: e}, err
}

// ownTitleID is the id of the heading of the visitor's experiment.
const ownTitleID = "own-experiment"

// exhibit returns the exhibit of an entry, and continues the entry's runs on the
// first call.
func (v *View) exhibit(e *gallery.Entry) *exhibit {
	x := v.shown[e.ID]
	if x == nil {
		x = v.planned(e)
	}
	if !x.resumed {
		x.resumed = true
		v.resume(x, false)
	}
	return x
}

// planned adds the exhibit of an entry without running it.
func (v *View) planned(e *gallery.Entry) *exhibit {
	x, err := v.plan(e.ID, e.Scenario(false), e)
	if err != nil {
		panic(err) // a test plans every entry
	}
	v.shown[e.ID] = x
	return x
}

// whole reports whether all runs of an experiment have ended.
func (x *exhibit) whole() bool { return x.result != nil && !x.result.Partial() }

// packed encodes the bundle of a completed experiment, for berth run --verify.
func (x *exhibit) packed() ([]byte, error) {
	report, err := scenario.Conclude(x.experiment, x.result)
	if err != nil {
		return nil, err
	}
	b, err := bundle.New(x.experiment, report)
	if err != nil {
		return nil, err
	}
	if x.entry != nil {
		b.Manifest.Cite = x.entry.Cite()
	}
	return b.Encode()
}

// bundle saves the bundle that lets others repeat an experiment.
func (v *View) bundle(x *exhibit) {
	data, err := x.packed()
	if err != nil {
		v.complain("The bundle could not be made", err)
		return
	}
	ui.Download(x.id+".zip", "application/zip", data)
}

// verify compares a completed experiment with the bundle that it came from.
func (v *View) verify(x *exhibit) {
	if x.unverified == nil || !x.whole() {
		return
	}
	packed := x.unverified
	x.unverified = nil
	report, err := scenario.Conclude(x.experiment, x.result)
	if err != nil {
		v.complain(packed.Name+" could not be verified", err)
		return
	}
	shell.SetNotice(v.page, study.Kind.Path, shell.Notice{ID: "bundle", Text: packed.Verdict(x.experiment, report)})
}

func (v *View) later(work, then func()) { lab.Later(v.page, work, then) }

func (v *View) complain(what string, err error) {
	shell.SetError(v.page, study.Kind.Path, what+": "+err.Error())
}

// resume loads the known results of a sweep, and continues it if goOn is set or the sweep had
// already begun.
func (v *View) resume(x *exhibit, goOn bool) {
	v.later(func() {
		v.Shelf.ReadRows(v.page)
		_ = x.sheet.Find(v.page, v.results)
	}, func() {
		if goOn || x.sheet.States()[0] != study.Waiting { // runs begin in order, so the first shows whether the sweep was begun
			v.start(x)
		}
	})
}

// tick is the interval at which the page polls a sweep. A shorter one would slow the sweep by
// drawing.
const tick = 250 * time.Millisecond

// start executes the remaining runs of a sweep in the background and polls their
// progress. It does nothing if the sweep is running.
func (v *View) start(x *exhibit) {
	ctx, ok := x.begin(v.page)
	if !ok {
		return
	}
	workers, ended := v.workers, make(chan error)
	v.page.Async(func() { ended <- x.run(ctx, v.Engine, workers) })
	v.page.Async(func() {
		clock := time.NewTicker(tick)
		defer clock.Stop()
		for {
			select {
			case <-clock.C:
				v.page.Dispatch(func(app.Context) { v.look(x) })
			case err := <-ended:
				v.page.Dispatch(func(app.Context) { v.ended(x, err) })
				return
			}
		}
	})
	v.look(x)
}

// look updates the progress and the result of a sweep. Computing the result of many runs takes a
// while, so the page spends at most a tenth of its time on it.
func (v *View) look(x *exhibit) {
	x.at = x.progress()
	if now := time.Now(); x.at.done > x.of && (!x.at.busy || now.After(x.next)) {
		x.result, x.of = x.sheet.Report(), x.at.done
		if x.entry != nil {
			x.chart = x.entry.Chart(study.Of(x.experiment), x.result)
		}
		x.next = now.Add(10 * time.Since(now))
	}
	if x.at.busy {
		v.save(func() {})
	}
	v.updateStatus()
}

// save stores the results in the browser, so that a reload continues from there.
func (v *View) save(then func()) {
	var err error
	v.later(func() { err = v.Shelf.SaveRows(v.page) }, func() {
		if err != nil {
			v.complain("The results are on screen, but could not be saved", err)
			return
		}
		then()
	})
}

// ended shows and saves the results of a sweep that ended, possibly with an error of the engine.
func (v *View) ended(x *exhibit, err error) {
	x.stop()
	v.look(x)
	if err != nil {
		shell.SetError(v.page, study.Kind.Path, "The engine failed: "+err.Error()+". Completed runs are kept; press Run to continue.")
	}
	if x.at.done > x.at.before {
		shell.Announce(v.page, came(x))
	}
	v.verify(x)
	v.save(func() { x.kept = true })
}

// came describes the outcome of a sweep for screen readers.
func came(x *exhibit) string {
	switch {
	case x.at.done < x.at.all:
		return "Stopped after " + x.at.String() + "."
	case x.entry != nil:
		return x.entry.Title + ": " + verdictNames[x.verdict()] + "."
	}
	return "The experiment is done: " + x.at.String() + "."
}

// updateStatus updates the frame's status line.
func (v *View) updateStatus() {
	status := shell.Status{State: shell.Idle, Message: "Figures of the papers, with verdicts"}
	for _, x := range v.shown {
		if x.at.busy {
			status = shell.Status{State: shell.Running, Message: x.at.String()}
		}
	}
	shell.SetStatus(v.page, study.Kind.Path, status)
}
