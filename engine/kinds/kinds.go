// Package kinds registers every kind of scenario for the programs that import it: the
// command line, the page with its workers, and tests.
package kinds

import (
	"berth/engine/federate/federatekind"
	"berth/engine/kube/fragment/fragmentkind"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
)

func init() {
	scenario.Register(
		placementkind.Kind,
		qoskind.Kind,
		federatekind.Kind,
		fragmentkind.Kind,
		study.Kind,
	)
}
