//go:build !js

package federate

import (
	"slices"
	"strings"
	"testing"

	"berth/app/lab"
)

// A file that cannot be read changes nothing, dropped, chosen or pasted.
func TestARefusedTraceChangesNothing(t *testing.T) {
	b := open(t)
	before := b.Inputs.Clone()
	for name, text := range map[string]string{
		"broken.tr": "0 2 5 4\nnothing\n", "letter.txt": "Dear Sir or Madam,\n", "binary.tr": "\x00",
		"s.json": `{"version": 1, "kind": "federate", "federate": {"workerz": 3}}`,
	} {
		for way, bring := range map[string]func(){
			"drop":  func() { b.AwaitFiles(); b.takeTexts(b.Own([]*lab.Source{lab.TextSource(name, text)})) },
			"paste": func() { b.paste(text) },
		} {
			b.Complaint = ""
			bring()
			b.settle()
			if !b.Inputs.SameWork(before) || !strings.Contains(strings.ToLower(b.Complaint), "nothing was changed") {
				t.Errorf("%s by %s: complained %q", name, way, b.Complaint)
			}
			b.wantDone()
		}
	}
}

// The data centre of an example is not that of the user's own trace.
func TestWhatAnExampleLeavesOfADataCentre(t *testing.T) {
	b := open(t)
	b.AwaitFiles()
	b.takeTexts([]*lab.Source{lab.TextSource("mine.tr", "0 2 5 4 6\n1 1 5 5\n")})
	b.settle()
	b.wantDone()
	if x := b.LeftOver(); x == nil || x.Name != "workers" || !slices.Contains(b.details(), "This is with the example's workers.") {
		t.Fatalf("left is %+v: %q", x, b.details())
	}
	b.do(func(in *inputs) { in.options.Workers++ })
	if x := b.LeftOver(); x != nil {
		t.Errorf("with workers of the user's own left is %+v", x)
	}
}
