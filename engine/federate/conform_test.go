package federate_test

import (
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	_ "berth/engine/federate/schedulers"
)

// waited lists seeds of drawn data centres in which some scheduler once waited forever, or started
// only a part of a gang.
var waited = []uint64{29, 122, 874, 1097, 3251, 3716}

func TestSchedulersConform(t *testing.T) {
	for _, name := range federate.Names() {
		t.Run(name, func(t *testing.T) {
			plugin, _ := federate.Lookup(name)
			federatetest.Conform(t, plugin, waited...)
		})
	}
}

func TestRegisterRefusesATakenName(t *testing.T) {
	plugin, _ := federate.Lookup("megha")
	if err := federate.Register(plugin); err == nil {
		t.Error("a second scheduler of the same name was registered")
	}
}
