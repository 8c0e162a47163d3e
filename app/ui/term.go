package ui

import (
	"regexp"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// definitions explains terms of the papers and of optimisation.
var definitions = map[string]string{
	"gap":         "gap: by how much this placement may cost more than the best one, at most.",
	"lower bound": "lower bound: no placement can cost less. It comes from a proof, not from a placement.",
	"proved":      "proved: a search has shown that no placement costs less.",
	"per unit":    "per unit: the cost divided by what the jobs request, so that large and small deployments can be compared.",
	"SJ":          "SJ, sorted jobs: the order in which the heuristic places jobs. Jobs that request most, together with their neighbours, come first.",
	"CM":          "CM, cost matrix: what a job would cost on a cluster, with its links to the jobs placed before it.",
	"NAM":         "NAM, node affinity matrix: how well a job and its neighbours fit on a cluster; 1 is best, 0 means no room.",
	"PA":          "PA, priority array: the clusters that can take a job, in the order in which they are tried, by CM divided by NAM.",
	"Q":           "Q: time in seconds until the SLO of a request is violated if it waits; below 0, how long it must run to recover.",
	"φ":           "φ, safety margin: an instance with Q below it is in danger and may preempt others.",
	"TTV":         "TTV, time to violate: Q where it is above 0.",
	"GM":          "GM, Global Master: matches tasks with workers on a copy of the state, which may be stale.",
	"LM":          "LM, Local Master: holds the true state of its own workers, verifies the matches of GMs, and launches tasks.",
}

// Definition is a word that shows its definition in place, for mouse, touch and keyboard.
type Definition struct {
	app.Compo

	Word   string
	Always bool // its definition is open until the user closes it

	open, closed bool
}

// newHereKey is the storage key of the setting that opens all definitions.
const newHereKey = "berth.new"

// NewHere reports whether definitions are open from the start.
func NewHere() bool { return Stored(newHereKey) != "" }

// SetNewHere changes the setting that [NewHere] reports, and stores it in the browser.
func SetNewHere(on bool) { Store(newHereKey, map[bool]string{true: "yes"}[on]) }

// Render draws the word, and its definition while it is open.
func (t *Definition) Render() app.UI {
	open := t.open || t.Always && !t.closed
	return app.Details().Class("term").Open(open).On("toggle", t.toggle).Body(
		app.Summary().Class("link").Aria("label", t.Word+", what is that?").Text(t.Word),
		app.If(open, func() app.UI {
			return app.Span().Class("definition").DataSet("testid", "definition").Text(definitions[t.Word])
		}))
}

func (t *Definition) toggle(ctx app.Context, _ app.Event) {
	t.open = ctx.JSSrc().Get("open").Bool()
	t.closed = !t.open
}

var wordPattern = regexp.MustCompile(`[\p{L}\p{Nd}]+`)

// Explained returns a text in which the first occurrence of each defined word is a [Definition]. The
// caller must not put it into a p element, which HTML ends at a term.
func Explained(text string) []app.UI {
	var parts []app.UI
	seen, always := map[string]bool{}, NewHere()
	plain := 0 // start of the text not yet in parts
	words := wordPattern.FindAllStringIndex(text, -1)
	for i, at := range words {
		word := text[at[0]:at[1]]
		if one := strings.TrimSuffix(word, "s"); definitions[one] != "" {
			word = one // plural
		}
		if i+1 < len(words) && definitions[text[at[0]:words[i+1][1]]] != "" {
			word = text[at[0]:words[i+1][1]] // two words
		}
		if definitions[word] != "" && !seen[word] {
			seen[word] = true
			parts = append(parts, app.Text(text[plain:at[0]]), &Definition{Word: word, Always: always})
			plain = at[0] + len(word)
		}
	}
	return append(parts, app.Text(text[plain:]))
}
