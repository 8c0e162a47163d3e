//go:build !js

package lab

import (
	"reflect"
	"testing"
)

// hooks counts the functions in a system: all of them, or only those that are set.
func hooks(system reflect.Value, set bool) int {
	n := 0
	for i := range system.NumField() {
		switch f := system.Field(i); {
		case f.Kind() == reflect.Func:
			if !set || !f.IsNil() {
				n++
			}
		case f.Kind() == reflect.Struct:
			n += hooks(f, set)
		}
	}
	return n
}

// A view has a limited number of hooks to implement, and works with few of them.
func TestHooksOfAView(t *testing.T) {
	const most, needed = 10, 3
	if n := hooks(reflect.ValueOf(System[*whole]{}), false); n > most {
		t.Errorf("lab.System has %d hooks, want at most %d: a fact is data, and what most views do alike is the laboratory's", n, most)
	}
	b := &parcel{}
	b.OnInit()
	if n := hooks(reflect.ValueOf(b.system), true); n > needed {
		t.Errorf("a view needs %d hooks, want at most %d", n, needed)
	}
}
