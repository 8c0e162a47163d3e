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

func TestSchedulersConformInDrawnDataCentres(t *testing.T) {
	for _, name := range federate.Names() {
		t.Run(name, func(t *testing.T) {
			plugin, _ := federate.Lookup(name)
			if ran := federatetest.ConformDrawn(t, plugin, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1224); ran < 6 {
				t.Errorf("%d of 13 workloads can run", ran)
			}
		})
	}
}

func TestRegisterRefusesATakenName(t *testing.T) {
	plugin, _ := federate.Lookup("megha")
	if err := federate.Register(plugin); err == nil {
		t.Error("a second scheduler of the same name was registered")
	}
}
