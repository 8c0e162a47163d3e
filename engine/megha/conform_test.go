package megha_test

import (
	"testing"

	"berth/engine/megha"
	"berth/engine/megha/meghatest"
)

func TestSchedulersConform(t *testing.T) {
	for _, name := range megha.Names() {
		t.Run(name, func(t *testing.T) {
			plugin, _ := megha.Lookup(name)
			meghatest.Conform(t, plugin)
		})
	}
}

func TestRegisterRefusesATakenName(t *testing.T) {
	plugin, _ := megha.Lookup("megha")
	if err := megha.Register(plugin); err == nil {
		t.Error("a second scheduler of the same name was registered")
	}
}
