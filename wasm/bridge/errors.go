package bridge

import "berth/engine/diag"

// ErrorKind tells apart what went wrong.
type ErrorKind string

const (
	BadInput        ErrorKind = ""                 // the input is at fault
	UnknownScenario ErrorKind = "unknown-scenario" // the worker does not remember it; the pool deals with it
	NeedsReaders    ErrorKind = "needs-readers"    // its program does not read a format of the input, or does not know the question; the pool deals with it
	Fault           ErrorKind = "fault"            // a panic in the engine; its worker goes on
	Crashed         ErrorKind = "crash"            // the worker died or could not be started
)

// Error is what a call fails with, unless its context ended.
type Error struct {
	Kind        ErrorKind `json:"kind,omitempty"`
	Message     string    `json:"message"`
	Diagnostics diag.List `json:"diagnostics,omitempty"` // of input that was read
}

func (e *Error) Error() string { return e.Message }
