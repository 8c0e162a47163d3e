// Package fault turns panics into errors. A program guards each goroutine that it starts, so that
// every fault of the program is reported in one place.
package fault

import (
	"fmt"
	"runtime/debug"
)

// Fault is a panic that became an error.
type Fault struct {
	Value any
	Trace []byte // stack of the goroutine that panicked
}

func (f *Fault) Error() string { return fmt.Sprint(f.Value) }

// Guard runs a function and returns a panic in it as a [*Fault].
func Guard(run func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Fault{value, debug.Stack()}
		}
	}()
	return run()
}
