package lab

import (
	"path"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/engine/input/format/sniff"
	"berth/engine/scenario"
)

// Own returns the texts that this system reads. It offers a text of another system to that system's
// view, refuses a text that no system reads, and names the accepted formats. It recognises a large
// file by its beginning.
func (rd *fileReader[I]) Own(texts []*Source) []*Source {
	var own, foreign []*Source
	var other *scenario.Kind
	for _, s := range together(texts) {
		kind, what := scenario.Recognise(s.Head(), rd.lab.system.Kind)
		also := rd.lab.system.Files.Also
		switch why := rd.unreadable(s); {
		case kind == rd.lab.system.Kind, sniff.Look(s.Head(), also).Is(also):
			own = append(own, s)
		case kind != nil:
			foreign, other = append(foreign, s), kind
			rd.offerTo(kind, what, foreign)
		case why != "":
			rd.complain(s.Name + why + leftOut(len(texts)))
		default:
			own = append(own, s)
		}
	}
	if other == nil {
		rd.lab.notice(noticeForeign, "")
	}
	return own
}

// unreadable returns the reason why a text of no known kind cannot be an input of this system, even
// with mistakes: another format, or a syntax that this system does not read. It returns "" if the
// text may be an input.
func (rd *fileReader[I]) unreadable(s *Source) string {
	found := sniff.Look(s.Head(), rd.lab.system.Kind.Reads|sniff.Documents)
	switch {
	case found.Is(rd.lab.system.Kind.Reads | sniff.Documents):
		return ""
	case found.Format != nil && found.Name == "binary":
		return " is not text"
	case found.Format != nil:
		return ": " + found.Says()
	case found.Structured():
		return ": " + sniff.Refusal(s.Head(), rd.lab.system.Kind.Reads)
	case rd.lab.system.Files.Reads != "" && !rd.mayBe(s):
		return " is neither " + rd.lab.system.Files.Reads + " nor a scenario"
	}
	return ""
}

// mayBe reports whether an unrecognised text may be an input with a mistake, whose error its author
// wants to see: an empty text, or a file with an extension that the system reads.
func (rd *fileReader[I]) mayBe(s *Source) bool {
	return strings.TrimSpace(s.Head()) == "" || rd.lab.system.Files.Named[path.Ext(strings.TrimSuffix(s.Name, ".gz"))]
}

// leftOut ends the message about an unreadable file. of is the number of files opened together: if
// it is 1, nothing was changed.
func leftOut(of int) string {
	if of == 1 {
		return ". Nothing was changed."
	}
	return ". Berth left it out."
}

func (rd *fileReader[I]) complain(sentence string) {
	rd.lab.Complaint = strings.TrimSpace(rd.lab.Complaint + " " + sentence)
	rd.lab.Tell()
}

const noticeForeign = "wrong-file"

// offerTo offers to open texts in the view of the system that reads them.
func (rd *fileReader[I]) offerTo(kind *scenario.Kind, what string, texts []*Source) {
	name := texts[0].Name
	if len(texts) > 1 {
		name += " and others"
	}
	rd.lab.notice(noticeForeign, name+": this is "+what+", which "+kind.Title+" reads. Open it there?", shell.Command{Name: "Open in " + kind.Title, Do: func(app.Context) {
		request = asked{files: texts, kind: kind}
		rd.lab.Page.Navigate(shell.Address(kind.Path))
	}})
}
