package bridge

import "berth/engine/diag"

// ErrorKind distinguishes what can go wrong.
type ErrorKind string

const (
	BadInput        ErrorKind = ""                 // the input is at fault
	UnknownScenario ErrorKind = "unknown-scenario" // the worker does not remember it; the pool sends it
	NeedsReaders    ErrorKind = "needs-readers"    // its program lacks a format of the input, the language of its policies, or the question; the pool starts one that has them
	Fault           ErrorKind = "fault"            // a panic in the engine; its worker goes on
	Crashed         ErrorKind = "crash"            // the worker died or could not be started
	TooMuch         ErrorKind = "too-much"         // a policy that is written as text took more time or memory than it may; its worker was ended
)

// Error is the error of a call whose context did not end.
type Error struct {
	Kind        ErrorKind `json:"kind,omitempty"`
	Message     string    `json:"message"`
	Diagnostics diag.List `json:"diagnostics,omitempty"` // about the input
}

func (e *Error) Error() string { return e.Message }
