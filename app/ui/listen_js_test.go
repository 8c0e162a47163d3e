package ui

import (
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

func TestListeningEnds(t *testing.T) {
	heard := 0
	end := listen("berth:test", false, func(app.Value) { heard++ })
	tell := func() { app.Window().Call("dispatchEvent", app.Window().Get("Event").New("berth:test")) }
	tell()
	end()
	tell()
	if heard != 1 {
		t.Errorf("heard %d events, want the one before the end", heard)
	}
}
