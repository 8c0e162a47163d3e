package docs

import (
	"fmt"
	"html/template"
	"strings"

	"berth/engine/federate"
)

// message is a message between two lifelines of a protocol, or a step of one
// lifeline.
type message struct {
	from, to int // lifelines, equal for a step
	says     string
}

var meghaLifelines = []string{"user queue", "GM", "LM", "worker"}

// meghaProtocol lists the messages about a task that finds a worker after one
// refusal, and completes.
func meghaProtocol(c federate.Config) []message {
	took := func(t federate.Time) string { return fmt.Sprintf("%v ms", float64(t)/float64(federate.Millisecond)) }
	return []message{
		{0, 1, "task at the head of the queue"},
		{1, 1, "match in its copy: " + took(c.Costs.Take)},
		{1, 2, "launch on worker w: " + took(c.Delay)},
		{2, 2, "verify by the truth: " + took(c.Costs.Verify)},
		{2, 1, "refused, with the state"},
		{1, 1, "adopt the state, match again"},
		{1, 2, "launch on worker v"},
		{2, 3, "task: " + took(c.LaunchDelay)},
		{2, 1, "accepted, with the state"},
		{3, 2, "completion"},
		{2, 1, "completion, with the state"},
		{2, 1, fmt.Sprintf("heartbeat every %v s", float64(c.Heartbeat)/float64(federate.Second))},
	}
}

// sequenceFigure draws Megha's protocol: lifelines from left to right, time
// downwards.
func sequenceFigure() string {
	const left, gap, top, step = 60, 150, 34, 30
	all := meghaProtocol(federate.Default(1, 1, 1))
	height := top + step*(len(all)+1)
	x := func(lifeline int) int { return left + gap*lifeline }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="sequence" role="img" aria-label="Messages between a queue, a GM, an LM and a worker; the list says the same" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" fill="none" stroke="currentColor" font-size="12">`,
		2*left+gap*(len(meghaLifelines)-1), height)
	text := func(at, y int, anchor, s string) {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="%s" fill="currentColor" stroke="none">%s</text>`, at, y, anchor, template.HTMLEscapeString(s))
	}
	for i, name := range meghaLifelines {
		text(x(i), 16, "middle", name)
		fmt.Fprintf(&b, `<path d="M%d 24V%d" stroke-dasharray="3 3"/>`, x(i), height)
	}
	for i, m := range all {
		y := top + step*(i+1)
		if m.from == m.to {
			fmt.Fprintf(&b, `<path d="M%d %dh-6v8h6"/>`, x(m.from), y-6)
			text(x(m.from)+6, y+2, "start", m.says)
			continue
		}
		end, tip := x(m.to), 6
		if m.to > m.from {
			tip = -6
		}
		fmt.Fprintf(&b, `<path d="M%d %dH%d m%d -4l%d 4l%d 4"/>`, x(m.from), y, end, tip, -tip, tip)
		text((x(m.from)+end)/2, y-5, "middle", m.says)
	}
	return b.String() + "</svg>" + sequenceList(all)
}

// sequenceList lists the messages of the drawing as text.
func sequenceList(all []message) string {
	var b strings.Builder
	b.WriteString("<details><summary>The messages as a list</summary><ol>")
	for _, m := range all {
		who := meghaLifelines[m.from]
		if m.to != m.from {
			who += " to " + meghaLifelines[m.to]
		}
		fmt.Fprintf(&b, "<li>%s: %s</li>", template.HTMLEscapeString(who), template.HTMLEscapeString(m.says))
	}
	return b.String() + "</ol></details>"
}
