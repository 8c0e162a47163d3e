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

// slots are the sources of the inputs.
var slots = []lab.Slot{
	{Name: qoskind.WorkloadSlot, Path: "qos.workload", Role: workloadRole, ID: "qos-workload", Asked: true,
		Title: "Workload", Thing: "a workload",
		Empty: "No workload yet: drop a trace, or generate one.", Hint: sniff.Briefly(sniff.Requests) + "; of any size, also as .gz",
		Example: "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints", Generator: qoskind.RequestsGenerator, Presets: presets(qoskind.RequestsGenerator)},
	{Name: qoskind.HostsSlot, Path: "qos.hosts", Role: "hosts", ID: "qos-hosts", Asked: true, Plural: true,
		Title: "Hosts", Thing: "hosts",
		Empty: "No hosts yet: drop a list, or generate one.", Hint: sniff.Briefly(sniff.Hosts) + ", or nodes of Kubernetes",
		Example: "name,cpu,memory,attributes", Generator: qoskind.HostsGenerator, Presets: presets(qoskind.HostsGenerator)},
	{Name: qoskind.OverheadsSlot, Path: "qos.overheads", Role: "overheads", ID: "qos-overheads",
		Title: "Overheads", Thing: "overheads",
		Empty: "None: an allocation takes no time.", Hint: "CSV with the column overhead_s",
		Example: "overhead_s", Generator: qoskind.OverheadsGenerator, Presets: presets(qoskind.OverheadsGenerator)},
	{Name: qoskind.HotSlot, Path: "qos.overheadsHot", Role: "hot overheads", ID: "qos-overheads-hot",
		Title: "Overheads of hot hosts", Thing: "hot overheads",
		Empty: "None for hosts where the instance has run before.", Hint: "on a host where the instance has run before",
		Example: "overhead_s", Generator: qoskind.OverheadsGenerator, Presets: presets(qoskind.OverheadsGenerator)},
	{Name: qoskind.ColdSlot, Path: "qos.overheadsCold", Role: "cold overheads", ID: "qos-overheads-cold",
		Title: "Overheads of cold hosts", Thing: "cold overheads",
		Empty: "None for hosts that are new to the instance.", Hint: "on a host that is new to it",
		Example: "overhead_s", Generator: qoskind.OverheadsGenerator, Presets: presets(qoskind.OverheadsGenerator)},
	{Name: qoskind.HostEventsSlot, Path: "qos.hostEvents", Role: "host events", ID: "qos-host-events", Thing: "a file of events",
		Hint: "CSV with time_s,host,event", Example: "time_s,host,event,cpu,memory"},
}

var presetTexts = map[string]string{
	qoskind.Validation1: "validation 1: 80 gold, 80 silver, 96 bronze",
	qoskind.Validation2: "validation 2: 221 silver",
	qoskind.Validation:  "validation: as the paper's test-bed",
	qoskind.GoogleLike:  "like the Google trace of 2011",
	qoskind.Busy:        "hosts of one size, as many as the requests keep so busy",
	qoskind.FirstHour:   "like the hour that the authors published",
}

func presets(generator string) (all []lab.Preset) {
	for _, p := range qoskind.Presets(generator) {
		all = append(all, lab.Preset{Name: p, Text: presetTexts[p]})
	}
	return all
}

func slotNamed(name string) lab.Slot {
	return slots[slices.IndexFunc(slots, func(s lab.Slot) bool { return s.Name == name })]
}

// sourceFields draws the sources, except the events of hosts.
func (v *View) sourceFields() []app.UI {
	workload, overheads := slotNamed(qoskind.WorkloadSlot), []string{qoskind.OverheadsSlot}
	if len(v.Inputs.options.Controllers) > 0 {
		workload.Empty = "None: the controllers submit all instances."
	}
	if v.Inputs.apart() {
		overheads = []string{qoskind.HotSlot, qoskind.ColdSlot}
	}
	fields := []app.UI{v.Slots.Field(workload), v.Slots.Field(slotNamed(qoskind.HostsSlot), v.fields.whichHosts()...)}
	for _, slot := range overheads {
		fields = append(fields, v.Slots.Field(slotNamed(slot)))
	}
	return append(fields,
		v.Form.Checkbox("qos-overheads-apart", "separate overheads for hot and cold hosts", v.Inputs.apart(), (*inputs).setApart),
		v.inspectionRemarks())
}

// apart reports whether hot and cold hosts have separate overheads.
func (in *inputs) apart() bool {
	return in.sources[qoskind.HotSlot] != nil || in.sources[qoskind.ColdSlot] != nil
}

// setApart switches between one set of overheads for all hosts and separate sets for hot and cold
// hosts. The separate sets start out equal.
func (in *inputs) setApart(on bool) {
	one := in.sources[qoskind.OverheadsSlot]
	if one == nil {
		overheads := slotNamed(qoskind.OverheadsSlot)
		one = lab.RecipeSource("overheads", overheads.First())
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

// read describes the part of a source that has been read.
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

// requestMemory is the memory, in bytes, that simulating takes per byte of a workload.
// Measured: 600,000 requests, 21 MB, took 128 MB.
const requestMemory = 6

// maxFile is the maximum size of a file in bytes. Workloads are streamed, so it far
// exceeds the memory of a page.
const maxFile = 1 << 40
