package lab

import (
	"cmp"
	"path"
	"strings"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/bundle"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/bridge"
)

const noticeBundle = "bundle"

// Bundle is an opened bundle. Berth repeats its run and compares the results.
type Bundle struct {
	Name     string // file name
	Scenario scenario.Scenario

	manifest   *bundle.Manifest
	damage     []string // entries that differ from the manifest
	generation int      // of the inputs from the bundle
}

// unpack unpacks a zip: into a bundle, or into its files as sources. It blocks.
func (o *opener[I]) unpack(name string, file bridge.Blob) ([]*Source, *Bundle, error) {
	u, err := bridge.AskTool(o.lab.Page, o.lab.Engine, bundle.UnpackQuestion, struct{}{}, map[string]bridge.Blob{bundle.ZipFile: file})
	if err != nil {
		return nil, nil, err
	}
	files := u.Files()
	if u.Manifest != nil {
		b := &Bundle{Name: name, manifest: u.Manifest, damage: u.Damage}
		b.Scenario, err = o.lab.Engine.OpenScenario(o.lab.Page, bridge.OpenQuery{}, files[0])
		b.Scenario = study.Expand(b.Scenario)
		return nil, b, err
	}
	var sources []*Source
	for i, data := range files {
		sources = append(sources, sourceOf(cmp.Or(u.Names[i], strings.TrimSuffix(name, path.Ext(name))), int64(len(data)), data, bridge.NewBlob(data)))
	}
	return sources, nil, nil
}

// openBundle opens the scenario of a bundle in the view for its kind, which runs it and compares
// the results.
func (o *opener[I]) openBundle(b *Bundle) {
	if study.Shown(b.Scenario).Kind != b.Scenario.Kind {
		Open(o.lab.Page, "open "+b.Name, b.Scenario)
		return
	}
	if b.Scenario.Kind != o.lab.system.Kind.Name {
		kind, _ := scenario.Lookup(b.Scenario.Kind)
		request = asked{kind: kind, name: "open " + b.Name, scenario: &b.Scenario, bundle: b}
		o.lab.Page.Navigate(shell.Address(kind.Path))
		return
	}
	o.GiveWay("open "+b.Name, o.lab.system.Inputs(&b.Scenario))
	o.expect(b)
}

// expect makes the next run compare its results with bundle b, whose inputs are on screen.
func (o *opener[I]) expect(b *Bundle) {
	b.generation, o.bundle = o.lab.generation, b
	text := b.Name + " is a bundle. Berth repeats its run and compares the results."
	if earlier := scenario.Earlier(b.manifest.Engine); earlier != "" {
		text = b.Name + " is a bundle, " + earlier + ". Berth repeats its run with this one and compares the results."
	}
	o.lab.notice(noticeBundle, text)
}

// verify reports whether a finished run reproduces the results of the bundle.
func (o *opener[I]) verify(run *Batch[I]) {
	if b := o.bundle; b != nil && b.generation == run.call.generation {
		o.bundle = nil
		o.lab.notice(noticeBundle, b.Verdict(run.whole, run.Report))
	}
}

// forgetBundle drops the comparison with the bundle once its inputs have changed.
func (o *opener[I]) forgetBundle() {
	if o.bundle != nil && o.bundle.generation != o.lab.generation {
		o.bundle = nil
		o.lab.notice(noticeBundle, "")
	}
}

// Verdict says whether the run of a scenario reproduces the bundle byte for byte, or what differs.
// If an earlier engine made the bundle, it adds that this version ran it again.
func (b *Bundle) Verdict(s scenario.Scenario, r *scenario.Report) string {
	differences := b.damage
	if differences == nil {
		var err error
		if differences, err = b.manifest.Differences(s, r); err != nil {
			return b.Name + " could not be verified: " + err.Error() + "."
		}
	}
	if earlier := scenario.Earlier(b.manifest.Engine); earlier != "" && b.damage == nil {
		text := b.Name + " was " + earlier + ". Berth ran it again with this one, "
		if len(differences) == 1 {
			return text + "and the results are the same."
		}
		return text + "and got other results: " + strings.Join(differences[1:], "; ") + "."
	}
	if len(differences) == 0 {
		return b.Name + " verified, byte for byte. Scenario " + ui.Short(b.manifest.Scenario) + ", results " + ui.Short(b.manifest.Results) + "."
	}
	return b.Name + " differs: " + strings.Join(differences, "; ") + "."
}
