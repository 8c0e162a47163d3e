package placement

import (
	"encoding/json"

	"berth/app/ui"
	"berth/engine/scenario"
)

// draftKey is where the browser keeps the work of this visit for a reload.
const draftKey = "berth.placement.draft"

// largestDraft is the size in bytes of the graphs that are kept as they are
// typed; larger ones come back from the history once they have run.
const largestDraft = 1 << 20

// draft is the work of a visit: the scenario itself, or the hash under which
// the history has it.
type draft struct {
	Unsaved  bool               `json:"unsaved"`
	Scenario *scenario.Scenario `json:"scenario,omitempty"`
	History  string             `json:"history,omitempty"`
}

// keepDraft remembers the inputs on screen until the next visit.
func (v *View) keepDraft() {
	d := draft{Unsaved: v.unsaved}
	switch s := v.inputs.scenario(); {
	case v.inputs.size() <= largestDraft:
		d.Scenario = &s
	case v.phase == done:
		d.History = v.result.document.Hash
	default:
		return
	}
	data, err := json.Marshal(d)
	if err == nil {
		ui.Store(draftKey, string(data))
	}
}

// size is the length of all texts in bytes.
func (in inputs) size() int {
	size := 0
	for _, g := range in.graphs() {
		size += len(g.DOT) + g.file.Size()
	}
	return size
}

// begin takes up the draft, which the history has if it is large.
func (v *View) begin() {
	d := readDraft(ui.Stored(draftKey))
	if d.History == "" {
		v.start(d)
		return
	}
	var s scenario.Scenario
	var err error
	v.later(func() { s, err = v.Shelf.Recorded(v.page, d.History) }, func() {
		if err == nil {
			d.Scenario = &s
		}
		v.start(d)
	})
}

// start opens the link in the address or what another view asked for. Only work
// that is not saved is under it to go back to. Without either, the last visit
// goes on, and the first one has an example.
func (v *View) start(d draft) {
	v.begun = true
	if d.Scenario != nil && d.Unsaved {
		v.inputs, v.unsaved = inputsOf(*d.Scenario), true
	}
	if v.takeRequest() || v.openAddress() {
		return
	}
	switch {
	case d.Scenario == nil:
		v.inputs = firstExample()
	case !d.Unsaved:
		v.inputs = inputsOf(*d.Scenario)
	}
	v.settle(0)
}

// readDraft reads what keepDraft wrote, or nothing if anything is wrong with it:
// a browser's storage may hold anything.
func readDraft(text string) draft {
	var d draft
	if text == "" || json.Unmarshal([]byte(text), &d) != nil {
		return draft{}
	}
	if d.Scenario != nil && (d.Scenario.Kind != scenario.KindPlacement || d.Scenario.Placement == nil) {
		return draft{}
	}
	return d
}
