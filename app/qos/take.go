package qos

import (
	"path"
	"regexp"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
)

// dropped takes files that were dropped on the page: a scenario, or lists of
// controllers, tables of classes and texts that go where their names or their first lines say.
func (v *View) dropped(_ app.Context, files []ui.File) {
	v.Take(files, maxFile, func(texts []*lab.Source) {
		v.OpenAmong(texts, v.FilesRead, func() {
			lists, others := apartControllers(texts)
			v.sortIn(v.takeClasses(others))
			for _, list := range lists { // whose classes are there by now
				v.useControllers(list)
			}
			v.FilesRead()
		})
	})
}

// sortIn puts texts where they belong, as one edit.
func (v *View) sortIn(texts []*lab.Source) {
	if len(texts) == 0 {
		return
	}
	v.Change("drop files", func(in *inputs) {
		v.Unname(in)
		for _, t := range texts {
			slot := slotOf(t)
			if slot == qoskind.HotSlot || slot == qoskind.ColdSlot {
				delete(in.sources, qoskind.OverheadsSlot)
			}
			if slot == qoskind.OverheadsSlot {
				delete(in.sources, qoskind.HotSlot)
				delete(in.sources, qoskind.ColdSlot)
			}
			in.sources[slot] = t
		}
	})
}

// What files are called, where their first lines do not tell what they are or
// are not in the page.
var (
	eventNames    = regexp.MustCompile(`(?i)host[-_]?events`)
	overheadNames = regexp.MustCompile(`(?i)overhead|\b(hot|cold)\b`)
	hostNames     = regexp.MustCompile(`(?i)hosts?|machine|infrastructure`)
)

// slotOf guesses what a text is, by its first line and then by its name.
func slotOf(t *lab.Source) string {
	slot := qoskind.Role(t.Text)
	switch {
	case slot != "":
	case eventNames.MatchString(t.Name):
		slot = qoskind.HostEventsSlot
	case overheadNames.MatchString(t.Name):
		slot = qoskind.OverheadsSlot
	case hostNames.MatchString(path.Base(t.Name)):
		slot = qoskind.HostsSlot
	default:
		slot = qoskind.WorkloadSlot
	}
	if name := strings.ToLower(t.Name); slot == qoskind.OverheadsSlot {
		switch {
		case strings.Contains(name, "hot"):
			return qoskind.HotSlot
		case strings.Contains(name, "cold"):
			return qoskind.ColdSlot
		}
	}
	return slot
}

func (v *View) openPaste(slot string) {
	v.pasting = slot
	v.OpenPaste()
}

// pasteDialog is the dialog for a source as text.
func (v *View) pasteDialog() app.UI {
	t := slotTexts[v.pasting]
	return v.PasteDialog(lab.Paste{
		Title: "Paste " + t.thing, Hint: ui.Capital(t.hint) + ".", Label: "Text of " + t.thing, Example: t.example, Use: v.paste,
	})
}

func (v *View) paste(text string) {
	v.put(v.pasting, lab.TextSource("pasted "+v.pasting, text), "paste "+slotTexts[v.pasting].thing)
	v.Edited(lab.SettleTime)
}
