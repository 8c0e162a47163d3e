package sniff

import (
	"slices"
	"strings"
)

// Texts that belong together stand one behind the other in one text, each behind a line with
// its name: as tail prints several files.
const (
	sectionBegins = "==> "
	sectionEnds   = " <=="
	// MaxSection is how many bytes that line may have.
	MaxSection = 1 << 10
)

// Section returns the name of the text that such a line begins; is reports whether it is one.
func Section(text string) (name string, is bool) {
	if !strings.HasPrefix(text, sectionBegins) {
		return "", false
	}
	line, _, _ := strings.Cut(text[:min(len(text), MaxSection)], "\n")
	return strings.CutSuffix(strings.TrimPrefix(strings.TrimRight(line, "\r"), sectionBegins), sectionEnds)
}

// SectionLine is the line before a text of that name.
func SectionLine(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, name)
	return "\n" + sectionBegins + name[:min(len(name), MaxSection/2)] + sectionEnds + "\n"
}

// together says what to do with a table that belongs to others.
func together(with string) string {
	return "give it together with " + with + ": drop both at once, or give berth both, as in --trace A --trace B"
}

// Together returns which of some texts, by how they begin, belong together, the one that the
// others are looked up for last; nil where there are no two.
func Together(heads []string) []int {
	for i := range heads {
		first := Look(heads[i], Tasks)
		if first.Format == nil || first.Part == "" {
			continue
		}
		var others, whole []int
		for k := range heads {
			switch f := Look(heads[k], Tasks); {
			case f.Format == nil || f.Part != first.Part:
			case f.Whole:
				whole = append(whole, k)
			default:
				others = append(others, k)
			}
		}
		if len(others) > 0 && len(whole)+len(others) > 1 {
			return append(others, whole...)
		}
	}
	return nil
}

// Apart says why a table does not go with those before it, "" if it does.
func Apart(before []Found, f Found) string {
	switch {
	case f.Format == nil:
		return f.head.unknown() + "; expected a table that belongs to others"
	case f.Part == "":
		return f.Says() + ", and not together with others"
	case len(before) > 0 && before[0].Part != f.Part:
		return "found " + f.What + ", which does not belong to " + before[0].What + ": choose it alone"
	case slices.ContainsFunc(before, func(b Found) bool { return b.Name == f.Name }):
		return "found " + f.What + " twice: give each table once"
	}
	return ""
}

// Lacks says what is missing where some tables are not all of those that belong together.
func Lacks(all []Found) string {
	if len(all) == 0 {
		return "there are no tables in the file"
	}
	return all[len(all)-1].Says()
}
