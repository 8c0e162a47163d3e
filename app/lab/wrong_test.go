//go:build !js

package lab

import (
	"strings"
	"testing"

	"berth/engine/diag"
	"berth/engine/scenario"
)

// The page shows an error once, next to the file or control that caused it. The error stays while
// the user types, and the editor of the file stays open.
func TestWhatIsWrongStandsWhereItIsMended(t *testing.T) {
	b, _ := mount(t, &scenario.Kind{Name: "toys", Path: "/toys"})
	b.system.Checks = Checks[*toy]{Opens: true, Control: func(d diag.Diagnostic) (id, text string) {
		if d.Path == "toys.seed" {
			return "seed", d.Message()
		}
		return "", ""
	}}
	good, bad := TextSource("good", "1"), TextSource("bad", "x")
	b.Inputs = &toy{texts: []*Source{good, bad}}
	said := &diag.Code{Name: "said", Words: "%s"}
	for range 2 {
		b.Form.blame(b.Inputs, &scenario.InputError{Diagnostics: diag.List{
			*diag.New("bad", 1, 1, said, "no number"), *diag.At("toys.seed", said, "too large"), *diag.At("toys.other", said, "unknown"),
		}})
		if len(b.Form.Found(good)) != 0 || len(b.Form.Found(bad)) != 1 || b.Form.Wrong("seed") != "too large" || b.Form.errors() != 2 || b.Files.Editing != bad {
			t.Fatalf("beside the sources %v and %v, beside the control %q, %d errors, %v is open",
				b.Form.Found(good), b.Form.Found(bad), b.Form.Wrong("seed"), b.Form.errors(), b.Files.Editing)
		}
	}
	b.Files.TypeIn(bad, "xx", func(in *toy, s *Source) { in.texts[1] = s })
	typed := b.Inputs.texts[1]
	if len(b.Form.Found(typed)) != 1 || b.Files.Editing != typed {
		t.Errorf("while typing, %v is wrong and %v is open", b.Form.Found(typed), b.Files.Editing)
	}
	if b.GoBack(); b.Files.Editing != bad {
		t.Errorf("after an undo %v is open", b.Files.Editing)
	}
	b.Form.blame(b.Inputs, &scenario.InputError{Diagnostics: diag.List{*diag.At("toys.text", said, "too many")}})
	if len(b.Form.Found(good)) != 1 || len(b.Form.Found(bad)) != 1 || b.Form.Wrong("seed") != "" {
		t.Errorf("of the role as a whole: %v, %v, %q", b.Form.Found(good), b.Form.Found(bad), b.Form.Wrong("seed"))
	}
	if b.Runs.takeLook(Looked[*toy]{Inputs: b.Inputs}); b.Form.errors() != 0 {
		t.Errorf("inputs that were read without errors have %d", b.Form.errors())
	}
}

// A file may have an error only in combination with another one. When an undo restores the other
// file and the result on screen, the error disappears.
func TestAnUndoForgetsErrorsOfOtherInputs(t *testing.T) {
	b, engine := mount(t, &scenario.Kind{Name: "toys", Path: "/toys"})
	b.Inputs = &toy{texts: []*Source{TextSource("prices", "1"), TextSource("nodes", "2")}}
	b.Shown, b.Phase = &Work[*toy]{Inputs: b.Inputs}, Done
	b.Edit("remove nodes", func(in *toy) { in.texts = in.texts[:1] })
	said := &diag.Code{Name: "said", Words: "%s"}
	b.Form.blame(b.Inputs, &scenario.InputError{Diagnostics: diag.List{*diag.New("prices", 1, 1, said, "no amounts")}})
	if b.Form.errors() != 1 {
		t.Fatalf("%d errors, want 1", b.Form.errors())
	}
	b.GoBack()
	engine.ConsumeAll()
	if b.Form.errors() != 0 {
		t.Errorf("after the undo, of the prices: %v", b.Form.Found(b.Inputs.texts[0]))
	}
}

// Inputs whose first run is cancelled are checked nevertheless.
func TestInputsOfACancelledRunAreLookedAt(t *testing.T) {
	b, _ := mount(t, &scenario.Kind{Name: "toys", Path: "/toys"})
	looked := 0
	b.system.Checks = Checks[*toy]{Settled: func() { looked++ }}
	b.Inputs = &toy{texts: []*Source{TextSource("jobs", "1")}}
	b.Runs.call = b.Runs.NewCall()
	b.started()
	if b.Runs.Cancel(); looked != 1 || b.Phase != Idle {
		t.Errorf("looked %d times at the inputs, phase %s; want once, idle", looked, b.Phase)
	}
}

// The line about a refused file disappears when a link or an example opens, because it is about
// other inputs.
func TestTheNoticeOfARefusedFileGoesWithTheInputs(t *testing.T) {
	b, engine := mount(t, &scenario.Kind{Name: "toys", Path: "/toys"})
	bad := TextSource("bad", "x")
	said := &diag.Code{Name: "said", Words: "%s"}
	b.Files.refuseFiles("drop files", []*Source{bad}, diag.List{*diag.New("bad", 1, 1, said, "no number")}, func(in *toy) { in.texts = []*Source{bad} })
	engine.ConsumeAll()
	if told := b.Intake.intakeText(); !strings.Contains(told, "bad has 1 error. Nothing was changed.") {
		t.Fatalf("of a refused file it says %q", told)
	}
	b.Opening.GiveWay("open an example", &toy{name: "other", texts: []*Source{TextSource("good", "1")}})
	engine.ConsumeAll()
	if told := b.Intake.intakeText(); told != "" {
		t.Errorf("once other inputs are open it says %q", told)
	}
}
