package qos

import (
	"fmt"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/input/format/sniff"
	"berth/engine/qos/qoskind"
)

const acceptedFiles = ".csv,.erl,.txt,.json,.yaml,.yml,.gz,.zip,.zst,.xz,.bz2,text/csv,text/plain,application/gzip,application/zip"

// slotText holds the texts about the source in a slot.
type slotText struct {
	title   string // heading; "" for none
	thing   string // "a workload"
	empty   string // text for an empty slot
	hint    string // next to the file input
	testID  string // of the file input
	example string // placeholder of the editor
	makes   string // generator of the recipes; "" for none
}

var slotTexts = map[string]slotText{
	qoskind.WorkloadSlot: {"Workload", "a workload", "No workload yet: drop a trace, or generate one.",
		sniff.Briefly(sniff.Requests) + "; of any size, also as .gz", "qos-workload",
		"id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints", qoskind.RequestsGenerator},
	qoskind.HostsSlot: {"Hosts", "hosts", "No hosts yet: drop a list, or generate one.",
		sniff.Briefly(sniff.Hosts) + ", or nodes of Kubernetes", "qos-hosts", "name,cpu,memory,attributes", qoskind.HostsGenerator},
	qoskind.OverheadsSlot: {"Overheads", "overheads", "None: an allocation takes no time.",
		"CSV with the column overhead_s", "qos-overheads", "overhead_s", qoskind.OverheadsGenerator},
	qoskind.HotSlot: {"Overheads of hot hosts", "hot overheads", "None for hosts where the instance has run before.",
		"on a host where the instance has run before", "qos-overheads-hot", "overhead_s", qoskind.OverheadsGenerator},
	qoskind.ColdSlot: {"Overheads of cold hosts", "cold overheads", "None for hosts that are new to the instance.",
		"on a host that is new to it", "qos-overheads-cold", "overhead_s", qoskind.OverheadsGenerator},
	qoskind.HostEventsSlot: {"", "a file of events", "", "CSV with time_s,host,event", "qos-host-events", "time_s,host,event,cpu,memory", ""},
}

func (v *View) sourceFields() []app.UI {
	fields := append(v.sourceField(qoskind.WorkloadSlot), v.sourceField(qoskind.HostsSlot)...)
	if v.Inputs.apart() {
		fields = append(fields, v.sourceField(qoskind.HotSlot)...)
		fields = append(fields, v.sourceField(qoskind.ColdSlot)...)
	} else {
		fields = append(fields, v.sourceField(qoskind.OverheadsSlot)...)
	}
	return append(fields,
		v.Form.Checkbox("qos-overheads-apart", "separate overheads for hot and cold hosts", v.Inputs.apart(), (*inputs).setApart),
		v.inspectionRemarks())
}

// apart reports whether hot and cold hosts have separate overheads.
func (in *inputs) apart() bool {
	return in.sources[qoskind.HotSlot] != nil || in.sources[qoskind.ColdSlot] != nil
}

// setApart switches between one set of overheads for all hosts and separate sets for
// hot and cold hosts, which are equal at first.
func (in *inputs) setApart(on bool) {
	one := in.sources[qoskind.OverheadsSlot]
	if one == nil {
		one = lab.RecipeSource("overheads", defaultRecipe(qoskind.OverheadsGenerator))
	}
	if hot := in.sources[qoskind.HotSlot]; hot != nil {
		one = hot
	}
	for _, slot := range []string{qoskind.OverheadsSlot, qoskind.HotSlot, qoskind.ColdSlot} {
		delete(in.sources, slot)
		if on == (slot != qoskind.OverheadsSlot) {
			one := *one // each slot needs its own Source, because checks identify sources by pointer
			in.sources[slot] = &one
		}
	}
}

// sourceField draws a slot: its source, and the buttons that fill it.
func (v *View) sourceField(slot string) []app.UI {
	t := slotTexts[slot]
	s := v.Inputs.sources[slot]
	var fields []app.UI
	if t.title != "" {
		fields = append(fields, app.H3().Text(t.title))
	}
	if s == nil && slot == qoskind.WorkloadSlot && len(v.Inputs.options.Controllers) > 0 {
		t.empty = "None: the controllers submit all instances."
	}
	if s == nil && t.empty != "" {
		fields = append(fields, v.Runs.Absent(t.empty))
	}
	if s != nil {
		fields = append(fields, app.Ul().Class("sources").Body(v.source(slot, s)))
	}
	for _, d := range v.Form.Found(s).Errors() {
		fields = append(fields, ui.Problem(d.String()))
	}
	if slot == qoskind.HostsSlot && v.fields.asksHosts() {
		fields = append(fields, lab.Which("qos-which-hosts", "Which hosts? Berth can make as many of one size as the requests keep so busy on average.", v.fields.hostOffers()))
	}
	return append(fields, app.Div().Class("row source-ways").Body(
		&ui.DropZone{ID: t.testID, TestID: t.testID, Label: "Choose", Hint: t.hint, Accept: acceptedFiles,
			OnFiles: func(_ app.Context, files []ui.File) {
				v.Files.Take(files[:1], ui.AtMost(maxFile), func(read []*lab.Source) { v.into(slot, read, "choose "+files[0].Name) })
			}},
		app.If(t.makes != "", func() app.UI {
			return ui.Button("plus", "Generate").Aria("label", "Generate "+t.thing).
				OnClick(func(app.Context, app.Event) { v.openGenerator(slot) }, app.EventScope("generate", slot))
		}),
		ui.Button("copy", "Paste").Aria("label", "Paste "+t.thing).
			OnClick(func(app.Context, app.Event) {
				v.pasting = slot
				v.Files.OpenPaste()
			}, app.EventScope("paste", slot)),
	))
}

// source draws the source in a slot: its name, size and buttons, and its text if open.
func (v *View) source(slot string, s *lab.Source) app.UI {
	return app.Li().Class("source").Body(
		v.Files.SourceHead(s, v.sourceBadge(slot, s),
			ui.IconButton("trash", "Remove "+s.Name).
				OnClick(func(app.Context, app.Event) {
					v.Edit("remove "+slotTexts[slot].thing, func(in *inputs) { delete(in.sources, slot) })
				}, app.EventScope("remove", slot))),
		app.If(v.Files.Editing == s, func() app.UI { return v.sourceBody(slot, s) }),
	)
}

// sourceBadge shows the size of a source, or its number of errors.
func (v *View) sourceBadge(slot string, s *lab.Source) app.UI {
	if n := len(v.Form.Found(s).Errors()); n > 0 {
		return ui.Badge("bad", ui.Counted(n, "error"))
	}
	if text := v.sizes(slot); text != "" {
		return ui.Badge("plain", text)
	}
	if s.Large() {
		return ui.Badge("plain", ui.Bytes(int64(s.File.Size())))
	}
	return app.Text("")
}

// read is what is known of a source.
func (v *View) read(s *lab.Source) (is lab.Read) {
	for slot, of := range v.Inputs.sources {
		if of != s {
			continue
		}
		is.Size = v.sizes(slot)
		if r := v.known(slot); r != nil && slot == qoskind.WorkloadSlot {
			is.Assumed = slices.Concat(r.Warnings, r.Notes)
		}
	}
	return is
}

// sizes describes the size of the source in a slot; "" if unknown.
func (v *View) sizes(slot string) string {
	r := v.known(slot)
	if r == nil {
		return ""
	}
	switch slot {
	case qoskind.WorkloadSlot:
		return ui.Counted(r.Workload.Requests, "request")
	case qoskind.HostsSlot:
		return ui.Counted(r.Hosts.Hosts, "host")
	}
	n := 0 // with separate sets, the cold set is the second one
	if slot == qoskind.ColdSlot {
		n = 1
	}
	if n < len(r.Overheads) && slot != qoskind.HostEventsSlot {
		return fmt.Sprintf("%s, ⌀ %s", ui.Count(int64(r.Overheads[n].Count)), seconds(r.Overheads[n].Mean))
	}
	return ""
}

func seconds(s float64) string { return ui.Duration(time.Duration(s * float64(time.Second))) }

func (v *View) sourceBody(slot string, s *lab.Source) app.UI {
	return s.Body(lab.SourceBody{
		Recipe: recipeName, Note: s.TooLarge() + " Berth reads it in parts.",
		Change: ui.Button("plus", "Change").OnClick(func(app.Context, app.Event) { v.editRecipe(slot) }, app.EventScope("recipe", slot)),
		Editor: &ui.Editor{ID: "qos-editor-" + slot, Placeholder: slotTexts[slot].example, Diagnostics: v.Form.Found(s).Errors(),
			OnChange: func(_ app.Context, text string) {
				v.Files.TypeIn(v.Inputs.sources[slot], text, func(in *inputs, s *lab.Source) { in.sources[slot] = s })
			}},
	})
}

// into puts the first of some texts into a slot, or opens it if it is a scenario.
// Manifests for the hosts may also bring controllers.
func (v *View) into(slot string, texts []*lab.Source, name string) {
	v.Files.OpenAmong(texts, v.Files.FilesRead, func(texts []*lab.Source) {
		switch {
		case len(texts) == 0:
			v.Files.FilesRead()
		case slot == qoskind.HostsSlot && texts[0].Kubernetes():
			v.fields.useManifests(texts[:1], v.Files.FilesRead)
		default:
			v.Files.ChangeByFiles(name, texts[:1], func(in *inputs) {
				in.sources[slot] = texts[0]
			}, v.Files.FilesRead)
		}
	})
}

// requestMemory is the memory, in bytes, that simulating takes per byte of a workload.
// Measured: 600,000 requests, 21 MB, took 128 MB.
const requestMemory = 6

// maxFile is the maximum size of a file in bytes. Workloads are streamed, so it far
// exceeds the memory of a page.
const maxFile = 1 << 40
