package qos

import (
	"strings"

	"berth/app/lab"
	"berth/app/shell"
	"berth/engine/kube/handover"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// useManifests takes the nodes of manifests as hosts and their workloads as controllers, and then
// calls then.
func (f *fields) useManifests(list []*lab.Source, then func()) {
	q := handover.ManifestsQuery{Classes: f.view.Inputs.options.Classes, Horizon: f.view.Inputs.options.Horizon}
	files := map[string]bridge.Blob{}
	for i, t := range list {
		q.Names = append(q.Names, t.Name)
		files[handover.FileOf(i)] = t.File
		if !t.Large() {
			files[handover.FileOf(i)] = bridge.Moved([]byte(t.Text))
		}
	}
	lab.Ask(nil, f.view.Later, func() (handover.Manifests, error) {
		return bridge.AskTool(f.view.Page, f.view.Engine, handover.ManifestsQuestion, q, files)
	}, func(m handover.Manifests, err error) {
		if err == nil {
			err = m.Diagnostics.Err()
		}
		if err != nil {
			f.view.Files.Trouble = err.Error()
		} else {
			f.putManifests(list, m)
		}
		then()
	})
}

// putManifests puts hosts and controllers into the inputs. Controllers also replace the workload of
// an example and its options.
func (f *fields) putManifests(files []*lab.Source, m handover.Manifests) {
	f.view.Files.Trouble = ""
	f.view.Form.Forgive(controllerFields)
	f.controllerPages.Show(0)
	example := !f.view.Unsaved || f.view.Intake.FromExample(workloadRole)
	f.view.Files.ChangeAndTell("choose "+files[0].Name, func(in *inputs) {
		f.view.Unname(in)
		if m.Hosts != nil {
			in.sources[qoskind.HostsSlot] = &lab.Source{Source: *m.Hosts}
		}
		if m.Controllers == nil {
			return
		}
		in.options.Controllers, in.options.Horizon = m.Controllers, m.Horizon
		if example {
			delete(in.sources, qoskind.WorkloadSlot)
			in.options.Sample, in.options.Admission, in.options.HostEvents = nil, nil, nil
		}
	}, files...)
	if len(m.Notes) > 0 {
		shell.Announce(f.view.Page, show.Capital(strings.Join(m.Notes, "; "))+". You can change that in the table of controllers.")
	}
}
