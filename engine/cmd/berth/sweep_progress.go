package main

import (
	"fmt"
	"io"
	"time"

	"berth/engine/show"
)

// progress prints the number of completed runs, their rate and the remaining time: on one line of a
// terminal, elsewhere on a new line every ten seconds. Reused results do not enter the rate.
type progress struct {
	to         io.Writer
	terminal   bool
	known, all int
	carried    int
	start      time.Time // of the sweep, or of the last reused result
	printed    time.Time // when the last line was printed
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

// line returns the current progress in words.
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
