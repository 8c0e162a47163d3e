package lab

import (
	"encoding/json"

	"berth/app/ui"
	"berth/engine/scenario"
)

// largestDraft is the size in bytes of the texts that are kept as they are
// typed; larger ones come back from the history once they have run.
const largestDraft = 1 << 20

// draft is the work of a visit: the scenario itself, or the hash under which
// the history has it.
type draft struct {
	Unsaved  bool               `json:"unsaved"`
	Scenario *scenario.Scenario `json:"scenario,omitempty"`
	History  string             `json:"history,omitempty"`
}

// draftKey is where the browser keeps the work of this visit for a reload.
func (l *Lab[I]) draftKey() string { return "berth." + l.system.Kind.Name + ".draft" }

// KeepDraft remembers the inputs on screen until the next visit. Views call it
// once the history has their run.
func (l *Lab[I]) KeepDraft() {
	d := draft{Unsaved: l.Unsaved}
	switch s := l.Inputs.Message().Scenario; {
	case l.Inputs.Size() <= largestDraft:
		d.Scenario = &s
	case l.Phase == Done:
		d.History = l.Shown.Document.Hash
	default:
		return
	}
	data, err := json.Marshal(d)
	if err == nil {
		ui.Store(l.draftKey(), string(data))
	}
}

// begin takes up the draft, which the history has if it is large.
func (l *Lab[I]) begin() {
	d := readDraft(ui.Stored(l.draftKey()), l.system.Kind.Name)
	if d.History == "" {
		l.start(d)
		return
	}
	var s scenario.Scenario
	var err error
	l.Later(func() { s, err = l.Shelf.Recorded(l.Page, d.History) }, func() {
		if err == nil {
			d.Scenario = &s
		}
		l.start(d)
	})
}

// start opens the link in the address or what another view asked for. Only work
// that is not saved is under it to go back to. Without either, the last visit
// goes on, and the first one has an example.
func (l *Lab[I]) start(d draft) {
	l.begun = true
	if d.Scenario != nil && d.Unsaved {
		l.Inputs, l.Unsaved = l.system.Of(*d.Scenario), true
	}
	opened := l.takeRequest() || l.openAddress()
	if opened && !l.asleep {
		return
	}
	switch {
	case d.Scenario == nil:
		l.Inputs = l.firstExample()
	case !d.Unsaved:
		l.Inputs = l.system.Of(*d.Scenario)
	}
	if !opened {
		l.settle(0)
	}
}

// readDraft reads what KeepDraft wrote, or nothing if anything is wrong with it:
// a browser's storage may hold anything.
func readDraft(text, kind string) draft {
	var d draft
	if text == "" || json.Unmarshal([]byte(text), &d) != nil {
		return draft{}
	}
	if d.Scenario != nil && (d.Scenario.Kind != kind || d.Scenario.Body == nil) {
		return draft{}
	}
	return d
}
