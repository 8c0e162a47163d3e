package lab

import (
	"path"
	"strings"

	"berth/app/shell"
	"berth/engine/input/format/sniff"
	"berth/engine/scenario"
)

// Own returns the texts that this system may read. It offers a text of another system
// to the view of that system, and refuses a text that no system reads, naming the
// accepted formats. For a large file the beginning decides.
func (l *Lab[I]) Own(texts []*Source) []*Source {
	var own, foreign []*Source
	var other *scenario.Kind
	for _, s := range together(texts) {
		kind, what := scenario.Recognise(s.Head(), l.system.Kind)
		also := l.system.Files.Also
		switch why := l.unreadable(s); {
		case kind == l.system.Kind, sniff.Look(s.Head(), also).Is(also):
			own = append(own, s)
		case kind != nil:
			foreign, other = append(foreign, s), kind
			l.offerTo(kind, what, foreign)
		case why != "":
			l.complain(s.Name + why + leftOut(len(texts)))
		default:
			own = append(own, s)
		}
	}
	if other == nil {
		l.notice(noticeForeign, "")
	}
	return own
}

// unreadable says why a text of no known kind cannot be an input with a mistake: it
// has another format, or a syntax that this system does not read. "" if it may be
// one.
func (l *Lab[I]) unreadable(s *Source) string {
	found := sniff.Look(s.Head(), l.system.Kind.Reads|sniff.Documents)
	switch {
	case found.Is(l.system.Kind.Reads | sniff.Documents):
		return ""
	case found.Format != nil && found.Name == "binary":
		return " is not text"
	case found.Format != nil:
		return ": " + found.Says()
	case found.Structured():
		return ": " + sniff.Refusal(s.Head(), l.system.Kind.Reads)
	case l.system.Files.Reads != "" && !l.mayBe(s):
		return " is neither " + l.system.Files.Reads + " nor a scenario"
	}
	return ""
}

// mayBe reports whether an unrecognised text may be an input with a mistake: an empty
// text, or a file with an extension that the system reads. Its author wants to see
// the error.
func (l *Lab[I]) mayBe(s *Source) bool {
	return strings.TrimSpace(s.Head()) == "" || l.system.Files.Named[path.Ext(strings.TrimSuffix(s.Name, ".gz"))]
}

// leftOut completes the message about an unreadable file: "Nothing was changed" if it
// was the only one of the files, since the others may still be read.
func leftOut(of int) string {
	if of == 1 {
		return ". Nothing was changed."
	}
	return ". Berth left it out."
}

func (l *Lab[I]) complain(sentence string) {
	l.Complaint = strings.TrimSpace(l.Complaint + " " + sentence)
	l.Tell()
}

const noticeForeign = "wrong-file"

// offerTo offers to open texts in the view of another system, which reads them.
func (l *Lab[I]) offerTo(kind *scenario.Kind, what string, texts []*Source) {
	name := texts[0].Name
	if len(texts) > 1 {
		name += " and others"
	}
	l.notice(noticeForeign, name+": this is "+what+", which "+kind.Title+" reads. Open it there?", noticeButton{"Open in " + kind.Title, func() {
		request = asked{files: texts, kind: kind}
		l.Page.Navigate(shell.Address(kind.Path))
	}})
}
