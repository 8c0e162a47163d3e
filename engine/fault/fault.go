// Package fault turns panics into errors. A program guards each goroutine that it starts, so that
// it reports all its panics in one place.
package fault

import (
	"fmt"
	"runtime/debug"
)

// Fault is a panic that [Guard] has turned into an error. Value is the argument of panic.
type Fault struct {
	Value any
	Trace []byte // stack of the goroutine that panicked
}

func (f *Fault) Error() string { return fmt.Sprint(f.Value) }

// Guard calls a function. If it panics, Guard returns the panic as a [*Fault].
func Guard(run func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Fault{value, debug.Stack()}
		}
	}()
	return run()
}
