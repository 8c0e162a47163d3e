package e2e

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
)

// writeAll writes texts into consecutive fields, beginning at the first, as fast as
// keys can be sent, without any wait.
func (p *tab) writeAll(first string, texts []string) {
	p.t.Helper()
	p.wait(first)
	eval[any](p, fmt.Sprintf("(document.querySelector(%[1]q).focus(), document.querySelector(%[1]q).select())", first))
	p.press(strings.Join(texts, kb.Tab) + kb.Tab)
}

// Fields that the user leaves quickly one after the other keep their texts, although
// the page shows all values again after every change.
func TestNoEditIsLostWhileAnotherSettles(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	for _, c := range []struct {
		name, path, done string
		open             string // button that opens the fields
		fields           []string
		texts            func(round int) []string
	}{
		{"federate", "/federate", fedDone, "", []string{"#fed-workers", "#fed-gms", "#fed-lms", "#fed-scheduler-megha-1"},
			func(i int) []string {
				return []string{strconv.Itoa(60 + i), strconv.Itoa(2 + i%3), strconv.Itoa(4 - i%3)}
			}},
		{"qos", "/qos", testID("qos-status") + `[data-state="done"]`, "^Times, limits and seeds$", []string{"#qos-margin", "#qos-watchdog", "#qos-alpha", "#qos-horizon"},
			func(i int) []string {
				return []string{strconv.Itoa(20 + i), strconv.Itoa(30 - i), "1." + strconv.Itoa(1+i%9), strconv.Itoa(9000 + i)}
			}},
		{"placement", "/placement", done, "^Options$", []string{"#phi", "#seeds", "#seed", "#budget"},
			func(i int) []string {
				return []string{"0." + strconv.Itoa(1+i%9), strconv.Itoa(1 + i%4), strconv.Itoa(40 + i), strconv.Itoa(5000 + i)}
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, c.path)
			p.wait(c.done)
			if c.open != "" {
				p.pressNamed(c.open)
			}
			for round := range 12 {
				texts := c.texts(round)
				p.writeAll(c.fields[0], texts)
				values := func() (now []string) {
					for i := range texts {
						now = append(now, p.value(c.fields[i]))
					}
					return now
				}
				if got := values(); !slices.Equal(got, texts) {
					t.Fatalf("round %d: wrote %q, and the fields have %q", round, texts, got)
				}
				p.waitFor(fmt.Sprintf(`%s.every((s, i) => document.querySelector(s).dataset.value == %s[i])`, quoteAll(c.fields[:len(texts)]), quoteAll(texts)))
				if got := values(); !slices.Equal(got, texts) {
					t.Fatalf("round %d: wrote %q, and once they were taken the fields have %q", round, texts, got)
				}
			}
		})
	}
}
