package sniff

import (
	"io"
	"slices"
	"strings"
)

// Tables that belong together can be concatenated into one text. A line with its name precedes each
// table, in the format in which tail prints several files.
const (
	sectionBegins = "==> "
	sectionEnds   = " <=="
	// MaxSection is the maximum length of a section line in bytes.
	MaxSection = 1 << 10
)

// Section returns the name in the section line at the beginning of text, if there is
// such a line.
func Section(text string) (name string, is bool) {
	if !strings.HasPrefix(text, sectionBegins) {
		return "", false
	}
	line, _, _ := strings.Cut(text[:min(len(text), MaxSection)], "\n")
	return strings.CutSuffix(strings.TrimPrefix(strings.TrimRight(line, "\r"), sectionBegins), sectionEnds)
}

// SectionLine returns the line that precedes a text with the given name.
func SectionLine(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, name)
	return "\n" + sectionBegins + name[:min(len(name), MaxSection/2)] + sectionEnds + "\n"
}

// TogetherWith returns the advice for a table that needs another one.
func TogetherWith(with string) string {
	return "give it together with " + with + ": drop both at once, or give berth both, as in --trace A --trace B"
}

// MostTogether limits the number of files in a folder, a command or an archive that Berth examines.
const MostTogether = 100

// Join combines the texts that belong together, judged by heads, their beginnings. texts contains
// them in order, each preceded by its [SectionLine], which line converts to a text. name joins
// their names; both are empty if no two texts belong together. left contains the indexes of the
// other texts.
func Join[T any](names, heads []string, all []T, line func(string) T) (name string, texts []T, left []int) {
	var parts []string
	order := together(heads)
	for _, k := range order {
		parts, texts = append(parts, names[k]), append(texts, line(SectionLine(names[k])), all[k])
	}
	for k := range all {
		if !slices.Contains(order, k) {
			left = append(left, k)
		}
	}
	return strings.Join(parts, " + "), texts, left
}

// together returns the numbers of the texts that belong together, with the main table last.
func together(heads []string) []int {
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

// Opener opens a text from its beginning and decompresses it. It can be called repeatedly.
type Opener func() (io.Reader, error)

// JoinFiles is [Join] for texts that are opened more than once. open opens the joined text. A read
// error recurs when the text is read.
func JoinFiles(names []string, all []Opener) (name string, open Opener, left []int, err error) {
	heads := make([]string, len(all))
	for i := range all {
		text, err := all[i]()
		if err != nil {
			return "", nil, nil, err
		}
		head, _ := io.ReadAll(io.LimitReader(text, Most))
		heads[i] = string(head)
	}
	name, texts, left := Join(names, heads, all, func(line string) Opener {
		return func() (io.Reader, error) { return strings.NewReader(line), nil }
	})
	return name, func() (io.Reader, error) {
		readers := make([]io.Reader, len(texts))
		for i, text := range texts {
			if readers[i], err = text(); err != nil {
				return nil, err
			}
		}
		return io.MultiReader(readers...), nil
	}, left, nil
}

// Apart returns the reason why a table does not belong to the tables before it, or "".
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

// Lacks describes why a set of tables is not complete: what the last table lacks, or that there are
// none.
func Lacks(all []Found) string {
	if len(all) == 0 {
		return "there are no tables in the file"
	}
	return all[len(all)-1].Says()
}
