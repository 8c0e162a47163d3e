// Command lines exercises the tables that the runtime needs: it grows a stack,
// collects garbage below it, recovers from a panic and names the caller. It prints
// the results.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

func main() {
	fmt.Println(deep(2000, new([64]int)), recovered(), outOfBounds(make([]int, 3), len(os.Args)+4), onNil((*time.Time)(nil)))
	_, file, line, _ := runtime.Caller(0)
	fmt.Println(file, line)
}

// deep holds a pointer in every frame, which the collector must find.
func deep(n int, below *[64]int) int {
	here := new([64]int)
	here[0] = below[0] + 1
	if n == 0 {
		runtime.GC()
		return here[0]
	}
	return max(deep(n-1, here), here[0]) + here[1]
}

// recovered returns the name of the function that panicked.
func recovered() (name string) {
	defer func() {
		recover()
		callers := make([]uintptr, 8)
		frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
		for more := true; more && !strings.HasPrefix(name, "main."); {
			var f runtime.Frame
			f, more = frames.Next()
			name = f.Function
		}
	}()
	return fails[string](nil)
}

// outOfBounds returns the reason of a bounds panic.
func outOfBounds(list []int, at int) (reason any) {
	defer func() { reason = recover() }()
	return list[at]
}

// onNil returns the reason of the panic of a method call on nil.
func onNil(at fmt.Stringer) (reason any) {
	defer func() { reason = recover() }()
	return at.String()
}

//go:noinline
func fails[T any](p *T) T { return *p }
