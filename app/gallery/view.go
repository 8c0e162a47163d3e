package gallery

import (
	"errors"
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

// View is the gallery.
type View struct {
	app.Compo
	lab.Services

	page    app.Context
	entries []gallery.Entry     // nil until they are listed
	shown   map[string]*exhibit // by id of the entry; ownID is that of the visitor's experiment
	results *results
	full    map[string]*gallery.Record // what entries came to at full size, by id
	missing bool                       // the entries could not be fetched
	ready   bool                       // they were, or could not be
	paper   string                     // whose entries are shown
	verdict study.Verdict              // as above
	workers int                        // that a sweep uses

	files     gallery.AuthorFiles // of the authors, told by their hashes
	strangers []string            // files that are none of theirs

	endListening func()
}

// ownID is that of the experiment that is no entry of the gallery.
const ownID = "own"

// exhibit is an experiment on screen.
type exhibit struct {
	*sweep
	id    string
	entry *gallery.Entry             // nil of the visitor's experiment
	files map[string]scenario.Source // of the authors, by slot; the entry is on them
	// changed are the numbers of the entry that the visitor changed, by name.
	changed map[string]string
	result  *study.Report    // of the runs so far; nil before any
	chart   *gallery.Chart   // of its card; nil of the visitor's experiment
	fields  []gallery.Number // that can be changed, once they are asked for
	of      int              // how many runs the result is of
	next    time.Time        // before it, no other result is made while runs go on
	at      progress
	open    bool

	resumed    bool        // the visitor had its runs go on
	unverified *lab.Bundle // that the experiment is of, until its run was compared
}

// New returns the view.
func New(s lab.Services) *View {
	return &View{Services: s, workers: max(1, s.Workers-1), paper: all, verdict: all, shown: map[string]*exhibit{}, results: newResults(), full: map[string]*gallery.Record{}, files: gallery.AuthorFiles{}}
}

// OnMount takes up the experiment that the address or another view asks for.
func (v *View) OnMount(ctx app.Context) {
	v.page = ctx
	v.readRecords()
	v.endListening = ui.Listen(ctx, "beforeunload", func(_ app.Context, e app.Event) {
		if v.atStake(time.Now()) {
			e.PreventDefault() // the browser asks
		}
	})
	v.tell()
}

// OnDismount ends listening to the window.
func (v *View) OnDismount() {
	if v.endListening != nil {
		v.endListening()
	}
}

// atStake says that leaving the page would lose a long run.
func (v *View) atStake(now time.Time) bool {
	for _, x := range v.shown {
		if x.atStake(x.id == ownID, now) {
			return true
		}
	}
	return false
}

// record lists the entries, and takes what they came to at full size and what the address
// asks for.
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

// restore shows what the browser keeps of the entries' runs. The others run when the
// visitor opens their entries.
func (v *View) restore() {
	if v.Shelf == nil || v.page.Context == nil || v.entries == nil {
		return
	}
	var begun []*gallery.Entry
	v.later(func() {
		opened, _ := v.Shelf.Store(v.page)
		if v.results.fetch(v.page, opened) == 0 {
			return
		}
		for i := range v.entries {
			plan, err := study.NewPlan(study.Of(v.entries[i].Scenario(false)))
			if err == nil && v.results.has(plan, 0) {
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

// OnPreRender is OnMount for the build, where there is no browser.
func (v *View) OnPreRender(ctx app.Context) { v.OnMount(ctx) }

// OnNav takes up what another view asked for.
func (v *View) OnNav(ctx app.Context) {
	if shell.Active(ctx, study.Kind.Path) {
		v.page = ctx
		v.arrive()
	}
}

func (v *View) arrive() {
	if !v.ready { // record comes back
		return
	}
	if s, packed := lab.Requested(study.Kind); s != nil {
		v.own(*s, packed)
		return
	}
	fragment := v.page.Page().URL().Fragment
	if id, ok := gallery.Lookup(fragment); ok {
		v.exhibit(&id).open = true
		return
	}
	if v.shown[ownID] != nil {
		return
	}
	if !strings.HasPrefix(fragment, "s=") {
		v.reopen()
		return
	}
	var s scenario.Scenario
	var err error
	v.later(func() { s, err = v.Engine.OpenScenario(v.page, bridge.OpenQuery{Link: "#" + fragment}, nil) }, func() {
		switch {
		case err != nil:
			shell.SetError(v.page, study.Kind.Path, "The link could not be opened: "+err.Error())
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
	var s scenario.Scenario
	err := errNoDraft
	v.later(func() {
		if draft, _ := v.Drafts.Begin(v.page, study.Name); draft != nil {
			s, err = v.Engine.OpenScenario(v.page, bridge.OpenQuery{}, draft.Scenario)
		}
	}, func() {
		if err == nil && s.Kind == study.Name && v.shown[ownID] == nil && v.replace(s, nil) {
			x := v.shown[ownID]
			v.resume(x, !x.written()) // the reload came in its midst, however early
		}
	})
}

var errNoDraft = errors.New("there is no draft")

// own shows an experiment of the visitor's, which may be that of a bundle.
func (v *View) own(s scenario.Scenario, packed *lab.Bundle) { v.take(s, packed, true) }

// take shows an experiment, and runs it if the visitor asked for that or it holds no
// policy that somebody has written.
func (v *View) take(s scenario.Scenario, packed *lab.Bundle, asked bool) {
	if !v.replace(s, packed) {
		return
	}
	ui.FocusFirst(v.page, "#"+ownTitleID) // it stands above the entries, and one of them may have asked for it
	x := v.shown[ownID]
	v.later(func() { // before its runs: a reload finds the experiment of every result
		v.Drafts.Begin(v.page, study.Name) // the tab has no name before
		_ = v.Drafts.Keep(v.page, study.Name, store.Entry{Name: s.Name, Hash: s.Hash(), Saved: time.Now().UnixMilli(), Scenario: scenario.Encode(s)})
	}, func() {
		if v.shown[ownID] == x {
			v.resume(x, asked || !x.written())
		}
	})
}

// replace puts an experiment in place of the one on screen, unless the visitor does not
// want that.
func (v *View) replace(s scenario.Scenario, packed *lab.Bundle) bool {
	sweep, err := newSweep(s, v.results)
	if err != nil {
		shell.SetError(v.page, study.Kind.Path, "The experiment cannot be run: "+err.Error())
		return false
	}
	if old := v.shown[ownID]; old != nil {
		if old.atStake(true, time.Now()) && !ui.Confirm("The experiment on screen took more than ten seconds and would be lost. Replace it?") {
			return false
		}
		old.stop()
	}
	e := &exhibit{sweep: sweep, id: ownID, open: true, unverified: packed}
	v.shown[ownID] = e
	return true
}

// ownTitleID is the id of the heading of the visitor's experiment.
const ownTitleID = "own-experiment"

// exhibit returns what is shown of an entry, and goes on with its runs.
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

// planned shows an entry without running it.
func (v *View) planned(e *gallery.Entry) *exhibit {
	sweep, err := newSweep(e.Scenario(false), v.results)
	if err != nil {
		panic(err) // an entry that a test has planned
	}
	x := &exhibit{sweep: sweep, id: e.ID, entry: e}
	v.shown[e.ID] = x
	return x
}

// whole says that all runs of an experiment have come to an end.
func (x *exhibit) whole() bool { return x.result != nil && !x.result.Partial() }

// packed returns the bundle of an experiment whose runs are done, which berth run
// --verify checks.
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

// bundle saves what somebody else needs to repeat an experiment.
func (v *View) bundle(x *exhibit) {
	data, err := x.packed()
	if err != nil {
		shell.SetError(v.page, study.Kind.Path, "The bundle could not be made: "+err.Error())
		return
	}
	ui.Download(x.id+".zip", "application/zip", data)
}

// verify compares an experiment whose runs are done with the bundle that it is of.
func (v *View) verify(x *exhibit) {
	if x.unverified == nil || !x.whole() {
		return
	}
	packed := x.unverified
	x.unverified = nil
	report, err := scenario.Conclude(x.experiment, x.result)
	if err != nil {
		shell.SetError(v.page, study.Kind.Path, packed.Name+" could not be verified: "+err.Error())
		return
	}
	shell.SetNotice(v.page, study.Kind.Path, shell.Notice{ID: "bundle", Text: packed.Verdict(x.experiment, report)})
}

// copyLink copies the address that opens an experiment.
func (v *View) copyLink(x *exhibit) {
	var d bridge.Document
	var err error
	v.later(func() { d, err = v.Engine.Document(v.page, bridge.Input{Scenario: x.experiment}) }, func() {
		switch {
		case err != nil:
			shell.SetError(v.page, study.Kind.Path, "There is no link: "+err.Error())
		case d.Link == "":
			shell.SetError(v.page, study.Kind.Path, "There is no link: "+d.NoLink)
		default:
			link := app.Window().Get("location").Get("origin").String() + shell.Address(study.Kind.Path) + lab.LinkLead + d.Link
			ui.Copy(v.page, link, func(ctx app.Context, ok bool) {
				shell.Announce(ctx, map[bool]string{true: "The link was copied.", false: "The browser did not let the page copy the link."}[ok])
			})
		}
	})
}

// later runs work away from the page's goroutine, and then on it.
func (v *View) later(work, then func()) {
	v.page.Async(func() {
		work()
		v.page.Dispatch(func(app.Context) { then() })
	})
}

// resume takes up what is known of the runs of a sweep, and goes on if the visitor
// asked for it, or had it begun before.
func (v *View) resume(x *exhibit, goOn bool) {
	v.later(func() {
		opened, _ := v.Shelf.Store(v.page)
		v.results.fetch(v.page, opened)
		_ = x.sheet.Find(v.page, v.results)
	}, func() {
		if goOn || x.sheet.States()[0] != study.Waiting { // the first run comes before the others
			v.start(x)
		}
	})
}

// tick is how often the page looks at a sweep: the drawing is not to hold it up.
const tick = 250 * time.Millisecond

// start carries out what there is to run of a sweep.
func (v *View) start(x *exhibit) {
	ctx, ok := x.begin(v.page)
	if !ok {
		return
	}
	workers := v.workers
	ended := make(chan struct{})
	v.page.Async(func() {
		x.run(ctx, v.Engine, workers)
		close(ended)
	})
	v.page.Async(func() {
		clock := time.NewTicker(tick)
		defer clock.Stop()
		for {
			select {
			case <-clock.C:
				v.page.Dispatch(func(app.Context) { v.look(x) })
			case <-ended:
				v.page.Dispatch(func(app.Context) { v.ended(x) })
				return
			}
		}
	})
	v.look(x)
}

// look reads how far a sweep is, and its results so far: for many runs that is work, and
// the page may spend at most a tenth of its time on it.
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
	v.tell()
}

// save keeps in the browser what runs have come to, so that a reload goes on from there.
func (v *View) save(then func()) {
	var err error
	v.later(func() {
		opened, _ := v.Shelf.Store(v.page)
		err = v.results.save(v.page, opened, time.Now().UnixMilli())
	}, func() {
		if err != nil {
			shell.SetError(v.page, study.Kind.Path, "The results are on screen, but could not be saved: "+err.Error())
			return
		}
		then()
	})
}

// ended takes up what a sweep has come to, and keeps it.
func (v *View) ended(x *exhibit) {
	x.stop()
	v.look(x)
	if x.at.broken != nil {
		shell.SetError(v.page, study.Kind.Path, "The engine failed: "+x.at.broken.Error()+". Completed runs are kept; press Run to continue.")
	}
	if x.at.done > x.at.before {
		shell.Announce(v.page, v.came(x))
	}
	v.verify(x)
	v.save(x.keep)
}

// came is what a sweep has come to.
func (v *View) came(x *exhibit) string {
	switch {
	case x.at.done < x.at.all:
		return "Stopped after " + x.at.String() + "."
	case x.entry != nil:
		return x.entry.Title + ": " + verdictNames[x.verdict()] + "."
	}
	return "The experiment is done: " + x.at.String() + "."
}

// tell brings the frame's status line up to date.
func (v *View) tell() {
	status := shell.Status{State: shell.Idle, Message: "Figures of the papers, with verdicts"}
	for _, x := range v.shown {
		if x.at.busy {
			status = shell.Status{State: shell.Running, Message: x.at.String()}
		}
	}
	shell.SetStatus(v.page, study.Kind.Path, status)
}
