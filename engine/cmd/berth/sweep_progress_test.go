package main

import (
	"testing"
	"time"
)

// Reused results do not make the remaining runs look fast.
func TestProgressJudgesByTheRunsCarriedOut(t *testing.T) {
	begun := time.Now()
	p := progress{all: 100, start: begun, printed: begun}
	for range 96 {
		p.add(true)
	}
	if got, want := p.line(begun.Add(time.Second)), "96 of 100 runs"; got != want {
		t.Errorf("before a run is carried out it says %q, want %q", got, want)
	}
	p.add(false)
	p.start = begun
	if got, want := p.line(begun.Add(10*time.Second)), "97 of 100 runs, 0.1 a second, 30s left"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
