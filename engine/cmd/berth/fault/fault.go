// Package fault turns panics into errors. A command guards each goroutine that it
// starts, so that a mistake of the program ends in one place, whatever part of the
// command it happens in.
package fault

import (
	"fmt"
	"runtime/debug"
)

// Fault is a panic that became an error.
type Fault struct {
	Value any
	Trace []byte // of the goroutine that panicked
}

func (f *Fault) Error() string { return fmt.Sprint(f.Value) }

// Guard runs a part of a command. A panic in it is a [*Fault].
func Guard(run func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Fault{value, debug.Stack()}
		}
	}()
	return run()
}
