package federate_test

import (
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	_ "berth/engine/federate/schedulers"
)

func TestSchedulersConform(t *testing.T) {
	for _, name := range federate.Names() {
		t.Run(name, func(t *testing.T) {
			plugin, _ := federate.Lookup(name)
			federatetest.Conform(t, plugin)
		})
	}
}

func TestRegisterRefusesATakenName(t *testing.T) {
	plugin, _ := federate.Lookup("megha")
	if err := federate.Register(plugin); err == nil {
		t.Error("a second scheduler of the same name was registered")
	}
}
