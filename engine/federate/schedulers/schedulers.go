// Package schedulers registers every scheduler of Federate. A scheduler is a package with its [federate.Plugin] and a line here.
package schedulers

import (
	"berth/engine/federate"
	"berth/engine/federate/ideal"
	"berth/engine/federate/megha"
	"berth/engine/federate/pigeon"
	"berth/engine/federate/sparrow"
)

func init() {
	for _, p := range []federate.Plugin{
		megha.Plugin,
		megha.Single,
		sparrow.Plugin,
		pigeon.Plugin,
		ideal.Plugin,
	} {
		if err := federate.Register(p); err != nil {
			panic(err)
		}
	}
}
