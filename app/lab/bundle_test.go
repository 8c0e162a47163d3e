//go:build !js

package lab

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab/labtest"
	"berth/engine/bundle"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/policy"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// whole is inputs that consist of a scenario.
type whole struct{ s scenario.Scenario }

func (in *whole) Clone() *whole                { return &whole{in.s} }
func (in *whole) Blank() bool                  { return in.s.Body == nil }
func (in *whole) Missing() string              { return "" }
func (in *whole) SameWork(o *whole) bool       { return in.s.Hash() == o.s.Hash() }
func (in *whole) Input() bridge.Input          { return bridge.Input{Scenario: in.s} }
func (in *whole) Roles() []SourceRole          { return nil }
func (in *whole) Named() []Named               { return nil }
func (in *whole) Name() string                 { return in.s.Name }
func (in *whole) SetName(name string)          { in.s.Name = name }
func (in *whole) PutText(string, *policy.Text) {}

type parcel struct {
	app.Compo
	Lab[*whole]
}

func (b *parcel) OnInit() {
	b.Services = Services{Engine: labtest.Engine(1), Shelf: labtest.Shelf(), Drafts: labtest.Drafts()}
	b.Init(System[*whole]{
		Kind: qoskind.Kind,
		Inputs: func(s *scenario.Scenario) *whole {
			if s == nil {
				return &whole{requests("", 1)}
			}
			return &whole{*s}
		},
		Runs: Runs[*whole]{
			Shown: func(*Batch[*whole]) {},
		},
		Screen: func() Screen[*whole] { return Screen[*whole]{} },
	})
}

func (b *parcel) Render() app.UI { return app.Div() }

// bundleOf returns the bundle of a scenario, in the form that a command writes.
func bundleOf(t *testing.T, s scenario.Scenario) []byte {
	t.Helper()
	r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	b := must.Get(bundle.New(s, r))(t)
	data := must.Get(b.Encode())(t)
	return data
}

// take does the same as dropping a zip.
func (b *parcel) take(engine app.TestEngine, data []byte) (files []*Source) {
	b.Complaint = ""
	b.Files.AwaitFiles()
	b.Files.readLater("run.zip", bridge.Moved(data), b.Opening.unpack, func(s []*Source, packed *Bundle, problem string) {
		b.Complaint = problem
		b.Files.haveRead(s, packed, func(own []*Source) { files = own; b.Files.FilesRead() })
	})
	engine.ConsumeAll()
	return files
}

// Opening a bundle runs its scenario and compares the results.
func TestABundleOpensVerified(t *testing.T) {
	b := &parcel{}
	engine := labtest.Mount(t, b)
	b.take(engine, bundleOf(t, requests("bundled", 7)))
	if b.Inputs.s.Name != "bundled" || b.Phase != Done || b.Opening.bundle != nil {
		t.Fatalf("opened %q, phase %s, awaited %+v: %s", b.Inputs.s.Name, b.Phase, b.Opening.bundle, b.Complaint)
	}
	var packed *Bundle
	b.Files.readLater("run.zip", bridge.Moved(bundleOf(t, requests("bundled", 7))), b.Opening.unpack, func(_ []*Source, p *Bundle, _ string) { packed = p })
	engine.ConsumeAll()
	if got := packed.Verdict(b.Runs.shown.whole, b.Runs.shown.Report); !strings.HasPrefix(got, "run.zip verified, byte for byte.") {
		t.Error(got)
	}
	packed.manifest.Engine = "0.1.0"
	if got := packed.Verdict(b.Runs.shown.whole, b.Runs.shown.Report); !strings.HasPrefix(got, "run.zip was computed by an earlier engine (0.1.0). Berth ran it again with this one") {
		t.Error(got)
	}
	packed.manifest.Engine = scenario.Engine
	other := requests("bundled", 8)
	r := must.Get(scenario.Run(t.Context(), other, scenario.Env{}))(t)
	if got := packed.Verdict(other, r); !strings.HasPrefix(got, "run.zip differs: hash of the scenario") {
		t.Error(got)
	}
}

// If the inputs change before a bundle's run has ended, its results are not compared.
func TestAChangedBundleIsNotVerified(t *testing.T) {
	b := &parcel{}
	engine := labtest.Mount(t, b)
	b.Opening.bundle = &Bundle{Name: "run.zip", generation: b.generation}
	b.Edit("change", func(in *whole) { in.s = requests("other", 3) })
	engine.ConsumeAll()
	if b.Opening.bundle != nil {
		t.Error("it is still awaited")
	}
}

// Any other zip is unpacked to its files. A damaged one is named and changes nothing.
func TestAZipIsTakenApart(t *testing.T) {
	b := &parcel{}
	engine := labtest.Mount(t, b)
	before := b.Inputs
	var data bytes.Buffer
	w := zip.NewWriter(&data)
	for name, text := range map[string]string{"run/hosts.csv": "name,cpu,memory\na,4,4\n"} {
		to := must.Get(w.Create(name))(t)
		io.WriteString(to, text)
	}
	w.Close()
	if got := b.take(engine, data.Bytes()); len(got) != 1 || got[0].Name != "run/hosts.csv" || !strings.HasPrefix(got[0].Text, "name,cpu") {
		t.Errorf("it has %+v: %s", got, b.Complaint)
	}
	if got := b.take(engine, data.Bytes()[:40]); len(got) != 0 || !strings.HasPrefix(b.Complaint, "run.zip: the zip is damaged") || !b.Inputs.SameWork(before) {
		t.Errorf("of a damaged zip it has %+v: %s", got, b.Complaint)
	}
}
