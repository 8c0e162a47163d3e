//go:build !js

package qos

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/qos/qoskind"
)

const (
	ownWorkload = "id,submit_s,duration_s,cpu,memory,class\n1,0,10,1,1,gold\n"
	ownHosts    = "name,cpu,memory\na,4,4\n"
)

// A file that cannot be read changes nothing, whether it was dropped, chosen for a slot or pasted.
func TestARefusedFileChangesNothing(t *testing.T) {
	b := open(t)
	before := b.Inputs.Clone()
	for name, text := range map[string]string{
		"broken.csv": "id,submit_s,duration_s,cpu,memory,class\n1,0,ten,1,1,gold\n", "letter.txt": "Dear Sir or Madam,\n", "binary.csv": "\x00",
		"s.json": `{"version": 1, "kind": "qos", "qos": {"workloads": 3}}`, "study.json": `{"version": 1, "kind": "experiment", "experiment": {"bases": 3}}`,
	} {
		sources := func() []*lab.Source { return b.Files.Own([]*lab.Source{lab.TextSource(name, text)}) }
		ways := map[string]func(){"drop": func() { b.drop(lab.TextSource(name, text)) }}
		for _, slot := range []string{qoskind.WorkloadSlot, qoskind.HostsSlot, qoskind.OverheadsSlot, qoskind.HostEventsSlot} {
			s := slotNamed(slot)
			ways["choose "+slot] = func() { b.Files.AwaitFiles(); b.Slots.Put(&s, sources(), "choose") }
			ways["paste "+slot] = func() { b.Slots.Paste(s); b.Slots.TakePasted(text) }
		}
		for way, bring := range ways {
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

// Of several files the valid ones are taken even if others have errors.
func TestWhatIsRightIsTaken(t *testing.T) {
	b := open(t)
	mine, broken := lab.TextSource("mine.csv", ownWorkload), lab.TextSource("hosts.csv", "name,cpu,memory\na,four,4\n")
	b.drop(mine, broken)
	got := app.HTMLString(b.Intake.Line())
	if b.Inputs.sources[qoskind.WorkloadSlot] != mine || b.Phase != lab.Failed || !strings.Contains(got, "hosts.csv has 1 error.") {
		t.Errorf("the phase is %q; it says %q", b.Phase, got)
	}
	b.Files.TypeIn(b.Inputs.sources[qoskind.HostsSlot], ownHosts, func(in *inputs, s *lab.Source) { in.sources[qoskind.HostsSlot] = s })
	b.wantDone()
	if got := app.HTMLString(b.Intake.Line()); strings.Contains(got, "intake") {
		t.Errorf("after another edit it says %q", got)
	}
}

// The page names the rest of an example, and the user's other file replaces it.
func TestWhatAnExampleLeaves(t *testing.T) {
	b := open(t)
	b.Edit("change", func(in *inputs) { in.setScheduler("hybrid", qoskind.Fast) })
	b.settle()
	if x := b.Intake.LeftOver(); x != nil {
		t.Errorf("an example that was edited has left %+v", x)
	}
	b.drop(lab.TextSource("mine.csv", ownWorkload))
	b.wantDone()
	if x := b.Intake.LeftOver(); x == nil || x.Name != "hosts" || !slices.Contains(b.details(), "This is with the example's hosts.") {
		t.Fatalf("left is %+v: %q", x, b.details())
	}
	b.drop(lab.TextSource("hosts.csv", ownHosts))
	b.wantDone()
	if x := b.Intake.LeftOver(); x != nil {
		t.Errorf("with both files left is %+v", x)
	}
}

// Events of hosts that the user's files do not have are removed, and Undo restores them.
func TestWhatIsGoneIsDropped(t *testing.T) {
	b := open(t)
	told := func() string { return app.HTMLString(b.Intake.Line()) }
	b.fields.addFailure(60)
	b.settle()
	b.Edit("more", func(in *inputs) {
		more := in.options.HostEvents[0]
		more.Time = 90
		in.options.HostEvents = append(in.options.HostEvents, more, qoskind.HostEvent{Time: 100, Host: "a", Event: "add", CPU: 1, Memory: 1})
	})
	b.wantDone()
	before := b.Inputs
	b.drop(lab.TextSource("mine.csv", ownWorkload), lab.TextSource("hosts.csv", ownHosts))
	b.wantDone()
	host := before.options.HostEvents[0].Host
	if got := b.Inputs.options.HostEvents; len(got) != 1 || got[0].Host != "a" || !strings.Contains(told(), "“"+host+": fail at 60 s”, “"+host+": fail at 90 s”") {
		t.Errorf("left are %+v; it says %q", got, told())
	}
	for b.Inputs != before && b.Inputs.sources[qoskind.HostsSlot] != before.sources[qoskind.HostsSlot] {
		b.GoBack()
	}
	b.wantDone()
	if b.Inputs != before || strings.Contains(told(), "Dropped") {
		t.Errorf("back are %+v; it says %q", b.Inputs.options.HostEvents, told())
	}
}
