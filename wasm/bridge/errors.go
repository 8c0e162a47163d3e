package bridge

import "berth/engine/diag"

// ErrorKind is the cause of an error. Callers handle each kind differently.
type ErrorKind string

const (
	BadInput        ErrorKind = ""                 // the input is at fault
	UnknownScenario ErrorKind = "unknown-scenario" // the worker has forgotten the scenario; the caller sends it
	Fault           ErrorKind = "fault"            // a panic in the engine; its worker continues
	Crashed         ErrorKind = "crash"            // the worker died or could not be started
	TooMuch         ErrorKind = "too-much"         // a policy written as text exceeded its time or memory; its worker was terminated
)

// Error is the error of a call, unless the call's context ended.
type Error struct {
	Kind        ErrorKind `json:"kind,omitempty"`
	Message     string    `json:"message"`
	Diagnostics diag.List `json:"diagnostics,omitempty"` // about the input
}

func (e *Error) Error() string { return e.Message }
