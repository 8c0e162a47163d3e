// Package kinds registers every kind of scenario for the programs that import it: the
// command line, the page with its workers, and tests.
package kinds

import (
	"berth/engine/experiment"
	"berth/engine/federate/federatekind"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

func init() {
	scenario.Register(
		placementkind.Kind,
		qoskind.Kind,
		federatekind.Kind,
		experiment.Kind,
	)
}
