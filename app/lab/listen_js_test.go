package lab

import (
	"slices"
	"syscall/js"
	"testing"
)

// A view that is closed leaves no listeners.
func TestAViewEndsItsListeners(t *testing.T) {
	window := js.Global()
	var added, removed []string
	watch := func(method string, list *[]string) {
		original := window.Get(method)
		f := js.FuncOf(func(_ js.Value, args []js.Value) any {
			*list = append(*list, args[0].String())
			return original.Call("apply", window, []any{args[0], args[1], args[2]})
		})
		window.Set(method, f)
		t.Cleanup(func() { window.Set(method, original); f.Release() })
	}
	watch("addEventListener", &added)
	watch("removeEventListener", &removed)
	var l Lab[*toy]
	l.Address.lab, l.Draft.lab = &l, &l
	l.Address.listen()
	l.Draft.listenToLeaving()
	l.OnDismount()
	for _, event := range []string{"hashchange", "pagehide", "beforeunload", "visibilitychange"} {
		if !slices.Contains(added, event) {
			t.Errorf("nothing listens to %s", event)
		}
	}
	if !slices.Equal(added, removed) {
		t.Errorf("%v were added and %v removed", added, removed)
	}
}
