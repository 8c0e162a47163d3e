package qos

import (
	"strings"

	"berth/app/lab"
	"berth/app/shell"
	"berth/engine/input/format"
	"berth/engine/kube/handover"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// isManifest reports whether a source is objects of Kubernetes.
func isManifest(t *lab.Source) bool { return format.IsKubernetes([]byte(t.Head())) }

// useManifests takes the nodes of manifests as hosts and the workloads as
// controllers, and calls then.
func (v *View) useManifests(list []*lab.Source, then func()) {
	q := handover.ManifestsQuery{Classes: v.Inputs.options.Classes, Horizon: v.Inputs.options.Horizon}
	files := map[string]bridge.Blob{}
	for i, t := range list {
		q.Names = append(q.Names, t.Name)
		files[handover.FileOf(i)] = t.File
		if !t.Large() {
			files[handover.FileOf(i)] = bridge.Moved([]byte(t.Text))
		}
	}
	lab.Ask(nil, v.Later, func() (handover.Manifests, error) {
		return bridge.AskTool(v.Page, v.Engine, handover.ManifestsQuestion, q, files)
	}, func(m handover.Manifests, err error) {
		if err == nil {
			err = m.Diagnostics.Err()
		}
		if err != nil {
			v.Trouble = err.Error()
		} else {
			v.putManifests(list, m)
		}
		then()
	})
}

// putManifests puts hosts and controllers into the inputs. Those that no one made
// give way: the workload of an example goes with its hosts.
func (v *View) putManifests(files []*lab.Source, m handover.Manifests) {
	v.Trouble = ""
	v.Forgive(controllerFields)
	v.controllerPages.Show(0)
	example := !v.Unsaved || v.FromExample(workloadRole)
	v.ChangeAndTell("choose "+files[0].Name, func(in *inputs) {
		v.Unname(in)
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
		shell.Announce(v.Page, show.Capital(strings.Join(m.Notes, "; "))+". You can change that in the table of controllers.")
	}
}
