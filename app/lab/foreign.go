package lab

import (
	"path"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/engine/scenario"
)

// Own returns those of some texts that this system may read. What another system
// reads is offered to it, and what no system reads is refused, with what would be
// right. Of a large file the beginning has to tell.
func (l *Lab[I]) Own(texts []*Source) []*Source {
	var own, foreign []*Source
	var other *scenario.Kind
	for _, s := range texts {
		kind, what := scenario.Recognise(s.Head(), l.system.Kind)
		switch {
		case kind == l.system.Kind:
			own = append(own, s)
		case kind != nil:
			foreign, other = append(foreign, s), kind
			l.offerTo(kind, what, foreign)
		case strings.ContainsRune(s.Head(), 0):
			l.refuse(s, "no text")
		case l.system.Reads != "" && !l.mayBe(s):
			l.refuse(s, "neither "+l.system.Reads+" nor a scenario")
		default:
			own = append(own, s)
		}
	}
	if other == nil {
		shell.SetNotice(l.Page, l.path(), shell.Notice{ID: noticeForeign})
	}
	return own
}

// mayBe reports whether a text that is not recognised may be one with a mistake:
// whoever types or names it so wants to know what is wrong with it.
func (l *Lab[I]) mayBe(s *Source) bool {
	text := strings.TrimSpace(s.Head())
	return text == "" || text[0] == '{' || l.system.Named[path.Ext(strings.TrimSuffix(s.Name, ".gz"))]
}

func (l *Lab[I]) refuse(s *Source, why string) {
	l.Complaint = strings.TrimSpace(l.Complaint + " " + s.Name + " is " + why + ": nothing was changed.")
	l.Tell()
}

const noticeForeign = "wrong-file"

// offerTo asks whether texts are to be opened in the view that reads them.
func (l *Lab[I]) offerTo(kind *scenario.Kind, what string, texts []*Source) {
	name := texts[0].Name
	if len(texts) > 1 {
		name += " and others"
	}
	shell.SetNotice(l.Page, l.path(), shell.Notice{
		ID: noticeForeign, Text: name + ": this is " + what + ", which " + kind.Title + " reads. Open it there?",
		Actions: []shell.Command{{Name: "Open in " + kind.Title, Do: func(app.Context) {
			request = asked{files: texts, kind: kind}
			l.Page.Navigate(kind.Path)
		}}},
	})
}
