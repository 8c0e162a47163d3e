package qos

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"berth/app/lab"
	"berth/engine/input/format/sniff"
	"berth/engine/qos/qoskind"
)

// takeTexts takes files that the user dropped on the page. If one is a scenario, it opens that.
// Otherwise it puts controllers, tables of classes, manifests and other texts where their first
// lines or their names belong.
func (v *View) takeTexts(texts []*lab.Source) {
	v.Files.OpenAmong(texts, v.Files.FilesRead, func(texts []*lab.Source) {
		lists, texts := apart(texts, isControllers)
		manifests, texts := apart(texts, (*lab.Source).Kubernetes)
		v.sortIn(v.fields.takeClasses(texts), func() {
			for _, list := range lists { // after the classes that the controllers refer to
				v.fields.useControllers(list)
			}
			if len(manifests) > 0 {
				v.fields.useManifests(manifests, v.Files.FilesRead)
				return
			}
			v.Files.FilesRead()
		})
	})
}

// apart separates the texts of a kind from the others.
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

func isControllers(t *lab.Source) bool {
	return sniff.Look(t.Head(), sniff.Controllers).Is(sniff.Controllers)
}

// sortIn puts each text into its slot. All texts are one edit.
func (v *View) sortIn(texts []*lab.Source, then func()) {
	if len(texts) == 0 {
		then()
		return
	}
	v.Files.ChangeByFiles("drop files", texts, func(in *inputs) {
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

// named reports whether the name of a file contains one of names. The name decides if the first
// lines do not identify the file or are not in the page.
func named(file string, names ...string) bool {
	file = strings.ToLower(file)
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(file, name) })
}

// hasWord reports whether the name of a file contains one of the words as a whole word.
func hasWord(file string, words ...string) bool {
	parts := strings.FieldsFunc(strings.ToLower(file), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(words, part) })
}

// slotOf guesses the slot of a text from its first line, or from its name if that line does not
// identify the format.
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
