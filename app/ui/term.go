package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// definitions of the words that the papers coin, as the page explains them.
var definitions = map[string]string{
	"SJ":  "SJ, sorted jobs: the order in which the heuristic places the jobs, by what they and the jobs they talk to request, the most first.",
	"CM":  "CM, cost matrix: what a job would cost on a cluster, with the links to the jobs that stand already.",
	"NAM": "NAM, node affinity matrix: how well what is left on a cluster suits a job and the jobs it talks to; 1 is best, 0 means no room.",
	"PA":  "PA, priority array: the clusters that can take a job, by CM divided by NAM; the first is tried first.",
	"Q":   "Q: for how many seconds a request can still wait before its SLO is missed; below 0, how long it must run to make up for it.",
	"φ":   "φ, safety margin: an instance whose Q is below it is in danger and may preempt others.",
	"TTV": "TTV, time to violate: Q where it is above 0.",
	"GM":  "GM, global master: a scheduler that matches tasks to workers on a copy of the state, which may be stale.",
	"LM":  "LM, local master: knows the true state of its part of the workers, verifies what GMs match, and launches it.",
}

// Term is a word that opens its definition in place, to pointer, touch and keys.
type Term struct {
	app.Compo

	Word string

	open bool
}

// Render draws the word, and its definition while it is open.
func (t *Term) Render() app.UI {
	return app.Details().Class("term").On("toggle", t.toggle).OnKeyDown(closeTerm).Body(
		app.Summary().Class("link").Aria("label", t.Word+", what is that?").Text(t.Word),
		app.If(t.open, func() app.UI {
			return app.Span().Class("definition").DataSet("testid", "definition").Text(definitions[t.Word])
		}))
}

func (t *Term) toggle(ctx app.Context, _ app.Event) { t.open = ctx.JSSrc().Get("open").Bool() }

func closeTerm(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	if e.Get("key").String() == "Escape" {
		ctx.JSSrc().Call("removeAttribute", "open")
	}
}

// Explained is a text whose words of the papers are terms where they stand first. No
// paragraph may hold it: as text, HTML ends one where a term begins.
func Explained(text string) []app.UI {
	var parts []app.UI
	seen := map[string]bool{}
	plain := 0 // where the text begins that is not written yet
	for at := 0; at < len(text); {
		word := wordAt(text, at)
		if one := strings.TrimSuffix(word, "s"); definitions[one] != "" {
			word = one // of several
		}
		if definitions[word] != "" && !seen[word] {
			seen[word] = true
			parts = append(parts, app.Text(text[plain:at]), &Term{Word: word})
			plain = at + len(word)
		}
		at += max(len(word), 1)
	}
	return append(parts, app.Text(text[plain:]))
}

// wordAt is the word that begins at a byte of a text, "" if none does.
func wordAt(text string, at int) string {
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); at > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return ""
	}
	end := strings.IndexFunc(text[at:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(text) - at
	}
	return text[at : at+end]
}
