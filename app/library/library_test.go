package library

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/examples"
	"berth/wasm/bridge"
	"berth/wasm/store"
	"berth/wasm/worker/handler"
)

// engine decodes the records of the library.
var engine = bridge.NewPool(1, bridge.Local(func() bridge.Server { return handler.New(nil) }))

type bench struct {
	*Library
	t      *testing.T
	engine app.TestEngine
	opened []string // names of the opened scenarios
}

// open mounts a library with the first two examples: both are in the history, and the first one is
// saved too.
func open(t *testing.T) *bench {
	t.Helper()
	memory := store.Memory()
	shelf := NewShelf(engine, func(context.Context) (*store.Store, error) { return memory, nil })
	for i, e := range examples.List()[:2] {
		must.Do(t, shelf.Record(t.Context(), e.Title, hash(t, e), scenario.Encode(e.Scenario), []byte(report)))
		if i == 0 {
			must.Do(t, shelf.Save(t.Context(), e.Title, hash(t, e), scenario.Encode(e.Scenario)))
		}
	}
	b := &bench{t: t, engine: app.NewTestEngine()}
	b.Library = &Library{shelf: shelf, open: func(_ app.Context, _ string, s scenario.Scenario) {
		b.opened = append(b.opened, s.Name)
	}}
	must.Do(t, b.engine.Load(b.Library))
	b.engine.ConsumeAll()
	return b
}

func hash(t *testing.T, e examples.Example) string {
	s, err := scenario.Decode(scenario.Encode(e.Scenario))
	must.Do(t, err)
	return s.Hash()
}

// want compares the names in the two lists.
func (b *bench) want(saved, history string) {
	b.t.Helper()
	b.engine.ConsumeAll()
	names := func(items []item) string {
		var names []string
		for _, e := range items {
			names = append(names, e.Name)
		}
		return strings.Join(names, ", ")
	}
	if got := names(b.saved); got != saved {
		b.t.Errorf("saved: %q, want %q", got, saved)
	}
	if got := names(b.history); got != history {
		b.t.Errorf("history: %q, want %q", got, history)
	}
}

var shop = examples.List()[0].Title

var report = string(scenario.EncodeReport(&scenario.Report{Version: scenario.Version, Engine: scenario.Engine, Kind: placementkind.Name, Headline: "incomplete: placed 12 of 15 jobs", Body: &placementkind.Report{
	Deployments: []placementkind.DeploymentSummary{{Jobs: 12}, {Jobs: 3}},
	Strategies: []placementkind.StrategyReport{{Strategy: "heuristic", Total: costs, Deployments: []placementkind.DeploymentReport{
		{Status: placement.Placed, Cost: costs}, {Status: placement.Infeasible},
	}}},
}}))

var costs = placementkind.Cost{Node: 2000, Link: 321, Total: 2321}

func TestListsWhatIsKept(t *testing.T) {
	b := open(t)
	if !b.loaded || len(b.saved) != 1 || len(b.history) != 2 {
		t.Fatalf("loaded %v, %d saved, %d in the history", b.loaded, len(b.saved), len(b.history))
	}
	if got, want := b.saved[0].figures, "incomplete: placed 12 of 15 jobs"; got != want {
		t.Errorf("key figures %q, want %q", got, want)
	}
}

// A damaged entry is listed as damaged, with the possible actions.
func TestADamagedEntryIsListed(t *testing.T) {
	b := open(t)
	b.broken = []store.Broken{{ID: "saved/" + shop, Reason: "its body is missing"}}
	if empty := app.HTMLString(b.list(nil, true, "Nothing is saved yet.")); !strings.Contains(empty, "Nothing here can be read") {
		t.Errorf("where all is damaged it says %s", empty)
	}
	html := app.HTMLString(b.brokenList())
	for _, want := range []string{shop, "its body is missing", "Save as a file", "Delete saved/", "1 damaged record"} {
		if !strings.Contains(html, want) {
			t.Errorf("the list of damaged entries lacks %q: %s", want, html)
		}
	}
}

// If the store has a newer version, the notice says what to do. It does not say that the browser
// refuses to store anything.
func TestTheNoticeTellsWhyNothingIsKept(t *testing.T) {
	newer, blocked := refusalText(fmt.Errorf("%w (VersionError)", store.ErrNewer)), refusalText(store.ErrUnavailable)
	if !strings.Contains(newer, "newer version of Berth") || !strings.Contains(newer, "open it again") || strings.Contains(newer, "does not let") {
		t.Errorf("of a newer store it says %q", newer)
	}
	if !strings.Contains(blocked, "does not let this page store anything") {
		t.Errorf("of a browser that stores nothing it says %q", blocked)
	}
}

func TestOpenHandsOverTheScenario(t *testing.T) {
	b := open(t)
	b.openEntry(b.saved[0].ID)
	b.engine.ConsumeAll()
	if len(b.opened) != 1 || b.opened[0] != shop {
		t.Errorf("opened %v, want %s", b.opened, shop)
	}
}

func TestRename(t *testing.T) {
	b := open(t)
	history := b.history
	b.rename(b.saved[0].ID, " mine ")
	b.engine.ConsumeAll()
	if len(b.saved) != 1 || b.saved[0].Name != "mine" || len(b.history) != len(history) {
		t.Fatalf("saved %v, want one called mine", b.saved)
	}
	b.openEntry(b.saved[0].ID)
	b.engine.ConsumeAll()
	if len(b.opened) != 1 || b.opened[0] != "mine" {
		t.Errorf("the scenario itself is called %v, want mine", b.opened)
	}
}

func TestRenameRefusesATakenName(t *testing.T) {
	b := open(t)
	e := examples.List()[1]
	must.Do(t, b.shelf.Save(t.Context(), "other", hash(t, e), scenario.Encode(e.Scenario)))
	b.refresh()
	b.engine.ConsumeAll()
	for _, i := range b.saved {
		if i.Name == shop {
			b.rename(i.ID, "other")
		}
	}
	b.engine.ConsumeAll()
	if len(b.saved) != 2 {
		t.Errorf("%d saved, want 2: renaming must not replace another", len(b.saved))
	}
}

func TestDeleteCanBeUndone(t *testing.T) {
	b := open(t)
	b.deleteEntry(b.saved[0].ID, true)
	b.engine.ConsumeAll()
	for _, e := range b.history {
		b.deleteEntry(e.ID, false)
	}
	b.want("", "")
	for range 3 {
		b.undelete(b.page, app.Event{})
		b.engine.ConsumeAll()
	}
	if len(b.saved) != 1 || len(b.history) != 2 || len(b.deleted) != 0 {
		t.Errorf("%d saved and %d in the history came back, want 1 and 2", len(b.saved), len(b.history))
	}
}

func TestExportIsImported(t *testing.T) {
	full := open(t)
	data, _, err := full.shelf.get(t.Context()).Export(t.Context())
	must.Do(t, err)
	b := open(t)
	for _, e := range b.history {
		b.deleteEntry(e.ID, false)
	}
	b.deleteEntry(b.saved[0].ID, true)
	b.want("", "")
	b.importData("library.json", data)
	b.engine.ConsumeAll()
	if len(b.saved) != 1 || len(b.history) != 2 {
		t.Errorf("%d saved and %d in the history were imported, want 1 and 2", len(b.saved), len(b.history))
	}
}

func TestAScenarioFileIsOpened(t *testing.T) {
	b := open(t)
	b.importData("shop.json", scenario.Encode(examples.List()[0].Scenario))
	b.engine.ConsumeAll()
	if len(b.opened) != 1 || b.opened[0] != shop {
		t.Errorf("opened %v, want %s", b.opened, shop)
	}
}

func TestAForeignFileChangesNothing(t *testing.T) {
	b := open(t)
	b.importData("x.json", []byte(`{"format": "something"}`))
	b.engine.ConsumeAll()
	if len(b.saved) != 1 || len(b.history) != 2 || len(b.opened) != 0 {
		t.Errorf("%d saved, %d in the history, opened %v", len(b.saved), len(b.history), b.opened)
	}
}

// If the browser stores nothing, the library works until the page is left.
func TestARefusalLeavesTheLibraryUsable(t *testing.T) {
	refused := errors.New("blocked")
	shelf := NewShelf(engine, func(context.Context) (*store.Store, error) { return nil, refused })
	if _, err := shelf.Store(t.Context()); !errors.Is(err, refused) {
		t.Errorf("got %v, want %v", err, refused)
	}
	must.Do(t, shelf.Save(t.Context(), "kept", "h", scenario.Encode(examples.List()[0].Scenario)))
	if list, err := shelf.get(t.Context()).Saved(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%d saved (%v), want 1", len(list), err)
	}
}

// The figures of a stored report are shown only if the report is complete, whatever it claims.
func TestFiguresOfWholeReportsAlone(t *testing.T) {
	r, err := scenario.Run(t.Context(), examples.List()[0].Scenario, scenario.Env{})
	must.Do(t, err)
	whole := string(scenario.EncodeReport(r))
	if got, earlier := keyFigures([]byte(whole)); got != r.Headline || got == "" || earlier != "" {
		t.Errorf("a whole report gives %q, %q", got, earlier)
	}
	for _, text := range []string{"", "{}", "[", whole[:len(whole)/2], strings.Replace(whole, `"deployments"`, `"others"`, 1)} {
		if got, _ := keyFigures([]byte(text)); got != "" {
			t.Errorf("%.80s…\ngives %q", text, got)
		}
	}
}

// Figures of an earlier engine are marked, with a button that runs the scenario again.
func TestFiguresOfAnEarlierEngine(t *testing.T) {
	b := open(t)
	if html := app.HTMLString(b.Render()); strings.Contains(html, "earlier-engine") {
		t.Errorf("figures of this engine are taken for older ones: %s", html)
	}
	e := b.history[1]
	old := strings.Replace(report, `"engine": "`+scenario.Engine, `"engine": "0.1.0`, 1)
	must.Do(t, b.shelf.get(t.Context()).PutResult(t.Context(), e.Hash, []byte(old), 1))
	b.refresh()
	b.engine.ConsumeAll()
	if e = b.history[1]; e.earlier != "computed by an earlier engine (0.1.0)" || e.figures == "" || b.history[0].earlier != "" {
		t.Errorf("the history has %+v", b.history)
	}
	html := app.HTMLString(b.Render())
	for _, want := range []string{`data-testid="earlier-engine"`, "These figures were computed by an earlier engine (0.1.0). ", `data-testid="earlier-engine-run"`} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in %s", want, html)
		}
	}
}

// The library shows how many results of runs are kept, and can remove only them.
func TestRowsAreRemoved(t *testing.T) {
	b := open(t)
	shows := func(want string, button bool) {
		t.Helper()
		b.engine.ConsumeAll()
		html := app.HTMLString(b.Render())
		if _, rest, _ := strings.Cut(html, `data-testid="rows-kept"`); !strings.Contains(rest, want) || strings.Contains(html, `data-testid="rows-clear"`) != button {
			t.Errorf("want %q and a button %t in %.200s", want, button, rest)
		}
	}
	shows("No results of runs are kept.", false)
	s := b.shelf.get(t.Context())
	must.Do(t, s.KeepRows(t.Context(), "1", 1, map[string][]byte{"a": make([]byte, 2000), "b": []byte("{}")}))
	b.refresh()
	shows("2 results of runs take 2", true)
	b.clearRows(app.Context{}, app.Event{})
	shows("No results of runs are kept.", false)
	b.want("An online shop on six clusters", "Eight jobs on a star of twelve clusters, An online shop on six clusters")
}
