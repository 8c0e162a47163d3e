package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"berth/engine/plural"
)

// progress tells how many runs are done, at what rate, and how long the rest will
// take: on one line of a terminal, else on a line every ten seconds.
type progress struct {
	to        io.Writer
	terminal  bool
	done, all int
	start     time.Time
	told      time.Time
}

func newProgress(c *call, all int) *progress {
	p := &progress{to: c.errs, all: all, start: time.Now(), told: time.Now()}
	if s, ok := c.errs.(shown); ok {
		if file, ok := s.Writer.(*os.File); ok {
			if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
				p.to, p.terminal = file, true
			}
		}
	}
	return p
}

func (p *progress) add() {
	p.done++
	every := 10 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	if time.Since(p.told) < every {
		return
	}
	p.told = time.Now()
	rate := float64(p.done) / time.Since(p.start).Seconds()
	left := time.Duration(float64(p.all-p.done) / rate * float64(time.Second)).Round(time.Second)
	line := fmt.Sprintf("%d of %s, %.3g a second, %v left", p.done, plural.Of(p.all, "run"), rate, left)
	if p.terminal {
		fmt.Fprintf(p.to, "\r\x1b[K%s", line)
	} else {
		fmt.Fprintln(p.to, line)
	}
}

func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
