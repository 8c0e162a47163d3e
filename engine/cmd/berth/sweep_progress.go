package main

import (
	"fmt"
	"io"
	"time"

	"berth/engine/show"
)

// progress prints the number of completed runs, their rate and the remaining time. A terminal shows
// them on one line; elsewhere a new line appears every ten seconds. Reused results do not count for
// the rate.
type progress struct {
	to         io.Writer
	terminal   bool
	known, all int
	carried    int
	start      time.Time // start of the sweep, or time of the last reused result
	printed    time.Time // time of the last printed line
}

func newProgress(c *call, all int) *progress {
	p := &progress{to: c.errs, all: all, start: time.Now(), printed: time.Now()}
	if s, ok := c.errs.(shown); ok && isTerminal(s.Writer) {
		p.to, p.terminal = s.Writer, true
	}
	return p
}

func (p *progress) add(known bool) {
	now := time.Now()
	if known {
		p.known, p.start = p.known+1, now
	} else {
		p.carried++
	}
	every := 10 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	if now.Sub(p.printed) < every {
		return
	}
	p.printed = now
	line := p.line(now)
	if p.terminal {
		fmt.Fprintf(p.to, "\r\x1b[K%s", line)
	} else {
		fmt.Fprintln(p.to, line)
	}
}

// line formats the current progress.
func (p *progress) line(now time.Time) string {
	done := p.known + p.carried
	text := fmt.Sprintf("%d of %s", done, show.Count(p.all, "run"))
	if p.carried == 0 {
		return text
	}
	rate := float64(p.carried) / now.Sub(p.start).Seconds()
	left := time.Duration(float64(p.all-done) / rate * float64(time.Second)).Round(time.Second)
	return text + fmt.Sprintf(", %.3g a second, %v left", rate, left)
}

func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
