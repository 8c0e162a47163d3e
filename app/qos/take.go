package qos

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/input/format/sniff"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

// takeTexts takes files that were dropped on the page: a scenario, or lists of
// controllers, tables of classes and texts that go where their names or their first lines say.
func (v *View) takeTexts(texts []*lab.Source) {
	v.OpenAmong(texts, v.FilesRead, func(texts []*lab.Source) {
		lists, texts := apart(texts, isControllers)
		manifests, texts := apart(texts, isManifest)
		v.sortIn(v.takeClasses(texts), func() {
			for _, list := range lists { // whose classes are there by now
				v.useControllers(list)
			}
			if len(manifests) > 0 {
				v.useManifests(manifests, v.FilesRead)
				return
			}
			v.FilesRead()
		})
	})
}

// apart separates texts of a kind from others.
func apart(texts []*lab.Source, is func(*lab.Source) bool) (those, others []*lab.Source) {
	for _, t := range texts {
		if is(t) {
			those = append(those, t)
		} else {
			others = append(others, t)
		}
	}
	return those, others
}

// isControllers reports whether a source is a list of controllers.
func isControllers(t *lab.Source) bool {
	return sniff.Look(t.Head(), sniff.Controllers).Is(sniff.Controllers)
}

// sortIn puts texts where they belong, as one edit.
func (v *View) sortIn(texts []*lab.Source, then func()) {
	if len(texts) == 0 {
		then()
		return
	}
	v.ChangeByFiles("drop files", texts, func(in *inputs) {
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
	}, then)
}

// named reports whether the name of a file contains one of these, for files whose first lines do
// not identify them or are not in the page.
func named(file string, names ...string) bool {
	file = strings.ToLower(file)
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(file, name) })
}

// hasWord reports whether the name of a file has one of the words by itself.
func hasWord(file string, words ...string) bool {
	parts := strings.FieldsFunc(strings.ToLower(file), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(words, part) })
}

// slotOf guesses the slot of a text by its first line and then by its name.
func slotOf(t *lab.Source) string {
	slot := qoskind.Role(t.Head())
	switch {
	case slot != "":
	case named(t.Name, "hostevents", "host-events", "host_events"):
		slot = qoskind.HostEventsSlot
	case named(t.Name, "overhead") || hasWord(t.Name, "hot", "cold"):
		slot = qoskind.OverheadsSlot
	case named(path.Base(t.Name), "host", "machine", "infrastructure"):
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

// pasteDialog is the dialog for a source as text.
func (v *View) pasteDialog() app.UI {
	t := slotTexts[v.pasting]
	return v.PasteDialog(lab.Paste{
		Title: "Paste " + t.thing, Hint: show.Capital(t.hint) + ".", Label: "Text of " + t.thing, Example: t.example, Use: v.paste,
	})
}

func (v *View) paste(text string) {
	v.AwaitFiles()
	v.into(v.pasting, v.Own([]*lab.Source{lab.TextSource("pasted "+v.pasting, text)}), "paste "+slotTexts[v.pasting].thing)
}
